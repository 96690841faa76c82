// A foreign client watches a real run over the Foxglove WebSocket protocol; what it got must be what the log holds.
// usage: node watch_run.mjs TOPPLE EXPERIMENT FOLDER [SUBPROTOCOL], with packages in $TOPPLE_INTEROP_FOLDER
import assert from "node:assert";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.env.TOPPLE_INTEROP_FOLDER + "/");
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { WebSocket } = require("ws");
const { McapStreamReader } = require("@mcap/core");
const protobuf = require("protobufjs"), descriptor = require("protobufjs/ext/descriptor");
const [topple, experiment, folder, subprotocol = FoxgloveClient.SUPPORTED_SUBPROTOCOL] = process.argv.slice(2);

// Starts topple; resolves `line` once what it says (on standard output or error) has matched.
function start(parameters, pattern) {
  const child = spawn(topple, parameters, { stdio: ["ignore", "pipe", "pipe"] });
  const program = { child, said: "" };
  program.ended = new Promise((resolve) => child.on("close", (code) => resolve(code)));
  program.line = new Promise((resolve, reject) => {
    const hear = (bytes) => {
      program.said += bytes;
      const found = pattern.exec(program.said);
      if (found) resolve(found[1]);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    program.ended.then((code) => reject(new Error(`topple ended with ${code}: ${program.said}`)));
  });
  return program;
}

// Types come out of what the server says, never from our .proto file.
function decoderOf({ schema, schemaName, schemaEncoding }) {
  assert.equal(schemaEncoding, "protobuf");
  const set = descriptor.FileDescriptorSet.decode(Buffer.from(schema, "base64"));
  const type = protobuf.Root.fromDescriptor(set).resolveAll().lookupType(schemaName);
  return (data) => type.toObject(type.decode(data), { longs: String, enums: String });
}

function watch(address) {
  const seen = { channels: new Map(), messages: new Map(), status: [], errors: [] };
  const client = new FoxgloveClient({ ws: new WebSocket(`ws://${address}`, [subprotocol]) });
  const topicOf = new Map();
  client.on("error", (error) => seen.errors.push(String(error)));
  client.on("serverInfo", (info) => (seen.info = info));
  client.on("status", (status) => seen.status.push(status.message));
  client.on("advertise", (channels) => {
    for (const channel of channels) {
      seen.channels.set(channel.topic, channel);
      seen.messages.set(channel.topic, []);
      topicOf.set(client.subscribe(channel.id), { topic: channel.topic, decode: decoderOf(channel) });
    }
  });
  client.on("message", ({ subscriptionId, timestamp, data }) => {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const { topic, decode } = topicOf.get(subscriptionId);
    seen.messages.get(topic).push({ logTime: timestamp, bytes, value: decode(bytes) });
  });
  seen.closed = new Promise((resolve) => client.on("close", (event) => resolve(event)));
  return seen;
}

function logged(path) {
  const reader = new McapStreamReader(), topics = new Map(), messages = new Map();
  reader.append(readFileSync(path));
  for (let record; (record = reader.nextRecord()) !== undefined; ) {
    if (record.type === "Channel" && !topics.has(record.id)) { // said again in the summary
      topics.set(record.id, record.topic);
      messages.set(record.topic, []);
    }
    if (record.type === "Message") messages.get(topics.get(record.channelId)).push(record);
  }
  return messages;
}

const emulator = start(["emulate", experiment, "--listen", "0"], /(tcp:\S+)/);
const run = start(["run", experiment, "--device", await emulator.line, "--out", folder, "--live=127.0.0.1:0"],
  /live: http:\/\/(\S+)\//);
const seen = watch(await run.line);
const goodbye = await seen.closed;
const code = await run.ended;
emulator.child.kill();
assert.equal(code, 0, run.said);
assert.deepEqual(seen.errors, []);
assert.deepEqual(seen.info.capabilities, []);
assert.equal(goodbye.code, 1001, goodbye.reason);
assert.ok(seen.status.some((words) => words.includes("agreement")), "the result is told");

const log = logged(folder + "/run.mcap");
assert.deepEqual([...seen.messages.keys()].sort(), [...log.keys()].sort());
for (const [topic, messages] of log) {
  const got = seen.messages.get(topic);
  assert.equal(got.length, messages.length, `${topic}: messages seen and logged`);
  const byTime = (a, b) => (a.logTime < b.logTime ? -1 : a.logTime > b.logTime ? 1 : 0);
  const sorted = [...got].sort(byTime);  // stable, as the log's order of equal times
  [...messages].sort(byTime).forEach((message, i) => {
    assert.equal(sorted[i].logTime, message.logTime, `${topic} ${i}: log time`);
    assert.ok(sorted[i].bytes.equals(Buffer.from(message.data)), `${topic} ${i}: bytes`);
  });
  console.log(`${topic}: ${got.length} messages, as logged`);
}
const timeOf = ({ value }) => Number(value.device_time_us);
const when = (kind) => timeOf(seen.messages.get("/event").find(({ value }) => value.kind === kind));
const times = seen.messages.get("/feedback").map(timeOf)
  .filter((time) => time >= when("MOTION_START") && time <= when("RECORDING_END"));
assert.ok(times.length > 2500, "5 s at 500 Hz");
for (let i = 1; i < times.length; ++i) assert.equal(times[i] - times[i - 1], 2000, `feedback ${i} follows at 500 Hz`);
