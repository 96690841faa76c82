// Largest absolute values of histories that still grow: every sample is looked at once.

export class Peaks {
    constructor() {
        this.known = new Map();
    }

    /** Of all samples since from_s; NaN without any. Starts anew when from_s has changed. */
    of(series, name, from_s) {
        const byName = this.known.get(series) ?? this.known.set(series, new Map()).get(series);
        let state = byName.get(name);
        if (!state || state.from_s !== from_s) byName.set(name, state = {from_s, next: series.indexAt(from_s), peak: NaN});
        const values = series.values[name];
        for (; state.next < series.length; ++state.next) {
            const size = Math.abs(values[state.next]);
            if (size === size && !(size <= state.peak)) state.peak = size;
        }
        return state.peak;
    }
}
