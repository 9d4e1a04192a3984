// Context: O.  Compares two profiles: what changed, and whether chance can be
// the cause.  table.js and tip.js make and show the changes of functions and
// nodes.
"use strict";

// Measures of a time: its share in percent, with the standard deviation of a
// binomial, or seconds, with the error of diff.c; clump is the factor of the
// profile by which its samples vary more than their number says.  In a heap
// profile bytes or blocks take the place of seconds.  An error of NaN means
// that not all of the time is in samples.
const UNIT = heap ? 1 : 1e9;
const measures = {
	share: (ns, count, all, clump) => {
		const p = all === 0 ? 0 : ns / all;
		return {
			value: 100 * p,
			error: exact || ns === 0 ? 0 :
			    count === 0 || p > 1 ? NaN :
			    100 * p * Math.sqrt(clump * (1 - p) / count),
		};
	},
	seconds: (ns, count, all, clump) => ({
		value: ns / UNIT,
		error: exact || ns === 0 ? 0 : count === 0 ? NaN :
		    ns / UNIT * Math.sqrt(clump / count),
	}),
};

// The change from old to now, both as measured.
class Change {
	constructor(old, now) {
		this.old = old;
		this.now = now;
		const by = now.value - old.value;
		// Numbers for other work are rounded when they are added.
		this.by = Math.abs(by) > 1e-9 * Math.abs(old.value) ? by : 0;
		this.error = Math.hypot(old.error, now.error);
		this.known = !Number.isNaN(this.error);
		this.sure = this.isLarge();
		this.only = "";
	}

	// Returns whether chance is not the cause, in this measure.
	isLarge() {
		return this.known &&
		    Math.abs(this.by) > data.sure * this.error;
	}

	// Judges by the rule of judge_diff_line(): sure is a change both as an
	// amount and as a share.  A change in one of them alone has its name.
	judge(amount, share) {
		const large = amount.isLarge(), alone = share.isLarge();
		this.sure = large && alone &&
		    Math.sign(amount.by) === Math.sign(share.by);
		this.only = this.sure ? "" : large ? "amount" :
		    alone ? "share" : "";
	}

	isNothing() {
		return this.old.value === 0 && this.now.value === 0;
	}

	// Returns how many standard deviations the change is.
	times() {
		return this.by === 0 ? 0 : Math.abs(this.by) / this.error;
	}

	verdict() {
		if (this.isNothing())
			return "";
		if (!this.sure)
			return !this.known ? "-" : this.only || "noise";
		return this.error === 0 ? "yes" : `${this.times().toFixed(
		    this.times() < 9.95 ? 1 : 0)}\u03c3`;
	}

	// Returns the CSS class of the element that shows the change.
	kind() {
		return !this.sure ? "noise" : this.by > 0 ? "grew" : "shrank";
	}
}

// Returns the decimals to show: three for seconds, one for percent, two where a
// percentage is that small.
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

// Returns a sentence that tells the change.
function changeSentence(unit, c) {
	const of = unit === "share" ? " %" : heap ? "" : " s";
	const side = (m) => amount(unit, m.value) + of +
	    (Number.isNaN(m.error) || exact || m.value === 0 ? "" :
	    ` \u00b1${heap ? amount(unit, m.error) :
	    m.error.toFixed(digits(unit, m.error))}`);
	const times = `${c.times().toFixed(1)} standard deviations`;
	const sure = !c.known ? "not all of it is in samples" :
	    c.sure ? `sure, ${times}` : c.only === "amount" ?
	    `as an amount alone, ${times}: the work may differ` :
	    c.only === "share" ?
	    `as a share alone, ${times}: other functions changed` :
	    `within noise, ${times}`;
	return `old ${side(c.old)}, new ${side(c.now)}: ` +
	    changeText(unit, c) + (exact ? "" : ` (${sure})`);
}
