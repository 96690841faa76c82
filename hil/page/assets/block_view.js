// Draws platen and blocks as they stand now: measured blocks solid, those of the prediction dashed.
const LEANS_RAD = 0.5;  // from here on a block needs room to lie
const SVG = 'http://www.w3.org/2000/svg';

function element(name, attributes, parent) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent.append(made);
    return made;
}

/**
 * Outline of a body given by the corners of its foot, in axes through its mass centre; above them nothing is known of it,
 * so it is closed at twice the height of the mass centre. `feet`: each corner with the place at which it meets the base.
 */
function footOutline(corners) {
    const stands = Math.max(corners.findIndex(([x]) => x > 0) - 1, 0), level = -corners[stands][1];
    const points = corners.map(([x, z]) => [x, z + level]);
    const height = Math.max(2 * level, ...points.map(([, z]) => z + 0.2 * level));
    const feet = points.map(([x, z]) => ({x, z, at: x}));
    const length = (i) => Math.hypot(points[i + 1][0] - points[i][0], points[i + 1][1] - points[i][1]);
    for (let i = stands + 2; i < feet.length; i++) feet[i].at = feet[i - 1].at + length(i - 1);
    for (let i = stands - 1; i >= 0; i--) feet[i].at = feet[i + 1].at - length(i);
    const left = points[0][0], right = points.at(-1)[0];
    return {left, right, height, feet, points: [...points, [0.7 * right, height], [0.7 * left, height]]};
}

/** Outline of a block in its own axes, foot on z = 0, x from its middle: a body given by its pivots gets their width. */
export function blockOutline(block) {
    if (Array.isArray(block.corners_m) && block.corners_m.length > 1) return footOutline(block.corners_m);
    if (Number.isFinite(block.width_m) && Number.isFinite(block.height_m)) {
        const half = block.width_m / 2;
        return {left: -half, right: half, height: block.height_m, points: [[-half, 0], [half, 0], [half, block.height_m],
                                                                           [-half, block.height_m]]};
    }
    const left = -block.radius_left_m * Math.sin(block.alpha_left_rad);
    const right = block.radius_right_m * Math.sin(block.alpha_right_rad);
    const height = 2 * block.radius_left_m * Math.cos(block.alpha_left_rad);
    return {left, right, height, points: [[left, 0], [right, 0], [right / 2, height], [left / 2, height]]};
}

/**
 * Places of a stack's blocks: per block {x, z, angle}, the point of its foot's middle and its absolute rotation
 * (positive clockwise). Each block turns about a corner of the face that it stands on, an irregular body about the
 * corner of its foot that is lowest.
 */
export function stackPlaces(outlines, angles) {
    let seat = {x: 0, z: 0, angle: 0};
    return outlines.map((outline, i) => {
        const angle = angles[i] ?? seat.angle, relative = angle - seat.angle;
        const corner = relative > 0 ? outline.right : outline.left;
        const at = (frameAngle, x, z) => [x * Math.cos(frameAngle) + z * Math.sin(frameAngle),
                                          -x * Math.sin(frameAngle) + z * Math.cos(frameAngle)];
        if (outline.feet) {
            const turned = outline.feet.map((foot) => [...at(angle, foot.x, foot.z), foot.at]);
            const [x, z, touches] = turned.reduce((lowest, foot) => (foot[1] < lowest[1] ? foot : lowest));
            return {x: touches - x, z: -z, angle};
        }
        const [pivotX, pivotZ] = at(seat.angle, corner, 0), [cornerX, cornerZ] = at(angle, corner, 0);
        const place = {x: seat.x + pivotX - cornerX, z: seat.z + pivotZ - cornerZ, angle};
        const [topX, topZ] = at(angle, 0, outline.height);
        seat = {x: place.x + topX, z: place.z + topZ, angle};
        return place;
    });
}

/** The drawing in an svg element; `draw(run)` again after every change. */
export class BlockView {
    constructor(svg) {
        this.svg = svg;
        this.key = undefined;
        this.wide = false;  // something lies, or may soon
    }

