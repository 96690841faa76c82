// The page's modules without a browser: the decoder against protobufjs on a real log, faults, histories, geometry, states.
// usage: page_modules_test.mjs TOPPLE ASSETS_FOLDER SOURCE_FOLDER
import assert from 'node:assert/strict';
import {cpSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {experimentFile, require, scratchFolder, startTopple} from './page_support.mjs';

const [, , topple, assets, source] = process.argv, folder = scratchFolder();
// As modules: the folder of the tests says what .js is.
const modules = join(process.env.TOPPLE_INTEROP_FOLDER, 'page_assets');
cpSync(assets, modules, {recursive: true});
const load = (name) => import(join(modules, name));

async function decodesAsProtobufjsDoes() {
    const {decode, readDescriptors} = await load('protobuf.js');
    const protobuf = require('protobufjs'), descriptor = require('protobufjs/ext/descriptor');
    const {McapStreamReader} = require('@mcap/core');
    const run = await startTopple(topple, ['run', experimentFile(folder, 'decoded'), '--out', join(folder, 'run')]);
    assert.equal(await run.exit, 0, run.text());
    const reader = new McapStreamReader({decompressHandlers: {}});
    reader.append(readFileSync(join(folder, 'run', 'run.mcap')));
    const schemas = new Map(), channels = new Map(), counts = {};
    for (let record; (record = reader.nextRecord());) {
        if (record.type === 'Schema') {
            const root = protobuf.Root.fromDescriptor((descriptor.FileDescriptorSet ?? descriptor.default.FileDescriptorSet).decode(record.data));
            schemas.set(record.id, {theirs: root.lookupType(record.name), ours: readDescriptors(record.data).messages.get(record.name)});
        }
        if (record.type === 'Channel') channels.set(record.id, record);
        if (record.type !== 'Message') continue;
        const channel = channels.get(record.channelId), {theirs, ours} = schemas.get(channel.schemaId);
        const expected = theirs.toObject(theirs.decode(record.data), {longs: Number, enums: Number, defaults: true, arrays: true});
        const got = decode(ours, record.data);
        for (const field of ours.fields.values()) {
            const name = field.name, camel = name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
            const value = name in expected ? expected[name] : expected[camel];
            if (field.optional && got[name] === undefined) continue;
            assert.deepEqual(got[name], value, `${channel.topic} ${name}`);
        }
        counts[channel.topic] = (counts[channel.topic] ?? 0) + 1;
    }
    assert.ok(counts['/feedback'] > 1000 && counts['/prediction'] > 100 && counts['/event'] > 3 && counts['/timing'] > 1000 && counts['/setpoint'] > 50, JSON.stringify(counts));
    const feedback = [...schemas.values()].find((one) => one.ours.fields.get(13));
    assert.throws(() => decode(feedback.ours, new Uint8Array([0x6a, 0x20, 1])), RangeError);
    assert.equal(decode(feedback.ours, new Uint8Array()).acceleration_x_m_s2, undefined);
}

async function everyFaultSaysWhatToDo() {
    const {faultOf, readFaults} = await load('faults.js');
    const faults = readFaults(readFileSync(join(source, 'docs/faults.md'), 'utf8'));
    const codes = [...readFileSync(join(source, 'firmware_iface/fault.hpp'), 'utf8').split('enum class RefusalCode')[0].matchAll(/^ {4}(\w+) = (\d+),/gm)];
    assert.ok(codes.length >= 20);
    for (const [, name, code] of codes.filter((one) => one[1] !== 'none')) {
        const fault = faults.get(Number(code));
        assert.equal(fault?.name, name);
        assert.ok(fault.advice.length > 4 && fault.cause.length > 10, `${name}: ${JSON.stringify(fault)}`);
        assert.ok(!/[`*\]#]/.test(fault.advice + fault.cause + fault.table), name);
    }
    assert.equal(faultOf({feedback: {fault_code: 7}}, faults).name, 'following_error');
    assert.equal(faultOf({feedback: {fault_code: 0}}, faults), undefined);
    assert.equal(faultOf({feedback: {fault_code: 99}}, faults).code, 99);
}

async function histories() {
    const {envelope, Series} = await load('series.js');
    const {Peaks} = await load('peaks.js');
    const series = new Series(['a']);
    for (let i = 0; i < 20000; ++i) series.push(i * 0.002, {a: i === 7777 ? 5 : Math.sin(i)});
    series.push(1, {a: 99});  // the past does not change
    assert.equal(series.length, 20000);
    const points = envelope(series, 'a', {from_s: 0, to_s: 40, shift_s: 10, factor: 2, buckets: 100});
    assert.ok(points.length < 260 && points.some((p) => p.y === 10 && Math.abs(p.x - 5.554) < 1e-9), 'a single high sample is drawn');
    assert.ok(points.every((p, i) => i === 0 || p.x >= points[i - 1].x));
    assert.equal(envelope(series, 'a', {from_s: 1, to_s: 1.1, buckets: 100}).length, 52);
    const gap = new Series(['a']);
    [1, NaN, 2].forEach((a, i) => gap.push(i, {a}));
    assert.ok(Number.isNaN(envelope(gap, 'a', {from_s: 0, to_s: 2})[1].y), 'what was not measured is a gap, not zero');
    const peaks = new Peaks();
    assert.equal(peaks.of(series, 'a', 15.6) < 1.01, true);
    assert.equal(peaks.of(series, 'a', 0), 5);
    series.push(50, {a: -7});
    assert.equal(peaks.of(series, 'a', 0), 7);
    assert.equal(series.valueAt('a', 15.5541, 0.02), 5);
    assert.ok(Number.isNaN(series.valueAt('a', 45, 0.02)));
}

async function blocksTurnAboutTheirCorners() {
    const {blockOutline, stackPlaces} = await load('block_view.js');
    const block = blockOutline({width_m: 0.1, height_m: 0.3});
    const corner = ({x, z, angle}, dx) => [x + dx * Math.cos(angle), z - dx * Math.sin(angle)];
    for (const [angle, side] of [[0.2, 0.05], [-0.2, -0.05]]) {
        const [place] = stackPlaces([block], [angle]), [x, z] = corner(place, side);
        assert.ok(Math.abs(x - side) < 1e-12 && Math.abs(z) < 1e-12, 'the corner of that side stays where it is');
        assert.ok(corner(place, -side)[1] > 0, 'the other one rises');
    }
    const [lower, upper] = stackPlaces([block, block], [0.1, 0.1]);
    assert.ok(Math.abs(Math.hypot(upper.x - lower.x, upper.z - lower.z) - 0.3) < 1e-12, 'together they are one body');
    const [, tipped] = stackPlaces([block, block], [0, -0.3]), [x, z] = corner(tipped, -0.05);
    assert.ok(Math.abs(x + 0.05) < 1e-12 && Math.abs(z - 0.3) < 1e-12);
}

async function aFootRollsFromCornerToCorner() {
    const {blockOutline, stackPlaces} = await load('block_view.js');
    const slope = 0.3, far = 0.03 + 0.05 * Math.cos(slope), up = -0.12 + 0.05 * Math.sin(slope);
    const stone = blockOutline({corners_m: [[-far, up], [-0.03, -0.12], [0.03, -0.12], [far, up]]});
    const seen = ({x, z, angle}, [px, pz]) => [x + px * Math.cos(angle) + pz * Math.sin(angle), z - px * Math.sin(angle) + pz * Math.cos(angle)];
    for (const side of [1, -1]) {
        const lie = stackPlaces([stone], [side * slope])[0], corners = stone.points.slice(0, 4).map((point) => seen(lie, point));
        const face = side > 0 ? [corners[2], corners[3]] : [corners[0], corners[1]];
        for (const [, z] of face) assert.ok(Math.abs(z) < 1e-12, 'it lies flat on the face of that slope');
        assert.ok(Math.abs(Math.abs(face[0][0]) - (side > 0 ? 0.03 : 0.08)) < 1e-12, 'and has rolled there without slipping');
        for (const [, z] of corners) assert.ok(z > -1e-12, 'nothing of it is below the base');
    }
}

async function statesAreNeverCalm() {
    const {bigState, countdown} = await load('state.js');
    const {Run} = await load('run.js');
    const feedback = (state, more = {}) => ({device_time_us: 5e6, setpoint_position_m: [0], position_m: [0], setpoint_velocity_m_s: [0],
        setpoint_acceleration_m_s2: [0], acceleration_m_s2: [0], rotation_rad: [], fault_code: 0, state, ...more});
    const fresh = {open: true, everOpen: true, ended: false, age_s: 0};
    const run = new Run('', {planned: {duration_s: 2}});
    assert.equal(bigState(run, {...fresh, open: false, everOpen: false}).word, 'NO CONNECTION');
    run.take('feedback', feedback(4));
    run.take('event', {device_time_us: 4e6, kind: 3, text: ''});
    assert.equal(bigState(run, fresh).word, 'MOTION');
    assert.deepEqual([countdown(run).label, countdown(run).seconds], ['motion ends in', 1]);
    assert.equal(bigState(run, {...fresh, age_s: 1.2}).kind, 'lost', 'old data in the motion are no motion');
    assert.equal(bigState(run, {...fresh, open: false}).word, 'CONNECTION LOST');
    run.take('feedback', feedback(5, {device_time_us: 5.1e6}));
    assert.equal(bigState(run, fresh).word, 'STOPPING');
    run.take('feedback', feedback(6, {device_time_us: 5.2e6, fault_code: 7}));
    assert.equal(bigState(run, fresh, {name: 'following_error'}).detail, 'following error');
    assert.equal(bigState(run, {...fresh, open: false, ended: true}).kind, 'fault', 'a fault stays on the page when the program has ended');
    run.take('feedback', feedback(7, {device_time_us: 5.3e6}));
    assert.equal(bigState(run, fresh).word, 'EMERGENCY STOP');
    run.take('event', {device_time_us: 9e6, kind: 1, text: 'serial'});
    assert.equal(run.feedbackCount, 0, 'a new recording begins with nothing of the old one');
}

async function aPageOpenedLateKnowsThatItIs() {
    const {Run} = await load('run.js');
    const feedback = (time_us) => ({device_time_us: time_us, setpoint_position_m: [0], position_m: [0], setpoint_velocity_m_s: [0],
        setpoint_acceleration_m_s2: [0], acceleration_m_s2: [0], rotation_rad: [], fault_code: 0, state: 4});
    const opened = (first_us) => {
        const run = new Run('');
        run.take('event', {device_time_us: 1e6, kind: 1, text: ''});
        run.take('event', {device_time_us: 4e6, kind: 3, text: ''});
        for (let i = 0; i < 5; ++i) run.take('feedback', feedback(first_us + 2000 * i));
        return run;
    };
    assert.ok(!opened(3.9e6).isLate(), 'the first measurement is older than the motion');
    assert.ok(opened(11e6).isLate(), 'the motion began before anything arrived');
    assert.equal(opened(4e6).sampleTime_s(0.0037).toFixed(4), '0.0040', 'the time of the measurement that is read');
    assert.ok(new Run('', {recorded: true}).isLoading({openFor_s: 1}));
    assert.ok(!new Run('', {recorded: false}).isLoading({openFor_s: 1}), 'without a log nothing will come');
    assert.ok(!new Run('', {recorded: true}).isLoading({openFor_s: 60}));
}

async function figuresSayNothingOfTheirOwn() {
    const {escapeXml, fileName, niceTicks} = await load('figures.js');
    assert.equal(escapeXml('<a b="1">&\u0001'), '&#60;a b=&#34;1&#34;&#62;&#38;');
    assert.equal(fileName('../../a b<c>'), 'a_b_c');
    assert.deepEqual(niceTicks(-0.3, 1.1, 6), [-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1]);
}

for (const test of [everyFaultSaysWhatToDo, histories, blocksTurnAboutTheirCorners, aFootRollsFromCornerToCorner, statesAreNeverCalm, aPageOpenedLateKnowsThatItIs, figuresSayNothingOfTheirOwn,
                    decodesAsProtobufjsDoes]) {
    await test();
    console.log(`ok: ${test.name}`);
}
process.exit(0);
