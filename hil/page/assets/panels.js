// The panels beside the charts: forecast, limits, result, events. Each writes into its place in the page.
import {byId, duration, EVENTS, FAILED, fixed, make, outcomeByKey, OUTCOMES, percent, setText} from './words.js';

const BAD_EVENTS = new Set([9, 10, 11, 13, 14]);

/** Shares by outcome, most likely first, those of (nearly) nothing left out. */
function sharesOf(probability) {
    const known = OUTCOMES.map(({key}, i) => ({key, share: probability[i] ?? 0}));
    const failed = 1 - known.reduce((sum, one) => sum + one.share, 0);
    return [...known, {key: 'failed', share: failed}].filter((one) => one.share > 1e-3).sort((a, b) => b.share - a.share);
}

function sharesOfBlind(blind) {
    const probability = blind?.outcome_probability ?? blind?.probability ?? {};
    const isStack = 'total_overturning' in probability;  // then "overturning" is the sum of two others
    return Object.entries(probability).map(([key, share]) => ({key, share}))
        .filter((one) => one.share > 1e-3 && outcomeByKey(one.key) && !(isStack && one.key === 'overturning')).sort((a, b) => b.share - a.share);
}

function sharesBar(shares) {
    const bar = make('div', 'bar');
    for (const {key, share} of shares) {
        const part = make('span', `o-${key}`);
        part.style.flexBasis = `${100 * share}%`;
        bar.append(part);
    }
    return bar;
}

function forecastBlock(shares, blind, notes, title) {
    const block = make('div', title ? 'forecast small' : 'forecast');
    if (title) block.append(make('div', 'note', title));
    const first = outcomeByKey(shares[0].key) ?? FAILED;
    const head = make('div', 'likeliest');
    head.append(make('span', 'word', `${first.symbol} ${first.word}`), make('span', 'share', percent(shares[0].share)));
    block.append(head, sharesBar(shares));
    const list = make('ul', 'shares');
    for (const {key, share} of shares) {
        const before = blind.find((one) => one.key === key), line = make('li');
        line.append(make('span', `swatch o-${key}`), make('span', '', (outcomeByKey(key) ?? FAILED).word),
                    make('strong', '', percent(share)), make('span', 'blind', blind.length > 0 ? `before ${percent(before?.share ?? 0)}` : ''));
        list.append(line);
    }
    block.append(list, ...notes.filter(Boolean).map((words) => make('p', 'note', words)));
    return block;
}

function notesOf(forecast) {
    const side = forecast.overturning_left_probability, notes = [];
    const falls = (forecast.outcome_probability ?? []).slice(3, 6).reduce((sum, one) => sum + one, 0);
    if (falls > 0.005) notes.push(`falls to the left ${percent(side)}, to the right ${percent(falls - side)}`);
    if (forecast.expected_time_s !== undefined && falls > 0.5) notes.push(`fall expected at ${fixed(forecast.expected_time_s, 2)} s`);
    return notes;
}

/** Where there is no forecast: what is known of the time of the prediction. */
function notesOfBlind(run, link) {
    if (link.finished) return [run.isLoading(link) ? 'loading the test' : 'made before the test; there is no forecast from the test itself'];
    return [run.hasStart() ? 'made before the test' : 'made before the test; nothing has moved yet'];
}

/** Probabilities now, else those from before the test. Rebuilt only if they have changed. */
export function showForecast(run, link) {
    const count = Math.max(run.description.specimens?.length ?? 0, run.forecasts.size, run.description.blind?.length ?? 0);
    const entries = [];
    let newest;
    for (let i = 0; i < count; ++i) {
        const forecast = run.forecasts.get(i), blind = sharesOfBlind(run.description.blind?.[i]);
        const title = count > 1 ? `specimen ${i}` : '';
        if (forecast && forecast.outcome_probability.length > 0) {
            newest = forecast;
            entries.push({shares: sharesOf(forecast.outcome_probability), blind, notes: notesOf(forecast), title});
        } else if (blind.length > 0) entries.push({shares: blind, blind: [], notes: notesOfBlind(run, link), title});
    }
    const drawn = entries.filter((one) => one.shares.length > 0);
    setText(byId('outcome-title'), newest ? 'Forecast' : 'Prediction before the test');
    const age_s = newest ? newest.age_us * 1e-6 + (link.finished ? 0 : link.age_s) : NaN;
    const halted = run.stop || run.fault ? 'of the planned motion, which was stopped; ' : '';
    setText(byId('forecast-age'), newest ? halted + (link.finished ? 'the last one of the test' : `${duration(age_s)} old`) : '');
    const key = JSON.stringify(drawn.map(({shares, notes, title}) => [shares.map((one) => [one.key, percent(one.share)]), notes, title]));
    const holder = byId('forecasts');
    if (holder.key === key) return;
    holder.key = key;
    holder.replaceChildren(...(drawn.length > 0 ? drawn.map((one) => forecastBlock(one.shares, one.blind, one.notes, one.title))
                                                : [make('p', 'note', 'no prediction: nothing stands on the table, or none has arrived')]));
}