    build(run) {
        this.svg.replaceChildren();
        this.specimens = (run.description.specimens ?? []).filter((one) => (one.blocks ?? []).length > 0 &&
                                                                          one.kind !== 'assembly')
            .map((one) => ({index: run.description.specimens.indexOf(one), outlines: one.blocks.map(blockOutline)}));
        const widths = this.specimens.map(({outlines}) => Math.max(...outlines.map((o) => o.right - o.left)));
        const heights = this.specimens.map(({outlines}) => outlines.reduce((sum, o) => sum + o.height, 0));
        const tallest = Math.max(0.1, ...heights);
        let x = 0;
        this.specimens.forEach((one, i) => {
            const room = widths[i] / 2 + Math.max((this.wide ? 1.05 : 0.35) * heights[i], 0.04);  // to lean into, or to lie
            one.x = x + room;
            x += 2 * room;
        });
        const stroke = Math.min(run.limits().stroke_m ?? 0.1, tallest), width = Math.max(x, 0.6 * tallest) + 2 * stroke;
        const shift = -width / 2;
        for (const one of this.specimens) one.x -= x / 2;
        this.stroke = stroke;
        const slab = 0.07 * tallest;
        this.svg.setAttribute('viewBox', `${shift} ${-1.12 * tallest} ${width} ${1.12 * tallest + 2.6 * slab}`);
        this.line = tallest / 110;
        element('line', {class: 'rail', x1: shift, x2: -shift, y1: 1.6 * slab, y2: 1.6 * slab, 'stroke-width': this.line}, this.svg);
        element('line', {class: 'rail', x1: 0, x2: 0, y1: 1.2 * slab, y2: 2.3 * slab, 'stroke-width': this.line}, this.svg);
        this.platen = element('g', {}, this.svg);
        element('rect', {class: 'platen', x: -width / 2 + stroke, width: width - 2 * stroke, y: 0, height: slab}, this.platen);
        for (const one of this.specimens) {
            one.ghosts = one.outlines.map((outline) => this.shape('ghost', outline));
            one.shapes = one.outlines.map((outline) => this.shape('block', outline));
        }
    }

    shape(kind, outline) {
        const points = outline.points.map(([x, z]) => `${x},${-z}`).join(' ');
        return element('polygon', {class: kind, points, 'stroke-width': kind === 'ghost' ? 1.5 * this.line : this.line}, this.platen);
    }

    /** `time_s`: since the origin; undefined: now. Returns {drawn, measured, known, dashed}. */
    draw(run, time_s) {
        const rotations = (run.description.specimens ?? []).map((_, i) => run.rotationsOf(i, time_s));
        const isDown = rotations.some((one) => [...one.measured, ...one.predicted].some((angle) => Math.abs(angle) > LEANS_RAD));
        if (this.key !== run.description || (isDown && !this.wide)) {
            this.wide = isDown;
            this.key = run.description;
            this.build(run);
        }
        const position = run.positionAt(time_s);
        const moved = Number.isFinite(position) ? Math.max(-this.stroke, Math.min(this.stroke, position)) : 0;
        this.platen.setAttribute('transform', `translate(${moved} 0)`);
        let measured = true, known = false, dashed = false;
        for (const one of this.specimens) {
            const now = rotations[one.index], isMeasured = now.measured.length > 0, isPredicted = now.predicted.length > 0;
            known = known || isMeasured || isPredicted;
            dashed = dashed || (isMeasured && isPredicted);
            measured = measured && (isMeasured || !isPredicted);
            this.place(one, one.shapes, isMeasured ? now.measured : now.predicted, !isMeasured && isPredicted ? 'block guessed' : 'block');
            this.place(one, one.ghosts, now.predicted, isMeasured && isPredicted ? 'ghost' : 'ghost hidden');
        }
        return {drawn: this.specimens.length > 0, measured, known, dashed};
    }

    place(one, shapes, angles, kind) {
        stackPlaces(one.outlines, angles).forEach(({x, z, angle}, i) => {
            shapes[i].setAttribute('class', kind);
            shapes[i].setAttribute('transform', `translate(${one.x + x} ${-z}) rotate(${angle * 180 / Math.PI})`);
        });
    }
}
