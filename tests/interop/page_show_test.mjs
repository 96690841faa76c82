// `topple show RUN ...` in a real browser: runs over each other, zoom, cursor, saved figures, torn and foreign folders.
// usage: page_show_test.mjs TOPPLE
import assert from 'node:assert/strict';
import {cpSync, mkdirSync, readFileSync, rmSync, truncateSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {experimentFile, openBrowser, scratchFolder, startTopple, watchedPage} from './page_support.mjs';

const HOSTILE = '</title><img src=x onerror="window.hacked=1">';
const [, , topple] = process.argv, folder = scratchFolder();
const browser = await openBrowser();

const runs = ['one', 'two'].map((name) => join(folder, name));
for (const [i, run] of runs.entries()) {
    const made = await startTopple(topple, ['run', experimentFile(folder, HOSTILE, {seed: i + 1}), '--out', run]);
    assert.equal(await made.exit, 0, made.text());
}
const torn = join(folder, 'torn'), empty = join(folder, 'nothing');
cpSync(runs[0], torn, {recursive: true});
truncateSync(join(torn, 'run.mcap'), Math.floor(statSync(join(torn, 'run.mcap')).size / 2));
mkdirSync(empty);
writeFileSync(join(empty, 'summary.json'), '{"status": <script>window.hacked = 3</script>');

const show = await startTopple(topple, ['show', ...runs, torn, empty, '--live', '127.0.0.1:0'], /(http:\S+\/)\n/);
assert.match(show.text(), /torn: the log has no end/);
assert.match(show.text(), /nothing: there is no run.mcap/);
const origin = show.found[1];
const {page, noted} = await watchedPage(browser, origin, {viewport: {width: 1600, height: 900}});
await page.goto(origin);

// Whole runs arrive; they lie over each other, aligned at the start of the motion.
await page.waitForFunction(() => globalThis.topplePage && [...topplePage.shown.runs.values()].slice(0, 3).every((run) => run.feedbackCount > 1000) &&
    topplePage.link.age_s > 1, undefined, {timeout: 60000});
const starts = await page.evaluate(() => [...topplePage.shown.runs.values()].slice(0, 2).map((run) => run.firstTime_s() - run.origin_s()));
assert.ok(starts.every((start) => start < -1 && Math.abs(start - starts[0]) < 0.5), `${starts}`);
assert.equal(await page.textContent('#state-word'), 'FINISHED');
assert.equal(await page.locator('#legend input').count(), 4);
const problems = await page.textContent('#problems');
assert.match(problems, /torn: the log has no end/);
assert.match(problems, /nothing: .*no run\.mcap/);

// Zoom and cursor by keys.
await page.keyboard.press('0');
const spans = [];
for (const key of ['+', '+', '-']) {
    await page.keyboard.press(key);
    spans.push(await page.evaluate(() => topplePage.charts.span_s));
}
assert.ok(spans[1] < spans[0] && Math.abs(spans[2] - spans[0]) < 1e-9);
await page.keyboard.press('Shift+ArrowRight');
await page.waitForSelector('#readings:not([hidden]) td');
assert.match(await page.textContent('#readings'), /displacement, measured[^a-z]* mm/);
await page.evaluate(() => { topplePage.charts.cursor_s = 0.0625; });  // the crest of the sine
await page.keyboard.press('a');  // there is no other axis: only drawn anew
await page.waitForFunction(() => /acceleration, commanded(2\.9|3\.0)/.test(document.getElementById('readings').textContent));

// Drag shows that part; the picture alone; back to all.
const box = await page.locator('[data-channel="rotation"] canvas').boundingBox();
await page.mouse.move(box.x + 0.4 * box.width, box.y + 20);
await page.mouse.down();
await page.mouse.move(box.x + 0.6 * box.width, box.y + 30, {steps: 3});
await page.mouse.up();
assert.ok(await page.evaluate(() => topplePage.charts.span_s) < 0.35 * spans[0]);

// One run off, one file per channel, named by run and channel; SVG without anything that could run, PNG a picture.
await page.locator('#legend input').nth(2).uncheck();
await page.locator('#legend input').nth(3).uncheck();
await page.keyboard.press('0');
const saved = async (key, count) => {
    const got = [];
    page.on('download', (one) => got.push(one));
    await page.locator('body').press(key);
    for (let tries = 0; got.length < count && tries < 100; ++tries) await page.waitForTimeout(100);
    page.removeAllListeners('download');
    return Promise.all(got.map(async (one) => ({name: one.suggestedFilename(), bytes: readFileSync(await one.path())})));
};
const svgs = await saved('s', 4);
assert.deepEqual(svgs.map((one) => one.name).sort(), ['acceleration', 'displacement', 'rotation', 'tracking_error'].map((key) => `one_and_two_${key}.svg`));
for (const {bytes} of svgs) {
    const text = bytes.toString();
    assert.ok(text.startsWith('<svg') && !/<(img|script)|onerror="/.test(text));
    assert.match(text, /two: measured/);
}
const pngs = await saved('p', 4);
assert.equal(pngs.length, 4);
for (const {name, bytes} of pngs) assert.ok(name.endsWith('.png') && bytes.readUInt32BE(0) === 0x89504e47 && bytes.length > 5000);

// A folder whose log is gone: its prediction and result, and charts that say that there is nothing.
const unlogged = join(folder, 'unlogged');
cpSync(runs[0], unlogged, {recursive: true});
rmSync(join(unlogged, 'run.mcap'));
const bare = await startTopple(topple, ['show', unlogged, '--live', '127.0.0.1:0'], /(http:\S+\/)\n/), third = await watchedPage(browser, bare.found[1]);
await third.page.goto(bare.found[1]);
await third.page.waitForFunction(() => document.getElementById('range-text').textContent === 'no data', undefined, {timeout: 20000});
assert.equal(await third.page.locator('#charts figure.empty').count(), 4);
assert.match(await third.page.textContent('#forecasts'), /made before the test; there is no forecast from the test itself/);
assert.deepEqual(third.noted.errors, []);
bare.child.kill('SIGINT');

// A campaign: its tests with links into the runs, its figures; nothing in them runs, not even where one is opened by itself.
const campaign = join(folder, 'campaign');
cpSync(runs[0], join(campaign, 'runs', '0001'), {recursive: true});
cpSync(runs[1], join(campaign, 'runs', '0002'), {recursive: true});
writeFileSync(join(campaign, 'tests.csv'), 'test,run,status,excitation.amplitude_m_s2,outcome\n1,runs/0001,done,3,rocking\n' +
    '2,runs/0002,done,"<img src=x onerror=""window.hacked=4"">",rocking\n3,runs/00');
writeFileSync(join(campaign, 'stability.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>document.documentElement.setAttribute("hacked", 1)</script></svg>');
const listed = await startTopple(topple, ['show', campaign, '--live', '127.0.0.1:0'], /(http:\S+\/)\n/), second = await watchedPage(browser, listed.found[1]);
await second.page.goto(listed.found[1]);
await second.page.waitForFunction(() => globalThis.topplePage?.shown.focus?.feedbackCount > 500, undefined, {timeout: 30000});
assert.equal(await second.page.locator('#campaign-tests tbody tr').count(), 2, 'a torn line is none');
assert.match(await second.page.textContent('#campaign-tests'), /<img src=x onerror="window.hacked=4">/);
await second.page.click('#campaign-tests a >> nth=1');
await second.page.waitForFunction(() => globalThis.topplePage?.shown.focus?.number === '2' && topplePage.shown.focus.feedbackCount > 500, undefined, {timeout: 30000});
assert.ok(await second.page.evaluate(() => document.querySelector('#campaign-figures img').naturalWidth > 0 && !window.hacked));
assert.deepEqual(second.noted.errors, []);
await second.page.goto(`${listed.found[1]}campaign/figure_1.svg`);
assert.equal(await second.page.evaluate(() => document.documentElement.getAttribute('hacked')), null, 'a script in a figure ran');
listed.child.kill('SIGINT');

assert.ok(!(await page.evaluate(() => window.hacked)), 'text of a file ran as script');
assert.deepEqual(noted.errors, []);
assert.deepEqual(noted.foreign.filter((url) => !url.startsWith(origin.replace('http', 'ws'))), []);

// The port is taken: said before anything else, exit code 2. Nothing to show: the reasons.
const port = new URL(origin).port;
const refused = await startTopple(topple, ['show', runs[0], '--live', `127.0.0.1:${port}`]);
assert.equal(await refused.exit, 2);
assert.match(refused.text(), new RegExp(`--live 127.0.0.1:${port}: `));
const nothing = await startTopple(topple, ['show', empty, '--live', '127.0.0.1:0']);
assert.equal(await nothing.exit, 2);
assert.match(nothing.text(), /nothing can be shown/);
show.child.kill('SIGINT');
assert.equal(await show.exit, 0);
await browser.close();
console.log('ok');
process.exit(0);
