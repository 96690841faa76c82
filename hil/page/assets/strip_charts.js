// The strip charts on the page (Chart.js): which part of time they show, frozen or following, and the cursor.
import {CHANNELS} from './channels.js';
import {envelope} from './series.js';
import {fixed} from './words.js';

const BUCKETS = 500, BUCKETS_MOVING = 200;  // intervals of time; strokes are what a frame costs
const LEAST_SPAN_S = 0.02;
const DASHES = {measured: [], commanded: [7, 4], predicted: [2, 3]};
const WIDTHS = {measured: 1.5, commanded: 1.5, predicted: 2};

let known = new Map();  // of the present theme: asking the browser for a style in every frame costs as much as the drawing

export function colours(name) {
    if (!known.has(name)) known.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
    return known.get(name);
}

/** Colour of a line: by what it is; where several runs lie over each other, by the run. */
export function lineColour(line, runIndex, runCount) {
    if (runCount > 1) return colours(`--run-${runIndex % 6}`);
    if (line.block) return colours(`--run-${line.index % 6}`);
    return colours(`--${line.role}`);
}

/** What lies over the lines: limits, the start of the motion, the cursor. */
function marksOver(view, channel) {
    const stroke = (ctx, colour, dash, from, to) => {
        ctx.save();
        ctx.strokeStyle = colour;
        ctx.setLineDash(dash);
        ctx.beginPath();
        ctx.moveTo(...from);
        ctx.lineTo(...to);
        ctx.stroke();
        ctx.restore();
    };
    const afterDatasetsDraw = ({ctx, chartArea: area, scales}) => {
        for (const limit of view.limitsOf(channel)) {
            if (limit < scales.y.min || limit > scales.y.max) continue;
            const y = scales.y.getPixelForValue(limit);
            stroke(ctx, colours('--limit'), [10, 4, 2, 4], [area.left, y], [area.right, y]);
        }
        const mark = (time_s, colour, dash) => {
            if (!(time_s >= scales.x.min && time_s <= scales.x.max)) return;
            const x = scales.x.getPixelForValue(time_s);
            stroke(ctx, colour, dash, [x, area.top], [x, area.bottom]);
        };
        mark(0, colours('--ink-faint'), [2, 4]);
        mark(view.cursor_s, colours('--ink'), []);
    };
    return {id: 'marks', afterDatasetsDraw};
}

export class StripCharts {
    /** `holder`: an element with a canvas per channel; runs(): those to draw. */
    constructor(holder, runs) {
        this.runs = runs;
        this.following = true;
        this.span_s = 10;
        this.from_s = 0;
        this.cursor_s = undefined;
        this.frames = 0;
        this.letter = 14;  // size of the letters, pixels
        this.charts = CHANNELS.map((channel) => this.makeChart(holder, channel));
    }

    makeChart(holder, channel) {
        const canvas = holder.querySelector(`[data-channel="${channel.key}"] canvas`);
        const chart = new Chart(canvas, {
            type: 'line',
            data: {datasets: []},
            options: {
                animation: false, parsing: false, normalized: true, responsive: true, maintainAspectRatio: false, events: [],
                elements: {point: {radius: 0}, line: {tension: 0, borderJoinStyle: 'round'}},
                scales: {x: {type: 'linear', ticks: {maxRotation: 0, includeBounds: false}},
                         y: {type: 'linear', ticks: {maxTicksLimit: 6}, grace: '5%', afterFit: (scale) => { scale.width = this.axisWidth(); }}},
                plugins: {legend: {display: false}, tooltip: {enabled: false}},
            },
            plugins: [marksOver(this, channel)],
        });
        chart.channel = channel;
        return chart;
    }

    axisWidth() {
        return 5.2 * this.letter;
    }

    /** Colours and letters of the present theme. */
    restyle() {
        known = new Map();
        this.letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.8;
        const size = this.letter;
        for (const chart of this.charts) {
            for (const scale of Object.values(chart.options.scales)) {
                scale.ticks.color = colours('--ink-soft');
                scale.ticks.font = {size};
                scale.grid = {color: colours('--grid'), borderColor: colours('--ink-faint')};
            }
            chart.data.datasets.forEach((dataset) => { dataset.lineKey = ''; });
        }
    }

    /** Limits to draw where they are near: only the tracking error has its bound in the same picture. */
    limitsOf(channel) {
        const limits = this.runs()[0]?.limits() ?? {};
        if (channel.key === 'tracking_error' && Number.isFinite(limits.following_error_max_m))
            return [1, -1].map((sign) => sign * limits.following_error_max_m * channel.factor);
        if (channel.key === 'displacement' && Number.isFinite(limits.stroke_m))
            return [1, -1].map((sign) => sign * limits.stroke_m * channel.factor);
        return [];
    }

