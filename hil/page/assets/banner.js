// The banner: the big state, the countdown, the name of the test and the age of what is shown; below it a fault.
import {faultOf} from './faults.js';
import {bigState, countdown, finishedState, STALE_AFTER_S} from './state.js';
import {byId, duration, setText} from './words.js';

/** `link` as in bigState, and finished: runs that are over. Returns the state shown. */
export function showBanner(run, link, faults) {
    const fault = faultOf(run, faults);
    const state = link.finished && link.everOpen ? finishedState(run) : bigState(run, link, fault);
    const banner = byId('banner');
    if (banner.className !== state.kind) banner.className = state.kind;
    setText(byId('state-symbol'), state.symbol);
    setText(byId('state-word'), state.word);
    setText(byId('state-detail'), run.description.replay_of && state.word !== 'ENDED' ? 'replay: nothing moves' : state.detail);
    const stale = !link.finished && (!link.open || link.age_s > STALE_AFTER_S) && run.feedbackCount > 0;
    document.body.classList.toggle('stale', stale && state.kind === 'lost');
    document.body.classList.toggle('ended', stale && state.kind !== 'lost');
    const count = link.finished ? undefined : stale ? ageOf(state, link) : countdown(run);
    setText(byId('countdown-seconds'), count ? `${count.seconds.toFixed(1)} s` : '');
    setText(byId('countdown-label'), count?.label ?? '');
    showTest(run, link, stale);
    showFault(run, link.finished ? faultOf({...run, feedback: undefined}, faults) : fault, state);
    return state;
}

/** Where the connection is lost the age takes the place of the countdown. */
const ageOf = (state, link) => (state.kind === 'lost' ? {label: 'since the last value', seconds: link.age_s} : undefined);

function showTest(run, link, stale) {
    const {name, device, simulated, replay_of: replayOf} = run.description;
    setText(byId('test-name'), name ?? '');
    setText(byId('test-device'), replayOf ? `⟲ REPLAY of ${replayOf}: nothing moves` : device ? `${device}${simulated ? ' (simulated)' : ''}` : '');
    const age = link.finished ? '' : run.feedbackCount > 0 ? `${stale ? '⚠ all values are' : 'data'} ${duration(Math.max(0, link.age_s))} old` : '';
    setText(byId('data-age'), age);
}

function showFault(run, fault, state) {
    const panel = byId('fault'), reason = fault ?? (state.kind === 'fault' ? {name: state.word.toLowerCase(), advice: 'See the terminal of the run.', cause: state.detail} : undefined);
    panel.hidden = !reason;
    if (!reason) return;
    setText(byId('fault-name'), `${reason.name.replaceAll('_', ' ')}${fault ? ` (fault ${fault.code})` : ''}${run.description.replay_of ? ', in the recorded run' : ''}`);
    setText(byId('fault-do'), `What to do: ${reason.advice}`);
    const why = [reason.cause && `Cause: ${reason.cause}`, reason.table && `The table: ${reason.table}`].filter(Boolean).join(' ');
    setText(byId('fault-why'), why + (run.stop?.text ? ` (stop: ${run.stop.text})` : ''));
}
