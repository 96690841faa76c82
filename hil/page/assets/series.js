// Columns of numbers that grow, and what of them a strip chart of so many pixels can show.

const FIRST_CAPACITY = 4096;

/** Samples (time, values) in the order of time; `columns` named values, NaN where there is none. */
export class Series {
    constructor(columns) {
        this.columns = columns;
        this.length = 0;
        this.capacity = FIRST_CAPACITY;
        this.time = new Float64Array(FIRST_CAPACITY);
        this.values = Object.fromEntries(columns.map((name) => [name, new Float32Array(FIRST_CAPACITY)]));
    }

    /** A time before the last one is not kept: device time never runs backwards in one recording. */
    push(time_s, sample) {
        if (this.length > 0 && time_s <= this.time[this.length - 1]) return;
        if (this.length === this.capacity) this.grow();
        this.time[this.length] = time_s;
        for (const name of this.columns) this.values[name][this.length] = sample[name] ?? NaN;
        ++this.length;
    }

    grow() {
        const larger = (old, Kind) => {
            const array = new Kind(2 * this.capacity);
            array.set(old);
            return array;
        };
        this.time = larger(this.time, Float64Array);
        for (const name of this.columns) this.values[name] = larger(this.values[name], Float32Array);
        this.capacity *= 2;
    }

    /** Index of the first sample at or after the time. */
    indexAt(time_s) {
        let low = 0, high = this.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.time[middle] < time_s) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** Index of the sample nearest to the time, if there is one within `reach_s`; else undefined. */
    nearestTo(time_s, reach_s) {
        const after = this.indexAt(time_s);
        const near = [after - 1, after].filter((i) => i >= 0 && i < this.length &&
                                                      Math.abs(this.time[i] - time_s) <= reach_s);
        near.sort((a, b) => Math.abs(this.time[a] - time_s) - Math.abs(this.time[b] - time_s));
        return near[0];
    }

    /** Of the sample nearest to the time, if there is one within `reach_s`. */
    valueAt(name, time_s, reach_s) {
        return this.values[name][this.nearestTo(time_s, reach_s)] ?? NaN;
    }

    /** Of the sample nearest to the time, if there is one within `reach_s`; else the time itself. */
    sampleTime(time_s, reach_s) {
        return this.time[this.nearestTo(time_s, reach_s)] ?? time_s;
    }

    last(name) {
        return this.length > 0 ? this.values[name][this.length - 1] : NaN;
    }

    lastTime() {
        return this.length > 0 ? this.time[this.length - 1] : NaN;
    }

    /** Largest absolute value in [from_s, to_s]; NaN without any. */
    peak(name, from_s = -Infinity, to_s = Infinity) {
        let peak = NaN;
        for (let i = this.indexAt(from_s); i < this.length && this.time[i] <= to_s; ++i) {
            const size = Math.abs(this.values[name][i]);
            if (!(size <= peak) && size === size) peak = size;
        }
        return peak;
    }
}

/**
 * The least and largest value of each of about `buckets` equal intervals, so that no peak is lost: fills `points`
 * ({x, y}, reused) and returns it. `shift_s` is taken off the times, `factor` multiplies the values. The intervals lie
 * on fixed places in time: a chart that moves does not flicker.
 */
export function envelope(series, name, {from_s, to_s, shift_s = 0, factor = 1, buckets = 600}, points = []) {
    const values = series.values[name], time = series.time;
    let count = 0;
    const put = (x, y) => {
        if (count < points.length) { points[count].x = x; points[count].y = y; }
        else points.push({x, y});
        ++count;
    };
    const begin = Math.max(0, series.indexAt(from_s) - 1), end = Math.min(series.length, series.indexAt(to_s) + 1);
    const step_s = (to_s - from_s) / buckets;
    if (end - begin <= 2 * buckets) {
        for (let i = begin; i < end; ++i) put(time[i] - shift_s, values[i] * factor);
    } else {
        for (let i = begin; i < end;) {
            const edge_s = (Math.floor(time[i] / step_s) + 1) * step_s;
            let least = i, most = i, j = i;
            for (; j < end && time[j] < edge_s; ++j) {
                if (values[j] < values[least] || Number.isNaN(values[least])) least = j;
                if (values[j] > values[most] || Number.isNaN(values[most])) most = j;
            }
            const first = Math.min(least, most), second = Math.max(least, most);
            put(time[first] - shift_s, values[first] * factor);
            if (second !== first) put(time[second] - shift_s, values[second] * factor);
            i = Math.max(j, i + 1);
        }
    }
    points.length = count;
    return points;
}
