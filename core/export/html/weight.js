// Context: O.  The weight of samples and its texts: seconds, or one of the
// metrics of the heap, all of which the page has.  For all scripts that show
// numbers.
"use strict";

const heap = data.measures !== undefined;
// Every block was counted, so that nothing is an estimate
const exact = heap && data.exact;
let measure = heap ? data.measures.find((m) => m.name === data.measure) : null;

// Gives the samples of both profiles the weights of that metric.
function weighBy(name) {
	measure = data.measures.find((m) => m.name === name);
	for (const s of [samples.now, samples.old].filter((x) => x !== null)) {
		s.read[name] ||= {
			ns: s.weights(s.columns.weights[name]),
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

// Returns a text for bytes, rounded as quantity.c does.
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

// Returns what percentages are a share of.
function wholeText() {
	return heap ? `the ${measure.words}` : shownTime === "asleep" ?
	    "the time asleep" : "the time";
}

// Returns in a word what a function has of its own.
function weightNoun() {
	return !heap ? "time" : measure.bytes ? "bytes" :
	    measure.name === "mappings" ? "mappings" : "blocks";
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