    /** All of the runs, in the time of the axis. */
    whole() {
        const ends = this.runs().filter((run) => Number.isFinite(run.firstTime_s()))
            .map((run) => [run.firstTime_s() - run.origin_s(), run.now_s() - run.origin_s()]);
        return ends.length > 0 ? [Math.min(...ends.map((end) => end[0])), Math.max(...ends.map((end) => end[1]))] : [0, 1];
    }

    range() {
        if (!this.following) return [this.from_s, this.from_s + this.span_s];
        const [, end] = this.whole();
        return [end - this.span_s, end];
    }

    freeze() {
        [this.from_s] = this.range();
        this.following = false;
    }

    follow() {
        this.following = true;
        this.cursor_s = undefined;
        this.span_s = Math.min(this.span_s, 120);
    }

    /** Everything, frozen. */
    showWhole() {
        const [from, to] = this.whole();
        this.setRange(from, to);
    }

    setRange(from_s, to_s) {
        this.following = false;
        this.from_s = from_s;
        this.span_s = Math.max(LEAST_SPAN_S, to_s - from_s);
    }

    /** `factor` < 1 shows less; about `centre_s`, else cursor or middle. */
    zoom(factor, centre_s) {
        if (this.following) {
            this.span_s = Math.min(120, Math.max(1, this.span_s * factor));
            return;
        }
        const [from, to] = this.range(), [first, last] = this.whole();
        const centre = centre_s ?? (this.cursor_s >= from && this.cursor_s <= to ? this.cursor_s : (from + to) / 2);
        const span = Math.min(Math.max(LEAST_SPAN_S, this.span_s * factor), Math.max(1, last - first));
        this.setRange(centre - (centre - from) * span / this.span_s, centre + (to - centre) * span / this.span_s);
    }

    move(ratio) {
        if (this.following) this.freeze();
        this.from_s += ratio * this.span_s;
    }

    moveCursor(pixels) {
        if (this.following) this.freeze();
        const [from, to] = this.range(), area = this.charts[0].chartArea;
        const step = (to - from) / Math.max(100, area ? area.right - area.left : 100);
        this.cursor_s = (this.cursor_s ?? (from + to) / 2) + pixels * step;
        if (this.cursor_s < from || this.cursor_s > to) this.from_s = this.cursor_s - this.span_s / 2;
    }

    timeAt(chart, clientX) {
        const box = chart.canvas.getBoundingClientRect();
        return chart.scales.x.getValueForPixel(clientX - box.left);
    }

    draw() {
        const [from, to] = this.range(), runs = this.runs();
        for (const chart of this.charts) {
            if (chart.canvas.offsetParent === null) continue;  // not shown
            this.fill(chart, runs, from, to);
            chart.options.scales.x.min = from;
            chart.options.scales.x.max = to;
            chart.update('none');
        }
        ++this.frames;
    }

    fill(chart, runs, from, to) {
        let place = 0;
        const datasets = chart.data.datasets;
        runs.forEach((run, runIndex) => {
            const shift_s = run.origin_s();
            for (const line of chart.channel.lines(run)) {
                const dataset = datasets[place] ?? (datasets[place] = {data: [], lineKey: ''});
                this.dress(dataset, line, runIndex, runs.length);
                envelope(line.series, line.name, {from_s: from + shift_s, to_s: to + shift_s, shift_s,
                                                  factor: chart.channel.factor,
                                                  buckets: this.following ? BUCKETS_MOVING : BUCKETS}, dataset.data);
                ++place;
            }
        });
        if (datasets.length > place) datasets.length = place;
    }

    dress(dataset, line, runIndex, runCount) {
        const key = `${line.label} ${runIndex} ${runCount}`;
        if (dataset.lineKey === key) return;
        dataset.lineKey = key;
        dataset.borderColor = lineColour(line, runIndex, runCount);
        dataset.borderDash = DASHES[line.role];
        dataset.borderWidth = WIDTHS[line.role];
        dataset.spanGaps = false;
        dataset.data = [];
    }

    /** Values at the cursor: [{run, channel, line, text}]. */
    readings() {
        if (this.cursor_s === undefined) return [];
        return this.runs().flatMap((run, runIndex) => CHANNELS.flatMap((channel) => channel.lines(run).map((line) => {
            const value = line.series.valueAt(line.name, this.cursor_s + run.origin_s(), 0.02);
            return {runIndex, channel, line, text: `${fixed(value * channel.factor, channel.digits)} ${channel.unit}`};
        })));
    }
}
