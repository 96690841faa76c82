// The page's end of the Foxglove WebSocket protocol: what the server advertises is subscribed to and decoded. It only listens.
import {decode, readDescriptors} from './protobuf.js';

const RETRY_FIRST_MS = 500, RETRY_LAST_MS = 5000;
const MESSAGE_DATA = 1, HEAD_BYTES = 13;
const SERVER_HAS_ENDED = 1001;  // close code: it said goodbye

function bytesOfBase64(text) {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** "/2/feedback" -> {run: "2", topic: "feedback"}; "/feedback" -> {run: "", topic: "feedback"}. */
export function splitTopic(topic) {
    const parts = /^(?:\/(\d+))?\/([a-z_]+)$/.exec(topic);
    return parts ? {run: parts[1] ?? '', topic: parts[2]} : undefined;
}

/**
 * Connects, and connects again when the connection is lost. `listener`: wants(run) -> boolean, onOpen(serverInfo),
 * onRecord(run, topic, record, logTime_s), onStatus(text, level), onClose({ended}).
 */
export class Connection {
    constructor(url, listener) {
        this.url = url;
        this.listener = listener;
        this.retry_ms = RETRY_FIRST_MS;
        this.open();
    }

    open() {
        this.subscriptions = new Map();
        this.channels = new Map();
        this.descriptors = new Map();
        this.socket = new WebSocket(this.url, ['foxglove.websocket.v1']);
        this.socket.binaryType = 'arraybuffer';
        this.socket.onmessage = (event) =>
            typeof event.data === 'string' ? this.onText(event.data) : this.onBinary(event.data);
        this.socket.onclose = (event) => {
            this.listener.onClose({ended: event.code === SERVER_HAS_ENDED, reason: event.reason});
            setTimeout(() => this.open(), this.retry_ms);
            this.retry_ms = Math.min(2 * this.retry_ms, RETRY_LAST_MS);
        };
    }

    onText(words) {
        const message = JSON.parse(words);
        if (message.op === 'serverInfo') {
            this.retry_ms = RETRY_FIRST_MS;
            this.listener.onOpen(message);
        }
        if (message.op === 'advertise') {
            for (const channel of message.channels) this.channels.set(channel.id, channel);
            this.subscribe();
        }
        if (message.op === 'status') this.listener.onStatus(message.message, message.level);
    }

    /** To every channel of a run that is wanted and not subscribed to yet. */
    subscribe() {
        const taken = new Set([...this.subscriptions.values()].map((one) => one.channelId));
        const wanted = [];
        for (const [id, channel] of this.channels) {
            const place = splitTopic(channel.topic);
            if (taken.has(id) || !place || channel.encoding !== 'protobuf' || !this.listener.wants(place.run, place.topic))
                continue;
            const type = this.typesOf(channel.schema).messages.get(channel.schemaName);
            if (!type) continue;
            this.subscriptions.set(id, {...place, type, channelId: id});
            wanted.push({id, channelId: id});
        }
        if (wanted.length > 0) this.socket.send(JSON.stringify({op: 'subscribe', subscriptions: wanted}));
    }

    typesOf(schema) {
        if (!this.descriptors.has(schema)) this.descriptors.set(schema, readDescriptors(bytesOfBase64(schema)));
        return this.descriptors.get(schema);
    }

    onBinary(buffer) {
        const head = new DataView(buffer);
        if (buffer.byteLength < HEAD_BYTES || head.getUint8(0) !== MESSAGE_DATA) return;
        const subscription = this.subscriptions.get(head.getUint32(1, true));
        if (!subscription) return;
        const logTime_s = Number(head.getBigUint64(5, true)) * 1e-9;
        try {
            const record = decode(subscription.type, new Uint8Array(buffer, HEAD_BYTES));
            this.listener.onRecord(subscription.run, subscription.topic, record, logTime_s);
        } catch (error) {
            if (!(error instanceof RangeError)) throw error;
            this.listener.onStatus(error.message, 1);
        }
    }
}
