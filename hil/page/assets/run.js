// One run as far as its records have arrived: its histories, events, latest state and forecasts.
import {Peaks} from './peaks.js';
import {Series} from './series.js';
import {DEVICE_STATES} from './words.js';

const EVENT = {recordingStart: 1, positioningStart: 2, motionStart: 3, motionDone: 4, settled: 5, recordingEnd: 6,
               returnStart: 7, returnDone: 8, stopRequested: 9, fault: 10, linkLost: 11, protectiveEnding: 16};
const STAGE_AFTER = {[EVENT.recordingStart]: 'waiting', [EVENT.positioningStart]: 'positioning',
                     [EVENT.motionStart]: 'motion', [EVENT.motionDone]: 'recording', [EVENT.recordingEnd]: 'recorded',
                     [EVENT.returnStart]: 'returning', [EVENT.returnDone]: 'finished'};
const LOADS_WITHIN_S = 5;
const REACH_S = 0.05;  // a sample counts for a moment that is no further from it
const MOTION_COLUMNS = ['position', 'setpoint', 'velocity', 'setpointAcceleration', 'acceleration', 'error'];

export class Run {
    /** `number`: "" of a live run, "1", "2"... of finished ones; `description`: its part of test.json. */
    constructor(number, description = {}) {
        this.number = number;
        this.description = description;
        this.axis = 0;  // that is drawn
        this.clear();
    }

    clear() {
        this.motion = [0, 1].map(() => new Series(MOTION_COLUMNS));  // by axis
        this.rotation = undefined;   // measured, a column per block
        this.predicted = new Map();  // by specimen: of the specimen as described, a column per block
        this.forecasts = new Map();  // by specimen: the latest record
        this.events = [];
        this.feedback = undefined;
        this.received = 0;
        this.feedbackCount = 0;
        this.stage = '';
        this.start_s = NaN;  // device time of the motion's start
        this.done_s = NaN;
        this.stop = undefined;   // the event that asked for it
        this.fault = undefined;
        this.cyclesMissed = 0;
        this.peaks = new Peaks();
        this.queueLevel = NaN;
    }

    /** Takes a record of the log. Returns true if it began a new recording. */
    take(topic, record) {
        const begins = topic === 'event' && record.kind === EVENT.recordingStart && this.feedbackCount > 0 &&
                       record.device_time_us * 1e-6 > this.firstEvent_s();
        if (begins) {
            this.onNewRecording?.();
            this.clear();
        }
        ++this.received;
        const time_s = record.device_time_us * 1e-6;
        if (topic === 'feedback') this.takeFeedback(time_s, record);
        if (topic === 'prediction') this.takePrediction(time_s, record);
        if (topic === 'event') this.takeEvent(time_s, record);
        if (topic === 'timing') {
            this.cyclesMissed += record.cycles_missed;
            this.queueLevel = record.queue_level;
        }
        return begins;
    }

    firstEvent_s() {
        const first = this.events.find((event) => event.kind === EVENT.recordingStart);
        return first ? first.time_s : -Infinity;
    }

    takeFeedback(time_s, record) {
        ++this.feedbackCount;
        this.feedback = record;
        this.motion.forEach((series, axis) => {
            if (record.setpoint_position_m.length <= axis) return;
            const position = record.position_m[axis], setpoint = record.setpoint_position_m[axis];
            series.push(time_s, {position, setpoint, velocity: record.setpoint_velocity_m_s[axis],
                                 setpointAcceleration: record.setpoint_acceleration_m_s2[axis],
                                 acceleration: record.acceleration_m_s2[axis], error: position - setpoint});
        });
        if (record.rotation_rad.length > 0) {
            this.rotation ??= new Series(record.rotation_rad.map((_, i) => `${i}`));
            this.rotation.push(time_s, record.rotation_rad);
        }
    }

