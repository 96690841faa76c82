// For the tests of the page: a browser, the program `topple`, and folders to be taken away.
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const SKIPPED = 77;
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const installed = createRequire(join(process.env.TOPPLE_INTEROP_FOLDER, 'package.json'));

/** Ends this test as skipped (77) with the reason; as failed where nothing may be skipped. */
export function giveUp(why) {
    console.log(`the page cannot be tested: ${why}`);
    process.exit(process.env.TOPPLE_REQUIRE_INTEROP === '1' ? 1 : SKIPPED);
}

export const require = installed;

export async function openBrowser() {
    const executablePath = BROWSERS.find((path) => existsSync(path));
    if (!executablePath) giveUp('there is no chromium');
    const {chromium} = installed('playwright-core');
    return chromium.launch({executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage']});
}

export function scratchFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'topple_page_'));
    process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
    return folder;
}

const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Starts topple; `waitFor`: a pattern in what it prints. Returns {child, found, exit: Promise(code), text()}. */
export async function startTopple(program, words, waitFor) {
    const child = spawn(program, words, {stdio: ['ignore', 'pipe', 'pipe']});
    children.add(child);
    let text = '', settle;
    const seen = new Promise((resolve, reject) => { settle = {resolve, reject}; });
    const look = (chunk) => {
        text += chunk;
        const found = waitFor?.exec(text);
        if (found) settle.resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    const exit = new Promise((resolve) => child.on('exit', (code) => {
        children.delete(child);
        settle.reject(new Error(`topple ${words[0]} has ended (${code}): ${text}`));
        resolve(code);
    }));
    seen.catch(() => {});
    return {child, exit, text: () => text, found: waitFor ? await seen : undefined};
}

/** A block that rocks; `name`: any words. Returns the file. */
export function experimentFile(folder, name, {seed = 1, cycles = 1} = {}) {
    const file = join(folder, `experiment_${seed}.toml`);
    writeFileSync(file, `name = ${JSON.stringify(name)}
[[specimen]]
kind = "block"
width_m = 0.06
height_m = 0.27
mass_kg = 2.5692
restitution = { model = "fixed", value = 0.8 }
[excitation]
type = "sine"
amplitude_m_s2 = 3.0
frequency_hz = 4.0
cycles = ${cycles}
[table]
machine = "quanser-st-iii"
device = "sim:"
[simulation]
seed = ${seed}
`);
    return file;
}

/** A page that notes everything that must not happen: script errors, requests to elsewhere, violations of its policy. */
export async function watchedPage(browser, origin, options = {}) {
    const context = await browser.newContext({acceptDownloads: true, ...options}), page = await context.newPage();
    const noted = {errors: [], foreign: [], bytes: 0};
    page.on('pageerror', (error) => noted.errors.push(`${error.message} ${error.stack}`));
    page.on('console', (message) => message.type() === 'error' && noted.errors.push(message.text()));
    page.on('request', (request) => {
        if (!request.url().startsWith(origin) && !/^(blob|data):/.test(request.url())) noted.foreign.push(request.url());
    });
    page.on('response', (response) => {
        if (!response.url().endsWith('/test.json') && response.url().startsWith(origin))
            noted.bytes += Number(response.headers()['content-length'] ?? 0);
    });
    return {page, noted, context};
}
