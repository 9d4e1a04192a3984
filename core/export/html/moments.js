// Context: O.  The times of samples, and what tells threads apart in the time
// line.  For lanes.js and main.js; the data are from html_moments.c.
"use strict";

// The times of samples: us since the first one; each is the end of the sample's
// time.
const moments = (data.moments?.at ?? "") === "" ? null : (() => {
	const at = numbers(data.moments.at);
	for (let i = 1; i < at.length; i++)
		at[i] += at[i - 1];
	return {
		at,
		sample: numbers(data.moments.sample),
		ns: numbers(data.moments.ns),
	};
})();

// Returns the index of the first time past us.
function firstPast(at, us) {
	let low = 0, high = at.length;
	while (low < high) {
		const middle = low + high >> 1;
		if (at[middle] <= us)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Returns the smallest round step of a scale that is at least so large.
function roundStep(least) {
	const ten = 10 ** Math.floor(Math.log10(least));
	return [1, 2, 5, 10].map((n) => n * ten).find((n) => n >= least);
}

// Returns by thread: the indexes of its moments, in order (of); the sum of
// their time; and its time whose moment is not known (timeless), of which the
// entry for time that was not sampled has none.
function momentsByThread() {
	const thread = samples.now.thread;
	const count = data.threads.map(() => 0);
	for (const s of moments.sample)
		count[thread[s]]++;
	const of = count.map((n) => new Int32Array(n));
	count.fill(0);
	moments.sample.forEach((s, i) => {
		of[thread[s]][count[thread[s]]++] = i;
	});
	const time = of.map((own) =>
	    own.reduce((sum, i) => sum + moments.ns[i], 0));
	const timeless = time.map((ns) => -ns);
	samples.now.ns.forEach((ns, i) => {
		timeless[thread[i]] += ns;
	});
	data.threads.forEach((t, i) => {
		if (t.tid === null && of[i].length === 0)
			timeless[i] = 0;
	});
	return {of, time, timeless};
}

function extentOfMoments() {
	let from = 0, to = 1;
	for (let i = 0; i < moments.at.length; i++) {
		from = Math.min(from, moments.at[i] - moments.ns[i] / 1000);
		to = Math.max(to, moments.at[i]);
	}
	return [from, to];
}

// Returns by stack the first function of the program on it that is more than
// glue: what a thread was started for; -1: none.
function entriesOfStacks() {
	const glue = /^(_start|main|std::|void std::|__|operator\(\)$)/;
	const skipped = names.map((n, f) => kinds[f] !== 0 || glue.test(n));
	const entry = new Int32Array(stacks.size).fill(-1);
	for (let i = 1; i < stacks.size; i++) {
		const f = stacks.func[i], above = entry[stacks.parent[i]];
		entry[i] = above >= 0 || skipped[f] ? above : f;
	}
	return entry;
}

// Returns by thread the function in which it spent most of its time of all that
// entriesOfStacks() has, or -1.
function threadEntries() {
	const entry = entriesOfStacks();
	const sums = data.threads.map(() => new Map());
	samples.now.node.forEach((node, i) => {
		const own = sums[samples.now.thread[i]], f = entry[node];
		if (f >= 0)
			own.set(f, (own.get(f) || 0) + samples.now.ns[i]);
	});
	return sums.map((own) => [...own].reduce((a, b) => b[1] > a[1] ? b : a,
	    [-1, 0])[0]);
}

// Returns the names of the threads with their numbers.  entries: from
// threadEntries(); threads that have the name of their program are told apart
// by the function that they run.
function threadLabels(entries) {
	return data.threads.map((t, i) => {
		if (t.tid === null)
			return t.name;
		const program = data.processes[t.process]?.program;
		const same = program === undefined ||
		    program.startsWith(t.name);
		return (same && t.tid === data.processes[t.process]?.pid ?
		    "main" : same && entries[i] >= 0 ?
		    waysToWrite(names[entries[i]]).at(-1) : t.name) +
		    ` ${t.tid}`;
	});
}

// In a comparison threads have names alone, and in a heap no time.
const threadNames = compared || heap ? null : threadLabels(threadEntries());

// Returns the function that put a stack to sleep: the first caller outside the
// C library and the kernel, or the innermost function if there is none.
function sleeperOf(node) {
	for (let k = node; k !== 0; k = stacks.parent[k])
		if (kinds[stacks.func[k]] < 2)
			return stacks.func[k];
	return stacks.func[node];
}
