// The faults of the table and what to do, as docs/faults.md has them: /faults.md is that file.

/** Sections "## 7 following_error" as Map(code -> {code, name, reaction, cause, table, advice}). */
export function readFaults(markdown) {
    const faults = new Map();
    const sections = markdown.split(/^## /m).slice(1);
    for (const section of sections) {
        const [title, ...lines] = section.split('\n');
        const head = /^(\d+) (\w+)$/.exec(title.trim());
        if (!head) continue;
        const words = lines.join(' ').split(/^# /m)[0].replace(/\s*\(\[[^\]]*\]\([^)]*\)\)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ').trim();
        const part = (from, to) => {
            const found = new RegExp(`\\*\\*${from}\\*\\*:?\\s*(.*?)\\s*(?=\\*\\*(?:${to})\\*\\*|# |$)`).exec(words);
            return found ? found[1].replaceAll('`', '').replaceAll('*', '') : '';
        };
        faults.set(Number(head[1]), {code: Number(head[1]), name: head[2], reaction: /^S[01]/.exec(words)?.[0] ?? '',
                                     cause: part('Cause', 'The table|Do'), table: part('The table', 'Do'),
                                     advice: part('Do', 'Cause')});
    }
    return faults;
}

/** The fault that a run shows: latched in the device, else named by an event; undefined if none. */
export function faultOf(run, faults) {
    const code = run.feedback?.fault_code ?? 0;
    if (code > 0) return faults.get(code) ?? {code, name: `fault ${code}`, cause: '', table: '', advice: 'See docs/faults.md.'};
    const text = run.fault?.text ?? '';
    return [...faults.values()].find((one) => text.includes(one.name));
}
