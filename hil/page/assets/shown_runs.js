// Which runs the page shows: the live one, or those of test.json that the address names (?runs=1,3).
import {Run} from './run.js';

const SHOWN_AT_ONCE = 6;

export class ShownRuns {
    constructor() {
        this.document = {};
        this.runs = new Map();
        this.hidden = new Set();
        this.focus = undefined;  // whose state, forecast and limits are shown
    }

    isFinished() {
        return Array.isArray(this.document.runs);
    }

    /** Takes test.json; runs known already keep what has arrived. */
    describe(document, search) {
        this.document = document;
        if (!this.isFinished()) return this.add('', document);
        const asked = new URLSearchParams(search).get('runs');
        const all = document.runs.map((_, i) => `${i + 1}`);
        const chosen = asked ? asked.split(',').filter((one) => all.includes(one))
                             : all.slice(0, document.campaign ? 1 : SHOWN_AT_ONCE);
        for (const number of chosen) this.add(number, document.runs[Number(number) - 1]);
    }

    add(number, description) {
        const known = this.runs.get(number);
        if (known) known.description = description;
        else this.runs.set(number, new Run(number, description));
        this.focus ??= this.runs.get(number);
    }

    wants(number) {
        return this.runs.has(number);
    }

    visible() {
        return [...this.runs.values()].filter((run) => !this.hidden.has(run.number));
    }

    /** Shows or hides a run; the last visible one stays. */
    toggle(number) {
        if (this.hidden.has(number)) this.hidden.delete(number);
        else if (this.visible().length > 1) this.hidden.add(number);
        if (this.hidden.has(this.focus.number)) [this.focus] = this.visible();
    }

    /** The next visible run becomes the one whose state is shown. */
    focusNext() {
        const runs = this.visible();
        this.focus = runs[(runs.indexOf(this.focus) + 1) % runs.length];
    }

    clear() {
        for (const run of this.runs.values()) run.clear();
    }
}
