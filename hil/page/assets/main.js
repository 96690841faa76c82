// The page: fetches the description of the test, listens to the server and draws, as often as the screen does.
import {showBanner} from './banner.js';
import {BlockView} from './block_view.js';
import {showCampaign, showProblems} from './campaign.js';
import {CHANNELS} from './channels.js';
import {Connection} from './connection.js';
import {readFaults} from './faults.js';
import {saveFigures} from './figures.js';
import {listenToKeys, listenToPointer} from './keys.js';
import {showLegend, showReadings} from './legend.js';
import {resultLines, showEvents, showForecast, showLimits, showResult} from './panels.js';
import {ShownRuns} from './shown_runs.js';
import {StripCharts} from './strip_charts.js';
import {byId, fixed, setText} from './words.js';

const PANELS_EVERY_MS = 100, LOADING_EVERY_MS = 400;
const THEMES = ['', 'dark', 'light'];

const shown = new ShownRuns();
const link = {open: false, ended: false, everOpen: false, age_s: Infinity, finished: false};
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
let faults = new Map(), arrived_ms = 0, opened_ms = Infinity, panels_ms = 0, drawn_ms = 0, session, lastResult = [], chosenTheme = '', untouched = true, changed = true;

async function fetchText(path) {
    const answer = await fetch(path, {cache: 'no-store'});
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.text();
}

async function describe() {
    try {
        shown.describe(JSON.parse(await fetchText('test.json')), location.search);
    } catch (error) {
        shown.describe({problems: [`this page could not learn what is shown: ${error.message}`]}, '');
    }
    link.finished = shown.isFinished();
    document.body.classList.toggle('live', !link.finished);
    document.title = `${shown.document.name ?? shown.focus?.description.name ?? 'test'} – Topple`;
    byId('watch-only').hidden = link.finished;
    const isReplay = Boolean(shown.focus?.description.replay_of);
    byId('is-live').hidden = isReplay;
    byId('is-replay').hidden = !isReplay;
    showProblems(shown);
    showCampaign(shown);
    for (const run of shown.runs.values()) run.onNewRecording = () => {
        if (run.hasStart()) lastResult = resultLines(run);  // else it was no test, only a table that stood
        describe();
    };
    changed = true;
}

const listener = {
    wants: (number) => shown.wants(number),
    onOpen(info) {
        if (session !== undefined && session !== info.sessionId) {
            shown.clear();
            describe();
        }
        session = info.sessionId;
        opened_ms = performance.now();
        Object.assign(link, {open: true, ended: false, everOpen: true});
    },
    onRecord(number, topic, record) {
        shown.runs.get(number)?.take(topic, record);
        if (topic === 'feedback') arrived_ms = performance.now();
        changed = true;
    },
    onStatus: (words, level) => level > 0 && console.warn(`server: ${words}`),
    onClose: ({ended}) => Object.assign(link, {open: false, ended: link.ended || ended}),
};

function applyTheme() {
    document.documentElement.dataset.theme = chosenTheme || (systemIsDark.matches ? 'dark' : 'light');
    charts.restyle();
    byId('legend').key = undefined;
    changed = true;
}

const charts = new StripCharts(byId('charts'), () => shown.visible());
const blocks = new BlockView(byId('block-view'));

function touch(action) {
    return () => {
        untouched = false;
        changed = true;
        action();
    };
}

function showAlone(index) {
    const holder = byId('charts'), figures = [...holder.querySelectorAll('figure')], chosen = figures[index];
    const back = holder.classList.contains('one') && chosen.classList.contains('chosen');
    figures.forEach((figure) => figure.classList.toggle('chosen', figure === chosen && !back));
    holder.classList.toggle('one', !back);
}

function figuresShown() {
    const holder = byId('charts');
    return holder.classList.contains('one') ? [holder.querySelector('.chosen').dataset.channel] : CHANNELS.map((one) => one.key);
}

const save = (format) => () => saveFigures(format, shown.visible(), charts.range(), figuresShown());
const otherAxis = () => {
    for (const run of shown.runs.values()) run.axis = (run.axis + 1) % Math.max(1, run.description.axes?.length ?? 1);
};

listenToKeys({
    Space: touch(() => (charts.following ? charts.freeze() : link.finished ? charts.showWhole() : charts.follow())),
    '+': touch(() => charts.zoom(0.5)), '=': touch(() => charts.zoom(0.5)), '-': touch(() => charts.zoom(2)),
    ArrowLeft: touch(() => charts.move(-0.25)), ArrowRight: touch(() => charts.move(0.25)),
    'Shift+ArrowLeft': touch(() => charts.moveCursor(-2)), 'Shift+ArrowRight': touch(() => charts.moveCursor(2)),
    Escape: touch(() => { charts.cursor_s = undefined; }), 0: touch(() => charts.showWhole()),
    1: () => showAlone(0), 2: () => showAlone(1), 3: () => showAlone(2), 4: () => showAlone(3),
    a: touch(otherAxis), r: touch(() => shown.focusNext()), s: save('svg'), p: save('png'),
    d: () => { chosenTheme = THEMES[(THEMES.indexOf(chosenTheme) + 1) % 3]; applyTheme(); },
    '?': () => byId('help').showModal(),
});
listenToPointer({charts: charts.charts, get following() { return charts.following; }, freeze: touch(() => charts.freeze()),
                 zoom: (factor, at) => touch(() => charts.zoom(factor, at))(), timeAt: (chart, x) => charts.timeAt(chart, x),
                 setRange: (from, to) => touch(() => charts.setRange(from, to))(),
                 set cursor_s(time_s) { touch(() => { charts.cursor_s = time_s; })(); }});

