// Decodes protobuf messages by the FileDescriptorSet that travels with them, so that a new field needs no change here.

const SCALAR = {1: 'double', 2: 'float', 3: 'int64', 4: 'uint64', 5: 'int32', 8: 'bool', 9: 'string', 13: 'uint32',
                14: 'enum', 17: 'sint32', 18: 'sint64'};
const MESSAGE_TYPE = 11;
const text = new TextDecoder();

/** Reads the wire format: every field as [number, wire type, value]. Throws RangeError at a damaged message. */
function* fields(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    const need = (count) => {
        if (at + count > bytes.length) throw new RangeError('protobuf: the message is cut off');
    };
    const varint = () => {
        let low = 0, high = 0;
        for (let shift = 0; shift < 70; shift += 7) {
            need(1);
            const byte = bytes[at++], bits = byte & 0x7f;
            if (shift < 28) low += bits * 2 ** shift;
            else high += bits * 2 ** (shift - 28);
            if (byte < 0x80) return {low, high};
        }
        throw new RangeError('protobuf: a number is too long');
    };
    while (at < bytes.length) {
        const key = varint(), tag = key.low + key.high * 2 ** 28, type = tag % 8, number = Math.floor(tag / 8);
        if (type === 0) yield [number, type, varint()];
        else if (type === 1) { need(8); at += 8; yield [number, type, {view, at: at - 8}]; }
        else if (type === 5) { need(4); at += 4; yield [number, type, {view, at: at - 4}]; }
        else if (type === 2) {
            const size = varint(), length = size.low + size.high * 2 ** 28;
            need(length);
            at += length;
            yield [number, type, bytes.subarray(at - length, at)];
        } else throw new RangeError(`protobuf: wire type ${type} is not known`);
    }
}

// Whole numbers beyond 2^53 lose their last digits: no time or count of a log gets there.
const unsigned = (value) => value.low + value.high * 2 ** 28;

function signed64(value) {
    const number = (BigInt(value.high) << 28n) + BigInt(value.low);
    return Number(BigInt.asIntN(64, number));
}

function zigzag(value) {
    const number = unsigned(value);
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
}

function scalar(kind, wireType, value) {
    if (wireType === 1) return kind === 'double' ? value.view.getFloat64(value.at, true) : Number.NaN;
    if (wireType === 5) return kind === 'float' ? value.view.getFloat32(value.at, true) : Number.NaN;
    if (kind === 'bool') return unsigned(value) !== 0;
    if (kind === 'int64' || kind === 'int32' || kind === 'enum') return signed64(value);
    if (kind === 'sint64' || kind === 'sint32') return zigzag(value);
    return unsigned(value);
}

function packed(kind, bytes) {
    if (kind === 'double' || kind === 'float') {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), size = kind === 'double' ? 8 : 4;
        if (bytes.length % size !== 0) throw new RangeError('protobuf: a packed list is cut off');
        return Array.from({length: bytes.length / size}, (_, i) =>
            kind === 'double' ? view.getFloat64(i * 8, true) : view.getFloat32(i * 4, true));
    }
    // A list of varints is a message's wire format without the keys.
    const list = [];
    let low = 0, high = 0, shift = 0;
    for (const byte of bytes) {
        if (shift < 28) low += (byte & 0x7f) * 2 ** shift;
        else high += (byte & 0x7f) * 2 ** (shift - 28);
        shift += 7;
        if (byte < 0x80) {
            list.push(scalar(kind, 0, {low, high}));
            low = high = shift = 0;
        }
    }
    if (shift !== 0) throw new RangeError('protobuf: a packed list is cut off');
    return list;
}

const emptyOf = (field) => {
    if (field.repeated) return [];
    if (field.optional) return undefined;
    return field.kind === 'bool' ? false : field.kind === 'string' ? '' : 0;
};

function readField(bytes) {
    const field = {name: '', number: 0, kind: undefined, repeated: false, optional: false};
    for (const [number, , value] of fields(bytes)) {
        if (number === 1) field.name = text.decode(value);
        if (number === 3) field.number = unsigned(value);
        if (number === 4) field.repeated = unsigned(value) === 3;
        if (number === 5) field.kind = unsigned(value) === MESSAGE_TYPE ? 'message' : SCALAR[unsigned(value)];
        if (number === 17) field.optional = unsigned(value) !== 0;  // proto3_optional
    }
    return field;
}

function readEnum(bytes) {
    const result = {name: '', words: new Map()};
    for (const [number, , value] of fields(bytes)) {
        if (number === 1) result.name = text.decode(value);
        if (number !== 2) continue;
        let word = '', code = 0;
        for (const [part, , content] of fields(value)) {
            if (part === 1) word = text.decode(content);
            if (part === 2) code = signed64(content);
        }
        result.words.set(code, word);
    }
    return result;
}

/** The messages and enumerations of a FileDescriptorSet: {messages: Map(full name -> type), enums: Map(name -> Map)}. */
export function readDescriptors(bytes) {
    const messages = new Map(), enums = new Map();
    for (const [number, , file] of fields(bytes)) {
        if (number !== 1) continue;
        let name = '';
        const parts = [...fields(file)];
        for (const [part, , value] of parts) if (part === 2) name = text.decode(value);
        for (const [part, , value] of parts) {
            if (part === 5) {
                const one = readEnum(value);
                enums.set(`${name}.${one.name}`, one.words);
            }
            if (part !== 4) continue;
            const type = {name: '', fields: new Map()};
            for (const [inner, , content] of fields(value)) {
                if (inner === 1) type.name = text.decode(content);
                if (inner === 2) {
                    const field = readField(content);
                    if (field.kind) type.fields.set(field.number, field);
                }
            }
            messages.set(`${name}.${type.name}`, type);
        }
    }
    return {messages, enums};
}

/** One message as an object. Absent optional fields are undefined, other absent ones as protobuf has them. */
export function decode(type, bytes) {
    const result = {};
    for (const field of type.fields.values()) result[field.name] = emptyOf(field);
    for (const [number, wireType, value] of fields(bytes)) {
        const field = type.fields.get(number);
        if (!field || field.kind === 'message') continue;
        if (wireType === 2 && field.kind === 'string') result[field.name] = text.decode(value);
        else if (wireType === 2 && field.repeated) result[field.name].push(...packed(field.kind, value));
        else if (wireType === 2) continue;  // of another type than announced
        else if (field.repeated) result[field.name].push(scalar(field.kind, wireType, value));
        else result[field.name] = scalar(field.kind, wireType, value);
    }
    return result;
}
