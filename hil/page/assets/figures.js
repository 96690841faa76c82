// Figures to save: what a strip chart shows, drawn as SVG with axes, legend and title; PNG is the same picture in pixels.
import {CHANNELS} from './channels.js';
import {envelope} from './series.js';
import {lineColour} from './strip_charts.js';

const WIDTH = 960, HEIGHT = 420, LEFT = 84, RIGHT = 20, TOP = 62, BOTTOM = 56, PNG_SCALE = 2;
const DASHES = {measured: '', commanded: '7 4', predicted: '2 3'};

export const escapeXml = (text) => String(text).replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Round numbers that divide [low, high] into about `count` parts. */
export function niceTicks(low, high, count) {
    const span = high - low;
    if (!(span > 0)) return [low];
    const raw = span / count, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw * 0.75);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; ++k) ticks.push(Number((k * step).toFixed(digits)));
    return ticks;
}

/** Letters, digits, point, hyphen and underscore are kept, everything else becomes one underscore. */
export const fileName = (words) => words.replace(/[^\p{L}\p{N}.-]+/gu, '_').replace(/^[_.]+|_+$/g, '').slice(0, 120) || 'run';

function curvesOf(channel, runs, [from_s, to_s]) {
    return runs.flatMap((run, runIndex) => channel.lines(run).map((line) => {
        const shift_s = run.origin_s();
        const points = envelope(line.series, line.name, {from_s: from_s + shift_s, to_s: to_s + shift_s, shift_s,
                                                         factor: channel.factor, buckets: 1200});
        const inside = points.filter(({x, y}) => x >= from_s && x <= to_s && Number.isFinite(y));
        const run_name = runs.length > 1 ? `${run.description.label ?? run.number}: ` : '';
        return {points: inside, label: run_name + line.label, dash: DASHES[line.role], colour: lineColour(line, runIndex, runs.length)};
    })).filter((curve) => curve.points.length > 1);
}

function axes(xTicks, yTicks, x, y) {
    const right = WIDTH - RIGHT, bottom = HEIGHT - BOTTOM;
    return xTicks.map((t) => `<path d="M${x(t)} ${TOP}V${bottom}" class="g"/><text x="${x(t)}" y="${bottom + 20}" text-anchor="middle">${t}</text>`).join('') +
           yTicks.map((t) => `<path d="M${LEFT} ${y(t)}H${right}" class="g"/><text x="${LEFT - 8}" y="${y(t) + 4}" text-anchor="end">${t}</text>`).join('') +
           `<rect x="${LEFT}" y="${TOP}" width="${right - LEFT}" height="${bottom - TOP}" fill="none" stroke="#333"/>`;
}

function legend(curves) {
    let at = LEFT;
    return curves.map((curve) => {
        const begin = at;
        at += 48 + 7.4 * curve.label.length;
        return `<path d="M${begin} 44h26" fill="none" stroke="${curve.colour}" stroke-width="2.2" stroke-dasharray="${curve.dash}"/>` +
               `<text x="${begin + 32}" y="48">${escapeXml(curve.label)}</text>`;
    }).join('');
}

/** A channel of the runs in [from_s, to_s] as the text of an SVG file; undefined where nothing is to be drawn. */
export function figureSvg(channel, runs, range) {
    const curves = curvesOf(channel, runs, range);
    if (curves.length === 0) return undefined;
    const values = curves.flatMap((curve) => [curve.points.reduce((least, p) => Math.min(least, p.y), Infinity),
                                              curve.points.reduce((most, p) => Math.max(most, p.y), -Infinity)]);
    let low = Math.min(...values), high = Math.max(...values);
    const grace = (high - low || Math.abs(high) || 1) * 0.05;
    low -= grace;
    high += grace;
    const x = (t) => +(LEFT + (t - range[0]) / (range[1] - range[0]) * (WIDTH - LEFT - RIGHT)).toFixed(2);
    const y = (v) => +(TOP + (high - v) / (high - low) * (HEIGHT - TOP - BOTTOM)).toFixed(2);
    const paths = curves.map((curve) => `<path d="M${curve.points.map((p) => `${x(p.x)} ${y(p.y)}`).join('L')}" fill="none" ` +
        `stroke="${curve.colour}" stroke-width="1.6" stroke-dasharray="${curve.dash}" stroke-linejoin="round"/>`).join('');
    const middle = (TOP + HEIGHT - BOTTOM) / 2;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans, Arial, sans-serif" font-size="13" fill="#111">` +
        `<style>.g{stroke:#ddd;fill:none}</style><rect width="100%" height="100%" fill="#fff"/>` +
        `<text x="${LEFT}" y="24" font-size="16">${escapeXml(titleOf(channel, runs))}</text>` + legend(curves) +
        axes(niceTicks(range[0], range[1], 8), niceTicks(low, high, 6), x, y) + paths +
        `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 12}" text-anchor="middle">time t since the start of the motion / s</text>` +
        `<text transform="translate(20 ${middle}) rotate(-90)" text-anchor="middle">${channel.title} / ${escapeXml(channel.unit)}</text></svg>\n`;
}

function titleOf(channel, runs) {
    const name = runs[0].description.name ?? '';
    return `${channel.title}${name ? `, ${name.length > 70 ? `${name.slice(0, 69)}…` : name}` : ''}`;
}

function save(blob, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function pixelsOf(svg) {
    const url = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'})), image = new Image();
    try {
        image.src = url;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = PNG_SCALE * WIDTH;
        canvas.height = PNG_SCALE * HEIGHT;
        canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
        return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
    } finally {
        URL.revokeObjectURL(url);
    }
}

/** Saves one file per channel; `format`: "svg" or "png". Returns the names. */
export async function saveFigures(format, runs, range, keys) {
    const names = [];
    const stem = fileName(runs.map((run) => run.description.label ?? run.description.name ?? 'run').join('_and_'));
    for (const channel of CHANNELS.filter((one) => keys.includes(one.key))) {
        const svg = runs.length > 0 ? figureSvg(channel, runs, range) : undefined;
        if (!svg) continue;
        const name = `${stem}_${channel.key}.${format}`;
        save(format === 'svg' ? new Blob([svg], {type: 'image/svg+xml'}) : await pixelsOf(svg), name);
        names.push(name);
    }
    return names;
}
