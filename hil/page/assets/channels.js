// The four strip charts: what each draws of a run, its unit and its factor from SI.

/** Names of the blocks' columns, over all specimens. */
function rotationLines(run) {
    const lines = [];
    (run.rotation?.columns ?? []).forEach((name, i) =>
        lines.push({series: run.rotation, name, label: run.rotation.columns.length > 1 ? `block ${i} measured` : 'measured', role: 'measured', index: i,
                    block: run.rotation.columns.length > 1 ? `block ${i}` : ''}));
    let index = 0;
    for (const [specimen, series] of [...run.predicted].sort((a, b) => a[0] - b[0]))
        series.columns.forEach((name, i) => {
            const many = run.predicted.size > 1 || series.columns.length > 1;
            const place = run.predicted.size > 1 ? run.blockRange(specimen).begin + i : i;
            lines.push({series, name, label: many ? `block ${place} predicted` : 'predicted', role: 'predicted', index: index++,
                        block: many ? `block ${place}` : ''});
        });
    return lines;
}

const motionLine = (run, name, label, role) => ({series: run.motion[run.axis], name, label, role, index: 0});

/** key: in file names; unit and factor of what is drawn; lines(run): the histories, most important last. */
export const CHANNELS = [
    {key: 'displacement', title: 'displacement', unit: 'mm', factor: 1000, digits: 2,
     lines: (run) => [motionLine(run, 'setpoint', 'commanded', 'commanded'), motionLine(run, 'position', 'measured', 'measured')]},
    {key: 'acceleration', title: 'acceleration', unit: 'm/s²', factor: 1, digits: 2,
     lines: (run) => [motionLine(run, 'acceleration', 'measured', 'measured'),
                      motionLine(run, 'setpointAcceleration', 'commanded', 'commanded')]},
    {key: 'rotation', title: 'rotation', unit: 'rad', factor: 1, digits: 4, lines: rotationLines},
    {key: 'tracking_error', title: 'tracking error', unit: 'mm', factor: 1000, digits: 3,
     lines: (run) => [motionLine(run, 'error', 'measured − commanded', 'measured')]},
];
