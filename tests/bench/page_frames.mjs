// Frames per second of the strip charts in headless Chromium while a run of a minute is watched at 500 Hz.
// usage: TOPPLE_INTEROP_FOLDER=build/release/tests/interop node tests/bench/page_frames.mjs TOPPLE [SECONDS]
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {openBrowser, scratchFolder, startTopple, watchedPage} from '../interop/page_support.mjs';

const [, , topple, seconds = '60'] = process.argv, folder = scratchFolder(), file = join(folder, 'minute.toml');
writeFileSync(file, `name = "a minute"
[[specimen]]
kind = "block"
width_m = 0.06
height_m = 0.27
mass_kg = 2.5692
[excitation]
type = "harmonic"
displacement_m = 0.01
frequency_hz = 2.0
ramp_cycles = 2
cycles = ${2 * Number(seconds) + 10}
[table]
machine = "quanser-st-iii"
device = "sim:"
`);
const browser = await openBrowser();
const run = await startTopple(topple, ['run', file, '--out', join(folder, 'run'), '--live', '127.0.0.1:0'], /live: (http:\S+\/)/);
const {page, noted} = await watchedPage(browser, run.found[1], {viewport: {width: 1920, height: 1080}});
await page.goto(run.found[1]);
await page.waitForFunction(() => globalThis.topplePage?.shown.focus?.stage === 'motion', undefined, {timeout: 60000});
const counts = [], look = () => page.evaluate(() => [topplePage.charts.frames, topplePage.shown.focus.feedbackCount, performance.now()]);
counts.push(await look());
for (let i = 0; i < Number(seconds); ++i) {
    await page.waitForTimeout(1000);
    counts.push(await look());
}
const errors = noted.errors.length;
run.child.kill('SIGKILL');
await browser.close();
const rates = counts.slice(1).map(([frames, , now], i) => (frames - counts[i][0]) / (now - counts[i][2]) * 1000).sort((a, b) => a - b);
const first = counts[0], last = counts.at(-1), span_s = (last[2] - first[2]) / 1000;
console.log(`strip charts: ${((last[0] - first[0]) / span_s).toFixed(1)} frames/s over ${span_s.toFixed(1)} s; slowest second ${rates[0].toFixed(1)}, median ${rates[rates.length >> 1].toFixed(1)}`);
console.log(`feedback received: ${((last[1] - first[1]) / span_s).toFixed(1)} per second; script errors: ${errors}; aimed at: 30 frames/s`);
process.exit(0);
