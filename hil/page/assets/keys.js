// The page without a mouse: every function has a key; buttons, wheel and drag do the same.

const DRAG_LEAST_PIXELS = 6;

/** `actions`: name of a key -> function; a name with "Shift+" in front counts before the plain one. */
export function listenToKeys(actions) {
    const act = (name) => {
        const action = actions[name];
        if (action) action();
        return Boolean(action);
    };
    addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.('dialog')) return;
        if (event.target.closest?.('button, a, input') && (event.key === ' ' || event.key === 'Enter')) return;
        const name = event.key === ' ' ? 'Space' : event.key;
        if ((event.shiftKey && act(`Shift+${name}`)) || act(name)) event.preventDefault();
    });
    for (const button of document.querySelectorAll('button[data-key]'))
        button.addEventListener('click', () => act(button.dataset.key));
}

/** Wheel: zoom about the pointer; drag: show that part; click: cursor there. */
export function listenToPointer(charts) {
    for (const chart of charts.charts) {
        const canvas = chart.canvas;
        let from;
        canvas.addEventListener('wheel', (event) => {
            event.preventDefault();
            if (charts.following) charts.freeze();
            charts.zoom(event.deltaY > 0 ? 1.25 : 0.8, charts.timeAt(chart, event.clientX));
        }, {passive: false});
        canvas.addEventListener('pointerdown', (event) => {
            if (charts.following) charts.freeze();
            from = {x: event.clientX, time_s: charts.timeAt(chart, event.clientX)};
            canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener('pointerup', (event) => {
            if (!from) return;
            const time_s = charts.timeAt(chart, event.clientX);
            if (Math.abs(event.clientX - from.x) < DRAG_LEAST_PIXELS) charts.cursor_s = time_s;
            else charts.setRange(Math.min(from.time_s, time_s), Math.max(from.time_s, time_s));
            from = undefined;
        });
        canvas.addEventListener('pointercancel', () => { from = undefined; });
    }
}
