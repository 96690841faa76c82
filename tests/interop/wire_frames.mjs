// Takes the golden frames apart with foreign means: own COBS and CRC-32C, protobufjs for the payload.
// usage: node wire_frames.mjs FRAMES.json TABLE.proto, with protobufjs installed in $TOPPLE_INTEROP_FOLDER
import assert from "node:assert";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const protobuf = createRequire(process.env.TOPPLE_INTEROP_FOLDER + "/")("protobufjs");
const [framesPath, protoPath] = process.argv.slice(2);
const root = protobuf.parse(readFileSync(protoPath, "utf8"), { keepCase: true }).root.resolveAll();

function unstuff(bytes) {
  const out = [];
  for (let at = 0; at < bytes.length;) {
    const code = bytes[at];
    out.push(...bytes.slice(at + 1, at + code));
    at += code;
    if (code < 255 && at < bytes.length) out.push(0);
  }
  return Buffer.from(out);
}

function crc32c(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

for (const golden of JSON.parse(readFileSync(framesPath, "utf8"))) {
  const bytes = Buffer.from(golden.frame, "hex");
  assert(bytes[0] === 0 && bytes.at(-1) === 0 && !bytes.subarray(1, -1).includes(0), golden.name);
  const raw = unstuff(bytes.subarray(1, -1));
  assert.equal(raw.readUInt8(0), golden.type);
  assert.equal(raw.readUInt32LE(1), 7);
  assert.equal(raw.readUInt32LE(5), golden.sequence);
  assert.equal(raw.readUInt16LE(9), raw.length - 15);
  assert.equal(raw.readUInt32LE(raw.length - 4), crc32c(raw.subarray(0, -4)));
  const payload = raw.subarray(11, -4);
  if (golden.message === null) {
    assert.equal(payload.length, 0);
  } else {
    const type = root.lookupType("topple.wire." + golden.message);
    const value = type.toObject(type.decode(payload), { longs: String, enums: String });
    assert.deepStrictEqual(JSON.parse(JSON.stringify(value)), golden.value);
  }
  console.log(`${golden.name}: ${bytes.length} bytes, as expected`);
}
