// Context: O.  Two profiles: what changed, and whether that can be chance.
"use strict";

// A share of the time, in percent, with the error of error.h; or seconds, with
// that of diff.c.  An error that is NaN: not all of it is in samples.  Of the
// heap there are bytes or blocks in place of seconds.
const UNIT = heap ? 1 : 1e9;
const measures = {
	share: (ns, count, all) => {
		const p = all === 0 ? 0 : ns / all;
		return {
			value: 100 * p,
			error: exact || ns === 0 ? 0 :
			    count === 0 || p > 1 ? NaN :
			    100 * p * Math.sqrt((1 - p) / count),
		};
	},
	seconds: (ns, count) => ({
		value: ns / UNIT,
		error: exact || ns === 0 ? 0 : count === 0 ? NaN :
		    ns / UNIT / Math.sqrt(count),
	}),
};

// What is in old and now, as measured; sure by the rule of diff_verdict().
class Change {
	constructor(old, now) {
		this.old = old;
		this.now = now;
		this.by = now.value - old.value;
		this.error = Math.hypot(old.error, now.error);
		this.known = !Number.isNaN(this.error);
		this.sure = this.known &&
		    Math.abs(this.by) > data.sure * this.error;
	}

	isNothing() {
		return this.old.value === 0 && this.now.value === 0;
	}

	// How many standard deviations it is.
	times() {
		return this.by === 0 ? 0 : Math.abs(this.by) / this.error;
	}

	verdict() {
		if (this.isNothing())
			return "";
		if (!this.sure)
			return this.known ? "noise" : "-";
		return this.error === 0 ? "yes" : `${this.times().toFixed(
		    this.times() < 9.95 ? 1 : 0)}\u03c3`;
	}

	// The class of what shows it.
	kind() {
		return !this.sure ? "noise" : this.by > 0 ? "grew" : "shrank";
	}
}

// Of seconds a thousandth is shown, of percent a tenth, or a hundredth where
// that is all there is.
function digits(unit, value) {
	return unit === "seconds" ? 3 : Math.abs(value) < 0.1 ? 2 : 1;
}

function amount(unit, value) {
	if (heap && unit === "seconds")
		return weightText(value);
	return value.toFixed(value === 0 ? 0 : digits(unit, value));
}

function changeText(unit, c) {
	if (c.isNothing())
		return "0";
	if (heap)
		return (c.by < 0 ? "\u2212" : c.by > 0 ? "+" : "") +
		    amount(unit, Math.abs(c.by)) + (exact || !c.known ? "" :
		    ` \u00b1${amount(unit, c.error)}`);
	const places = digits(unit, Math.max(Math.abs(c.by),
	    c.known ? c.error : 0));
	return (c.by < 0 ? "\u2212" : "+") + Math.abs(c.by).toFixed(places) +
	    (c.known ? ` \u00b1${c.error.toFixed(places)}` : "");
}

// A sentence of it.
function changeSentence(unit, c) {
	const of = unit === "share" ? " %" : heap ? "" : " s";
	const side = (m) => amount(unit, m.value) + of +
	    (Number.isNaN(m.error) || exact || m.value === 0 ? "" :
	    ` \u00b1${heap ? amount(unit, m.error) :
	    m.error.toFixed(digits(unit, m.error))}`);
	const sure = !c.known ? "not all of it is in samples" : c.sure ?
	    `sure, ${c.times().toFixed(1)} standard deviations` :
	    `within noise, ${c.times().toFixed(1)} standard deviations`;
	return `old ${side(c.old)}, new ${side(c.now)}: ` +
	    changeText(unit, c) + (exact ? "" : ` (${sure})`);
}
