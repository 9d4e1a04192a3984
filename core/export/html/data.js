// Context: O.  The data of the page: functions, stacks, samples, and the
// weights that the user's choices give them.  It is the first script of the
// page, and reads the JSON of export_html.c when it is loaded; all other
// scripts use it.
"use strict";

const $ = (id) => document.getElementById(id);

// Returns what the address asks for, see address.js.
function asked(key) {
	return new URLSearchParams(location.hash.slice(1)).get(key);
}

// A page of time and allocations has the data of both, and reads those that the
// address asks for: to show the others it is loaded again.
const beside = $("heap");
const showsHeap = beside !== null && asked("show") === "heap";
const data = JSON.parse((showsHeap ? beside : $("data")).textContent);
const compared = data.old !== undefined;

// Decodes the numbers of a column: LEB128 in base64.
function numbers(text) {
	const bytes = atob(text);
	const all = new Float64Array(bytes.length);
	let n = 0;
	for (let i = 0, scale = 1; i < bytes.length; i++) {
		const byte = bytes.charCodeAt(i);
		all[n] += (byte & 127) * scale;
		scale *= 128;
		if (byte < 128) {
			n++;
			scale = 1;
		}
	}
	return all.subarray(0, n);
}

const names = data.functions.map((f) => data.texts[f[0]]);
const modules = data.functions.map((f) => data.texts[f[1]]);

// Code of a standard library that was compiled into the program: its kind is
// HTML_KIND_STANDARD
const isStandard = data.functions.map((f) => f[2] === 6);
// Index of KINDS
const kinds = data.functions.map((f, i) => isStandard[i] ? 1 : f[2]);

// Returns "file:line" of the line of a function that has most of its CPU time,
// or of the metric that the page had first; "" if none is known, or if time
// asleep alone or another metric is shown.
function functionPlace(func) {
	const [, , , file, line] = data.functions[func];
	return file === undefined || shownTime === "asleep" ||
	    (heap && measure.name !== data.measure) ? "" :
	    `${data.texts[file].replace(/.*\//, "")}:${line}`;
}

// The stacks of the whole profile.  Their weights depend on what the user
// chooses.
const stacks = (() => {
	const before = numbers(data.nodes.parent);
	const inlinedFunc = numbers(data.nodes.function);
	const size = before.length;
	const parent = new Int32Array(size), func = new Int32Array(size);
	const inlined = new Uint8Array(size);
	for (let i = 0; i < size; i++) {
		parent[i] = i - before[i];
		func[i] = inlinedFunc[i] / 2;
		inlined[i] = inlinedFunc[i] % 2;
	}
	func[0] = -1;
	return {parent, func, inlined, size};
})();

// Where the user said how much work both profiles did, the weights of the new
// one are multiplied by this: they are then for the work of the old one.
const workScale = data.work ? data.work[0] / data.work[1] : 1;

// Reads a column of weights of the new profile.
function newWeights(column) {
	const read = numbers(column);
	return workScale === 1 ? read : read.map((n) => n * workScale);
}

// Reads the samples of a profile, with weights(column) for its weights.  In a
// heap profile there are several columns of them, see weight.js.
function readSamples(columns, weights) {
	const node = numbers(columns.node);
	return {
		node,
		thread: numbers(columns.thread),
		weights,
		ns: columns.weights ? null : weights(columns.ns),
		count: columns.weights ? null : numbers(columns.count),
		asleep: columns.asleep ? numbers(columns.asleep) : null,
		columns,
		read: {},
	};
}

const samples = {
	now: readSamples(data.samples, newWeights),
	old: compared ? readSamples(data.old.samples, numbers) : null,
};

// The time that is shown of a profile that has both: "cpu", "asleep" or "both".
let shownTime = data.subject === "time asleep" ? "asleep" : "cpu";
// By sample: number in data.causes + 1; null: no thread slept
const causeOf = data.cause === undefined ? null : numbers(data.cause);
const hasBoth = samples.now.asleep !== null && !compared &&
    samples.now.asleep.includes(0);

// Returns whether a sample is of the time that is shown.
function isShown(s, i) {
	return s.asleep === null || shownTime === "both" ||
	    (s.asleep[i] === 1) === (shownTime === "asleep");
}

function isAsleep(s, i) {
	return s.asleep[i] === 1;
}

// Returns the weights of samples: the whole weight of those of wanted threads
// for which shows(s, i) is true, 0 for others.
function wanted(s, wants, shows = isShown) {
	const takes = (x) => x.map((n, i) =>
	    wants(s.thread[i]) && shows(s, i) ? n : 0);
	return {ns: takes(s.ns), count: takes(s.count)};
}

// Returns the weights of stacks, summed from the picked samples.
function weighSide(s, picked) {
	const side = new Side(new Float64Array(stacks.size),
	    new Float64Array(stacks.size));
	for (let i = 0; i < s.node.length; i++) {
		side.self[s.node[i]] += picked.ns[i];
		side.hits[s.node[i]] += picked.count[i];
	}
	return side;
}

function percent(ns, all) {
	return all === 0 ? "0.0" : (ns * 100 / all).toFixed(1);
}

// Returns the error of a share in percent, computed as by
// sampling_error_percent(), or "" if it has none.
function errorText(ns, count, all) {
	const p = all === 0 ? 0 : ns / all, of = data.error;
	if (count === 0 || all === 0 || p > 1 || of === undefined ||
	    shownTime === "both")
		return "";
	const timed = of.weight > 0 && shownTime === "cpu";
	const own = ns / count * (timed ? of.clump : 1);
	const others = timed ? of.weight : own;
	const z2 = of.sure ** 2 * ((1 - p) * own + p * others) / all;
	const far = (Math.abs(1 - 2 * p) * z2 / 2 +
	    Math.sqrt(z2 * p * (1 - p) + z2 * z2 / 4)) / (1 + z2);
	return ` \u00b1${(100 * far).toFixed(1)}`;
}
