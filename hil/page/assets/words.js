// The words of the page: states, outcomes, numbers with units.

/** Of the device, by DeviceState of log.proto. */
export const DEVICE_STATES = ['idle', 'homing', 'ready', 'armed', 'running', 'stopping', 'faulted', 'estop'];

/** By EventKind of log.proto. */
export const EVENTS = {1: 'recording starts', 2: 'positioning starts', 3: 'motion starts', 4: 'motion done', 5: 'settled',
    6: 'recording ends', 7: 'return starts', 8: 'return done', 9: 'stop requested', 10: 'fault', 11: 'link lost',
    12: 'remark', 13: 'clock jump', 14: 'time skip', 15: 'recording cut', 16: 'protective ending'};

/** By Outcome of log.proto: word, symbol and the class of its colour. */
export const OUTCOMES = [
    {key: 'translation', word: 'translation', symbol: '▭'}, {key: 'sliding', word: 'sliding', symbol: '⇆'},
    {key: 'rocking', word: 'rocking', symbol: '◇'}, {key: 'overturning', word: 'overturning', symbol: '▼'},
    {key: 'partial_overturning', word: 'partial overturning', symbol: '◣'},
    {key: 'total_overturning', word: 'total overturning', symbol: '▼'}];
export const FAILED = {key: 'failed', word: 'no solution', symbol: '?'};
export const outcomeByKey = (key) => OUTCOMES.find((one) => one.key === key) ?? (key === 'failed' ? FAILED : undefined);

/** A number with a fixed count of digits behind the point; a dash if there is none. */
export function fixed(value, digits) {
    if (!Number.isFinite(value)) return '–';
    const text = value.toFixed(digits);
    return (Number(text) === 0 ? text.replace('-', '') : text).replace('-', '−');
}

export const percent = (ratio) => {
    if (!Number.isFinite(ratio)) return '–';
    if (ratio > 0 && ratio < 0.005) return '<\u00a01\u00a0%';
    if (ratio < 1 && ratio > 0.995) return '>\u00a099\u00a0%';
    return `${Math.round(100 * ratio)}\u00a0%`;
};

/** An age or a duration as people say it. */
export function duration(seconds) {
    if (!Number.isFinite(seconds)) return '–';
    if (seconds < 0.0995) return `${Math.round(1000 * seconds)} ms`;
    if (seconds < 99.95) return `${seconds.toFixed(1)} s`;
    return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** The place of an element in the page; a missing one is a mistake of this page. */
export const byId = (id) => document.getElementById(id);

/** Writes only what has changed: what does not change costs no layout. */
export function setText(element, words) {
    if (element.textContent !== words) element.textContent = words;
}

/** A new element with its class and text; text is never taken as HTML. */
export function make(name, className = '', words = '') {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (words) element.textContent = words;
    return element;
}
