// Writes a log anew with a foreign library, as other tools do: compressed, without chunks, without index, renumbered.
// usage: node rewrite_log.mjs IN.mcap OUT.mcap '{"compression": "zstd", ...McapWriter options}'
import { McapStreamReader, McapWriter } from "@mcap/core";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const zstd = require("@foxglove/wasm-zstd");
const lz4 = require("lz4js");

const compressors = {
  zstd: (data) => zstd.compress(data),
  lz4: (data) => lz4.compress(data),
  snappy: (data) => data, // a name that MCAP does not know
};

class Buffered {
  parts = [];
  length = 0;
  position() { return BigInt(this.length); }
  async write(bytes) { this.parts.push(Buffer.from(bytes)); this.length += bytes.length; }
}

const [from, to, text] = process.argv.slice(2);
const { compression, ...options } = JSON.parse(text);
await zstd.isLoaded;
if (compression) {
  options.compressChunk = (data) => ({ compression, compressedData: compressors[compression](data) });
}
const out = new Buffered();
const writer = new McapWriter({ writable: out, ...options });
await writer.start({ profile: "", library: "rewrite_log" });
const schemas = new Map(), channels = new Map();
const reader = new McapStreamReader({ validateCrcs: true });
reader.append(await readFile(from));
await writer.addAttachment({ name: "photo.jpg", mediaType: "image/jpeg", logTime: 1n, createTime: 2n, data: new Uint8Array([1, 2, 3]) });
for (let record; (record = reader.nextRecord()) !== undefined; ) {
  switch (record.type) {
    case "Schema":
      if (!schemas.has(record.id)) schemas.set(record.id, await writer.registerSchema(record));
      break;
    case "Channel":
      if (!channels.has(record.id)) {
        channels.set(record.id, await writer.registerChannel({ ...record, schemaId: schemas.get(record.schemaId) }));
      }
      break;
    case "Metadata": await writer.addMetadata(record); break;
    case "Message": await writer.addMessage({ ...record, channelId: channels.get(record.channelId) }); break;
  }
}
await writer.end();
await writeFile(to, Buffer.concat(out.parts));
