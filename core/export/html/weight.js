// Context: O.  What samples weigh, and how that is said: seconds, or one of the
// counts of the heap, of which the page has all.
"use strict";

const heap = data.measures !== undefined;
const exact = heap && data.exact;	// all were counted, none for others
let measure = heap ? data.measures.find((m) => m.name === data.measure) : null;

// The samples of both profiles weigh that from now on.
function weighBy(name) {
	measure = data.measures.find((m) => m.name === name);
	for (const s of [samples.now, samples.old].filter((x) => x !== null)) {
		s.read[name] ||= {
			ns: numbers(s.columns.weights[name]),
			count: s.columns.counts ?
			    numbers(s.columns.counts[name]) :
			    new Float64Array(s.node.length),
		};
		Object.assign(s, s.read[name]);
	}
}

function seconds(ns) {
	return (ns / 1e9).toFixed(ns < 1e10 ? 3 : 2) + " s";
}

// As unit.c has them.
function bytes(n) {
	if (n < 10000)
		return Math.round(n) + " B";
	let i = 0;
	for (n /= 1024; n >= 999.5 && i < 5; i++)
		n /= 1024;
	return n.toFixed(n < 9.995 ? 2 : n < 99.95 ? 1 : 0) +
	    [" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"][i];
}

function weightText(n) {
	return !heap ? seconds(n) : measure.bytes ? bytes(n) :
	    Math.round(n).toLocaleString("en");
}

// Of what there are percents.
function wholeText() {
	return heap ? `the ${measure.words}` : "the time";
}

function weightHead() {
	return !heap ? "seconds" : measure.bytes ? "bytes" : "blocks";
}

function fillMeasures() {
	for (const m of data.measures) {
		const o = document.createElement("option");
		o.value = m.name;
		o.textContent = m.words + (m.name.startsWith("live") ?
		    ", at the end: leaked" : "");
		$("measure").append(o);
	}
	$("measure").value = measure.name;
}
