// Opens a log with foreign libraries, by its index and as a stream, and prints everything it holds as JSON.
// usage: node read_log.mjs RUN.mcap
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { open, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor/index.js";

const require = createRequire(import.meta.url);
const zstd = require("@foxglove/wasm-zstd"), lz4 = require("lz4js");
await zstd.isLoaded;
const decompressHandlers = {
  zstd: (data, size) => zstd.decompress(data, Number(size)),
  lz4: (data, size) => new Uint8Array(lz4.decompress(data, Number(size))),
};

// Message types come out of the log itself, never from our .proto file.
function decoderOf(schema) {
  const root = protobuf.Root.fromDescriptor(descriptor.FileDescriptorSet.decode(schema.data));
  const type = root.resolveAll().lookupType(schema.name);
  return (data) => type.toObject(type.decode(data), { longs: String, enums: String, arrays: true });
}

class Collector {
  schemas = new Map();
  channels = new Map();
  out = { topics: {}, metadata: {}, order: [], attachments: [] };

  schema(record) { this.schemas.set(record.id, record); }
  channel(record) {
    if (this.channels.has(record.id)) return;
    const schema = this.schemas.get(record.schemaId);
    const topic = { schema: schema.name, schemaEncoding: schema.encoding, messageEncoding: record.messageEncoding, messages: [] };
    this.channels.set(record.id, { topic, decode: decoderOf(schema) });
    this.out.topics[record.topic] = topic;
  }
  attachment(record) { this.out.attachments.push(record.name); }
  metadata(record) { this.out.metadata[record.name] = Object.fromEntries(record.metadata); }
  message(record) {
    const { topic, decode } = this.channels.get(record.channelId);
    topic.messages.push({ logTime: String(record.logTime), publishTime: String(record.publishTime),
      sequence: record.sequence, value: decode(record.data) });
  }
}

async function readIndexed(path) {
  const file = await open(path);
  try {
    const readable = {
      size: async () => BigInt((await file.stat()).size),
      read: async (offset, size) => {
        const buffer = new Uint8Array(Number(size));
        const { bytesRead } = await file.read(buffer, 0, Number(size), Number(offset));
        if (bytesRead !== Number(size)) throw new Error(`short read at ${offset}`);
        return buffer;
      },
    };
    const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
    const collector = new Collector();
    for (const schema of reader.schemasById.values()) collector.schema(schema);
    for (const channel of reader.channelsById.values()) collector.channel(channel);
    for await (const record of reader.readMetadata()) collector.metadata(record);
    for await (const record of reader.readAttachments()) collector.attachment(record);
    for await (const record of reader.readMessages()) collector.message(record);
    const statistics = reader.statistics;
    collector.out.statistics = { messages: Number(statistics.messageCount), chunks: statistics.chunkCount,
      channels: statistics.channelCount, metadata: statistics.metadataCount };
    collector.out.longestChunk_ns = reader.chunkIndexes.reduce(
      (longest, chunk) => Math.max(longest, Number(chunk.messageEndTime - chunk.messageStartTime)), 0);
    return collector.out;
  } finally {
    await file.close();
  }
}

async function readStream(path) {
  const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
  const collector = new Collector();
  const bytes = await readFile(path);
  const portion = 10_000; // as it comes from a socket: records straddle the portions
  for (let at = 0; at < bytes.length; at += portion) {
    reader.append(bytes.subarray(at, at + portion));
    for (let record; (record = reader.nextRecord()) !== undefined; ) {
      if (collector.out.order.length < 4) collector.out.order.push(record.name ?? record.type);
      switch (record.type) {
        case "Schema": collector.schema(record); break;
        case "Channel": collector.channel(record); break;
        case "Metadata": collector.metadata(record); break;
        case "Attachment": collector.attachment(record); break;
        case "Message": collector.message(record); break;
      }
    }
  }
  collector.out.done = reader.done();
  return collector.out;
}

async function attempt(read, path) {
  try {
    return await read(path);
  } catch (error) {
    return { error: String(error) };
  }
}

const path = process.argv[2];
const result = { indexed: await attempt(readIndexed, path), streaming: await attempt(readStream, path) };
process.stdout.write(JSON.stringify(result));
