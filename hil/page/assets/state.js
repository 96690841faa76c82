// What the big word of the page says: the state of table, test and connection as one word, symbol and colour.

/** Seconds without a measurement after which what is shown counts as old. */
export const STALE_AFTER_S = 1;

const MOVES = {motion: ['MOTION', 'the test: stay clear of the table'],
               positioning: ['POSITIONING', 'a gentle move to the start position'],
               returning: ['RETURNING', 'a gentle move back']};

const state = (kind, symbol, word, detail) => ({kind, symbol, word, detail});

/** `fault`: {name} of the latched fault. The drive may still hold: only the device's state says so. */
function stopped(run, fault) {
    const name = fault?.name ? fault.name.replaceAll('_', ' ') : '';
    if (run.deviceState() === 'estop') return state('fault', '✖', 'EMERGENCY STOP', 'the drive is off');
    if (run.deviceState() === 'faulted') return state('fault', '✖', 'FAULT', name);
    if (run.deviceState() === 'stopping') return state('fault', '■', 'STOPPING', name || 'a controlled stop is under way');
    if (run.fault) return state('fault', '✖', 'FAULT', run.fault.text);
    if (run.stop) return state('fault', '■', 'STOPPED', run.stop.text);
    return undefined;
}

function ofStage(run) {
    const device = run.deviceState();
    if (device === 'homing') return state('moves', '▶', 'HOMING', 'the table moves: platen empty, stay clear');
    if (device === 'running') return state('moves', '▶', ...(MOVES[run.stage] ?? ['MOVES', 'stay clear of the table']));
    if (run.stage === 'motion') return state('moves', '▶', ...MOVES.motion);
    if (run.stage === 'recording') return state('records', '●', 'RECORDING', 'the table holds; the blocks are recorded');
    if (run.stage === 'finished') return state('done', '✔', 'FINISHED', 'the table is back at mid stroke and holds');
    if (run.stage === 'recorded') return state('done', '✔', 'RECORDED', 'the test is over; a move back may follow');
    if (device === 'idle') return state('waits', '○', 'DRIVE OFF', 'position unknown: home the table');
    if (device === 'armed') return state('waits', '◆', 'ARMED', 'holds and accepts a motion: stay clear');
    return state('waits', '‖', 'WAITING', 'the table holds; a question may wait at the terminal');
}

/**
 * `link`: {open, ended, everOpen, age_s}; age_s since the last measurement arrived. Returns {kind, symbol, word,
 * detail}; kind is a class of colour: lost, fault, moves, records, done, waits.
 */
export function bigState(run, link, fault) {
    const halted = stopped(run, fault);
    if (!link.open && link.ended) return halted ?? state('done', '✔', 'ENDED', 'the program has ended; nothing here is live');
    if (!link.open && link.everOpen) return state('lost', '⚠', 'CONNECTION LOST', 'look at the table, not at this page');
    if (!link.open) return state('lost', '⚠', 'NO CONNECTION', 'nothing has been received yet');
    if (!run.feedback) return state('waits', '‖', 'WAITING', 'connected; no measurement has arrived yet');
    if (link.age_s > STALE_AFTER_S && run.stage !== 'finished' && run.stage !== 'recorded')
        return halted ?? state('lost', '⚠', 'NO DATA', 'the table sends nothing: look at the table, not at this page');
    return halted ?? ofStage(run);
}

/** Of a finished run: how it ended. */
export function finishedState(run) {
    const status = run.description.result?.status;
    if (run.fault || run.stop) return stopped({...run, deviceState: () => ''}, undefined);
    if (status && status !== 'completed') return state('fault', '■', 'NOT COMPLETED', run.description.result.status_reason ?? status);
    return state('done', '✔', 'FINISHED', run.description.folder ?? '');
}

/** What the countdown says: {label, seconds, counting}; undefined if there is nothing to count. */
export function countdown(run) {
    const now_s = run.now_s(), planned_s = run.description.planned?.duration_s;
    if (!Number.isFinite(now_s)) return undefined;
    if (run.stop || run.fault) return undefined;
    if (run.hasStart() && now_s < run.start_s) return {label: 'motion starts in', seconds: run.start_s - now_s};
    if (run.stage === 'motion') {
        const end_s = run.start_s + (planned_s ?? NaN);
        return Number.isFinite(end_s) && end_s > now_s ? {label: 'motion ends in', seconds: end_s - now_s}
                                                       : {label: 'motion for', seconds: now_s - run.start_s};
    }
    if (run.stage === 'recording') return {label: 'recording since', seconds: now_s - run.done_s};
    if (!run.hasStart() && Number.isFinite(planned_s)) return {label: 'motion will take', seconds: planned_s};
    return undefined;
}