    takePrediction(time_s, record) {
        this.forecasts.set(record.specimen, record);
        if (record.rotation_rad.length === 0) return;
        if (!this.predicted.has(record.specimen))
            this.predicted.set(record.specimen, new Series(record.rotation_rad.map((_, i) => `${i}`)));
        this.predicted.get(record.specimen).push(time_s, record.rotation_rad);
    }

    takeEvent(time_s, record) {
        const event = {time_s, kind: record.kind, text: record.text};
        if (this.events.some((one) => one.time_s === time_s && one.kind === event.kind && one.text === event.text)) return;
        this.events.push(event);
        this.stage = STAGE_AFTER[event.kind] ?? this.stage;
        if (event.kind === EVENT.motionStart) this.start_s = time_s;
        if (event.kind === EVENT.motionDone) this.done_s = time_s;
        if (event.kind === EVENT.stopRequested) this.stop ??= event;
        if (event.kind === EVENT.fault || event.kind === EVENT.linkLost) this.fault ??= event;
    }

    /** Of the newest measurement, s; NaN before the first. */
    now_s() {
        return this.feedback ? this.feedback.device_time_us * 1e-6 : NaN;
    }

    /** What the time axis counts from: the start of the motion, else the first measurement. */
    origin_s() {
        if (Number.isFinite(this.start_s)) return this.start_s;
        return this.motion[this.axis].length > 0 ? this.motion[this.axis].time[0] : 0;
    }

    /** Of a finished run: its log has been asked for and nothing has come yet. `link`: {openFor_s}. */
    isLoading(link) {
        return this.feedbackCount === 0 && this.description.recorded !== false && !(link.openFor_s > LOADS_WITHIN_S);
    }

    hasStart() {
        return Number.isFinite(this.start_s);
    }

    /** The motion had begun before the first measurement that has arrived: largest values are not those of the motion. */
    isLate() {
        return this.hasStart() && this.firstTime_s() > this.start_s + REACH_S;
    }

    firstTime_s() {
        return this.motion[this.axis].length > 0 ? this.motion[this.axis].time[0] : NaN;
    }

    deviceState() {
        return this.feedback ? DEVICE_STATES[this.feedback.state] ?? `state ${this.feedback.state}` : '';
    }

    /**
     * Rotations of a specimen's blocks at a time since the origin; undefined: now. {measured, predicted}, each a list,
     * empty where there is no sensor or no predictor.
     */
    rotationsOf(specimen, time_s) {
        const blocks = this.blockRange(specimen), now = time_s === undefined;
        const at = (series) => {
            const angles = (series?.columns ?? []).map((name) =>
                now ? series.last(name) : series.valueAt(name, time_s + this.origin_s(), REACH_S));
            return angles.every(Number.isFinite) ? angles : [];
        };
        const measured = at(this.rotation).slice(blocks.begin, blocks.end);
        return {measured: measured.length === blocks.end - blocks.begin ? measured : [], predicted: at(this.predicted.get(specimen))};
    }

    /** Of the platen at that time, m; NaN if not known. */
    positionAt(time_s) {
        const series = this.motion[this.axis];
        return time_s === undefined ? series.last('position') : series.valueAt('position', time_s + this.origin_s(), REACH_S);
    }

    /** Time since the origin of the measurement that is shown for that time: the nearest one. */
    sampleTime_s(time_s) {
        return this.motion[this.axis].sampleTime(time_s + this.origin_s(), REACH_S) - this.origin_s();
    }

    /** Places of a specimen's blocks in Feedback.rotation_rad. */
    blockRange(specimen) {
        const described = this.description.specimens?.[specimen];
        const begin = described?.first_rotation ?? 0;
        return {begin, end: begin + (described?.blocks?.length ?? 0)};
    }

    /** Limits of the drawn axis: stroke_m, velocity_max_m_s...; empty if not known. */
    limits() {
        return this.description.axes?.[this.axis] ?? {};
    }
}