/** Why a chart has no lines. */
function whyEmpty(run) {
    if (shown.visible().some((one) => one.feedbackCount > 0)) return 'not measured';
    if (link.finished) return run.isLoading(link) ? 'loading' : 'no data';
    return 'no measurement yet';
}

function showChartHeads(run) {
    CHANNELS.forEach((channel, i) => {
        const caption = charts.charts[i].canvas.closest('figure').firstElementChild;
        if (caption.children.length === 0) caption.append(document.createElement('strong'), document.createElement('span'));
        caption.lastChild.className = 'value';
        setText(caption.firstChild, `${i + 1}  ${channel.title} (${channel.unit})`);
        const lines = channel.lines(run), measured = lines.filter((one) => one.role === 'measured');
        const values = (measured.length > 0 ? measured : lines).map((line) => fixed(line.series.last(line.name) * channel.factor, channel.digits));
        const isEmpty = !shown.visible().some((one) => channel.lines(one).some((line) => line.series.length > 0));
        const why = isEmpty ? whyEmpty(run) : '', figure = caption.parentElement;
        figure.classList.toggle('empty', isEmpty);
        if (figure.lastElementChild.dataset.why !== why) figure.lastElementChild.dataset.why = why;
        setText(caption.lastChild, isEmpty || link.finished ? '' : values.length === 0 ? 'not measured' : `${values.join(', ')} ${channel.unit}`);
    });
    const [from, to] = charts.range();
    const since = run.hasStart() ? 'since the start of the motion' : 'since the first measurement';
    const isNothing = shown.visible().every((one) => one.feedbackCount === 0);
    setText(byId('range-text'), isNothing ? whyEmpty(run) : `${fixed(from, 2)} to ${fixed(to, 2)} s ${since}`);
    byId('freeze').hidden = link.finished;
    setText(byId('freeze'), charts.following ? 'Freeze (space)' : '▮ FROZEN – space: follow again');
    byId('freeze').classList.toggle('on', !charts.following && !link.finished);
}

function showPanels(run) {
    showForecast(run, link);
    showLimits(run, link);
    const over = link.finished || run.stage === 'recorded' || run.stage === 'finished' || run.stage === 'returning' || Boolean(run.stop);
    const of = shown.visible().length > 1 ? ` of ${run.description.label ?? run.number}` : '';
    showResult(over ? resultLines(run) : lastResult, over ? `Result${of}` : 'Last result');
    showEvents(run);
    showLegend(shown, document.documentElement.dataset.theme);
    showReadings(charts, shown);
    showChartHeads(run);
    showBlocks(run);
}

function showBlocks(run) {
    const {drawn, measured, known, dashed} = blocks.draw(run, charts.cursor_s);
    byId('blocks').hidden = !drawn;
    const when = charts.cursor_s !== undefined ? `at ${fixed(run.sampleTime_s(charts.cursor_s), 4)} s, ` : '';
    const unknown = link.finished ? 'no rotation known: drawn at rest' : 'no rotation known yet: drawn at rest';
    setText(byId('blocks-source'), when + (!known ? unknown : !measured ? '⚠ PREDICTED, not measured' : dashed ? 'measured; dashed: predicted' : 'measured'));
    byId('blocks-source').classList.toggle('guess', known && !measured);
}

function frame(now_ms) {
    requestAnimationFrame(frame);
    link.age_s = (performance.now() - arrived_ms) / 1000;
    link.openFor_s = (performance.now() - opened_ms) / 1000;
    const run = shown.focus;
    if (!run) return;
    showBanner(run, link, faults);
    if (!changed && now_ms - panels_ms < PANELS_EVERY_MS) return;
    const loading = link.finished && link.age_s < 0.3;  // whole runs arrive as fast as they can
    if (link.finished && untouched) charts.showWhole();
    if (changed && (!loading || now_ms - drawn_ms > LOADING_EVERY_MS)) {
        drawn_ms = now_ms;
        blocks.draw(run, charts.cursor_s);
        charts.draw();
    }
    changed = changed && loading;
    if (now_ms - panels_ms < PANELS_EVERY_MS) return;
    panels_ms = now_ms;
    showPanels(run);
}

addEventListener('resize', applyTheme);
systemIsDark.addEventListener('change', applyTheme);
applyTheme();
[faults] = await Promise.all([fetchText('faults.md').then(readFaults).catch(() => new Map()), describe()]);
new Connection(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/`, listener);
requestAnimationFrame(frame);
globalThis.topplePage = {shown, charts, link};  // for tests