/** Stroke, velocity, acceleration, tracking error: now, largest of the motion, limit. */
export function showLimits(run, link) {
    const limits = run.limits(), series = run.motion[run.axis], from = run.hasStart() ? run.start_s : -Infinity;
    const one = (name, column, limit, unit, factor, digits, of = '') => ({name, of, now: link.finished ? undefined : Math.abs(series.last(column)) * factor, unit, digits,
        peak: run.peaks.of(series, column, from) * factor, limit: limit * factor});
    const rows = [one('stroke', 'position', limits.stroke_m, 'mm', 1000, 1),
                  one('velocity', 'velocity', limits.velocity_max_m_s, 'm/s', 1, 2, 'commanded: '),
                  one('acceleration', 'setpointAcceleration', limits.acceleration_max_m_s2, 'm/s²', 1, 1, 'commanded: '),
                  one('tracking error', 'error', limits.following_error_max_m, 'mm', 1000, 2)];
    setText(byId('limits-since'), sinceWhen(run, link));
    const holder = byId('limit-bars');
    if (holder.children.length === 0) rows.forEach(() => holder.append(...limitRow()));
    rows.forEach((row, i) => fillLimit(holder.children[2 * i], holder.children[2 * i + 1], row));
}

/** What "largest" counts from. */
function sinceWhen(run, link) {
    if (link.finished) return '';
    if (run.isLate()) return 'largest since this page was opened';
    return run.hasStart() ? 'largest since the motion began' : '';
}

function limitRow() {
    const head = make('dt'), body = make('dd'), gauge = make('div', 'gauge');
    head.append(make('span'), make('strong'));
    gauge.append(make('div', 'now'), make('div', 'peak'));
    body.append(gauge, make('small'));
    return [head, body];
}

function fillLimit(head, body, row) {
    const used = row.peak / row.limit, gauge = body.firstChild;
    setText(head.firstChild, row.name);
    setText(head.lastChild, Number.isFinite(used) ? percent(used) : '–');
    gauge.className = used > 1 ? 'gauge over' : used > 0.8 ? 'gauge near' : 'gauge';
    const place = (value) => `${Math.min(100, Math.max(0, 100 * (Number.isFinite(value) ? value : 0)))}%`;
    gauge.firstChild.style.width = place(row.now / row.limit);
    gauge.lastChild.hidden = !Number.isFinite(used);
    gauge.lastChild.style.left = `min(${place(used)}, calc(100% - 4px))`;
    const warning = used > 1 ? '⚠ beyond the limit: ' : used > 0.8 ? '⚠ near the limit: ' : '';
    const now = row.now === undefined ? '' : `now ${fixed(row.now, row.digits)}, `;
    const largest = Number.isFinite(row.peak) ? `${now}largest ${fixed(row.peak, row.digits)} of` : 'at most';
    setText(body.lastChild, `${warning}${row.of}${largest}\u00a0${fixed(row.limit, row.digits)}\u00a0${row.unit}`);
}

/** Pairs of what a finished test has brought. */
export function resultLines(run) {
    const lines = [], result = run.description.result;
    if (result?.outcome) lines.push(['measured', `${outcomeByKey(result.outcome)?.symbol ?? ''} ${outcomeByKey(result.outcome)?.word ?? result.outcome}${result.side ? `, ${result.side}` : ''}`]);
    if (result?.predicted) lines.push(['predicted', outcomeByKey(result.predicted)?.word ?? result.predicted]);
    if (result?.verdict) lines.push(['verdict', result.verdict]);
    const from = run.hasStart() ? run.start_s : -Infinity;
    const rotation = (result?.peak_rotation_rad ?? (run.rotation?.columns ?? []).map((name) => run.peaks.of(run.rotation, name, from)))
        .map((value) => fixed(value ?? NaN, 4));
    if (rotation.length > 0) lines.push([result?.peak_rotation_rad ? 'peak rotation' : 'largest rotation', `${rotation.join(', ')} rad`]);
    const error = run.motion[run.axis].peak('error', run.start_s, run.done_s);
    if (Number.isFinite(error)) lines.push(['tracking error', `at most ${fixed(1000 * error, 3)} mm`]);
    if (run.isLate() && !result && lines.length > 0) lines.push(['counted', 'since this page was opened']);
    if (run.cyclesMissed > 0) lines.push(['host', `${run.cyclesMissed} cycles missed`]);
    return lines;
}

export function showResult(lines, title) {
    const holder = byId('result-lines'), key = JSON.stringify([lines, title]);
    byId('result').hidden = lines.length === 0;
    if (holder.key === key) return;
    holder.key = key;
    setText(byId('result-title'), title);
    holder.replaceChildren(...lines.flatMap(([name, value]) => [make('dt', '', name), make('dd', '', value)]));
}

/** The newest first. */
export function showEvents(run) {
    const holder = byId('event-lines'), key = `${run.number} ${run.events.length} ${run.origin_s()}`;
    if (holder.key === key) return;
    holder.key = key;
    holder.replaceChildren(...[...run.events].sort((a, b) => b.time_s - a.time_s).slice(0, 100).map((event) => {
        const line = make('li', BAD_EVENTS.has(event.kind) ? 'bad' : '');
        const name = EVENTS[event.kind] ?? `event ${event.kind}`;
        line.append(make('time', '', `${fixed(event.time_s - run.origin_s(), 2)} s`),
                    make('span', '', `${BAD_EVENTS.has(event.kind) ? '⚠ ' : ''}${name}${event.text ? `: ${event.text}` : ''}`));
        return line;
    }));
}
