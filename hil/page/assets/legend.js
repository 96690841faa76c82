// The legend of the charts: line styles, and the runs with their colours to switch on and off.
import {CHANNELS} from './channels.js';
import {lineColour} from './strip_charts.js';
import {byId, fixed, make, setText} from './words.js';

const SVG = 'http://www.w3.org/2000/svg';
const DASHES = {measured: '', commanded: '7 4', predicted: '2 3'};

function sample(colour, dash) {
    const svg = document.createElementNS(SVG, 'svg'), line = document.createElementNS(SVG, 'line');
    svg.setAttribute('viewBox', '0 0 44 12');
    for (const [key, value] of Object.entries({x1: 0, x2: 44, y1: 6, y2: 6, stroke: colour, 'stroke-width': 3.5, 'stroke-dasharray': dash}))
        line.setAttribute(key, value);
    svg.append(line);
    return svg;
}

function runLabel(shown, run, index) {
    const label = make('label'), box = make('input');
    box.type = 'checkbox';
    box.checked = !shown.hidden.has(run.number);
    box.onchange = () => shown.toggle(run.number);
    label.append(box, sample(lineColour({role: 'measured', index: 0}, index, 2), ''), make('span', '', run.description.label ?? run.number));
    return label;
}

/** Rebuilt only if something in it has changed. */
export function showLegend(shown, theme) {
    const runs = shown.visible(), holder = byId('legend'), many = runs.length > 1 || shown.runs.size > 1;
    const roles = new Map();
    for (const channel of CHANNELS) for (const run of runs) for (const line of channel.lines(run))
        if (line.series.length > 0 && channel.key !== 'tracking_error') {
            if (!line.block) roles.set(line.role, line);
            else if (line.role === 'predicted' || runs.length === 1) roles.set(line.role === 'predicted' ? line.role : line.label, line);
        }
    const key = JSON.stringify([theme, [...roles.keys()], runs.map((run) => run.number), shown.runs.size]);
    if (holder.key === key) return;
    holder.key = key;
    const styles = [...roles.values()].map((line) => {
        const label = make('label');
        label.append(sample(runs.length > 1 || (line.block && line.role === 'predicted') ? 'currentColor' : lineColour(line, 0, 1), DASHES[line.role]), make('span', '', line.block && line.role !== 'predicted' ? `${line.block} (rotation)` : line.role));
        return label;
    });
    let visible = 0;
    const names = many ? [...shown.runs.values()].map((run) => runLabel(shown, run, shown.hidden.has(run.number) ? 0 : visible++)) : [];
    holder.replaceChildren(...styles, ...names);
}

/** Values at the cursor: a line for each history, a column for each run. */
export function showReadings(charts, shown) {
    const table = byId('readings'), readings = charts.readings(), runs = shown.visible();
    table.hidden = readings.length === 0;
    if (readings.length === 0) return;
    setText(table.caption, `at t = ${fixed(shown.focus.sampleTime_s(charts.cursor_s), 4)} s`);
    const head = make('tr'), lines = new Map();
    head.append(make('th'), ...runs.map((run) => make('th', '', run.description.label ?? run.number)));
    for (const {runIndex, channel, line, text} of readings) {
        const name = `${channel.title}, ${line.label}`;
        if (!lines.has(name)) lines.set(name, runs.map(() => '–'));
        lines.get(name)[runIndex] = text;
    }
    table.tHead.replaceChildren(...(runs.length > 1 ? [head] : []));
    table.tBodies[0].replaceChildren(...[...lines].map(([name, texts]) => {
        const row = make('tr');
        row.append(make('td', '', name), ...texts.map((text) => make('td', '', text)));
        return row;
    }));
}
