// What is known of the runs beside their data: what could not be read, and the tests of a campaign with links into each.
import {byId, make} from './words.js';

/** Reasons why something is not shown, each with the run that it belongs to. */
export function showProblems(shown) {
    const lines = (shown.document.problems ?? []).map((words) => make('li', '', words));
    for (const run of shown.runs.values())
        if (shown.isFinished()) for (const words of run.description.problems ?? []) lines.push(make('li', '', `${run.description.label ?? run.number}: ${words}`));
    byId('problems').replaceChildren(...lines);
}

/** Numbers with more digits than anybody reads are rounded to five. */
function shortNumber(words) {
    return /^-?\d+\.\d{5,}$/.test(words) ? `${Number(Number(words).toPrecision(5))}` : words;
}

function testRow(columns, test) {
    const row = make('tr');
    columns.forEach((name, i) => {
        const cell = make('td'), words = shortNumber(`${test[name] ?? ''}`);
        if (i === 0 && test.shown_run) {
            const link = make('a', '', words);
            link.href = `?runs=${test.shown_run}`;
            cell.append(link);
        } else cell.textContent = words;
        row.append(cell);
    });
    return row;
}

/** `campaign` of test.json: columns, tests (objects by column; shown_run: number of the run here) and figures. */
export function showCampaign(shown) {
    const campaign = shown.document.campaign;
    byId('campaign').hidden = !campaign;
    document.body.classList.toggle('listing', Boolean(campaign));
    if (!campaign) return;
    const head = make('tr');
    head.append(...campaign.columns.map((name) => make('th', '', name)));
    const table = byId('campaign-tests');
    table.tHead.replaceChildren(head);
    table.tBodies[0].replaceChildren(...campaign.tests.map((test) => testRow(campaign.columns, test)));
    byId('campaign-figures').replaceChildren(...campaign.figures.map(({path, title}) => {
        const image = make('img');
        image.src = path;
        image.alt = title;
        return image;
    }));
}
