// Context: O.  The panes below the picture: one at a time in a narrow window,
// the table beside another one in a wide window.  main.js makes them, and shows
// the findings and the reasons of sleep by this file.
"use strict";

const PANES = [
	["functions", "Functions"],
	["findings", "Findings"],
	["reasons", "Why asleep"],
	["chosen", "Callers"],
	["code", "Code"],
	["sizes", "Block sizes"],
	["rests", "About"],
];

const LEAST_WAITING = 500000;	// ns of waiting that are worth a row

// Whether there is room for the table beside another pane
const wide = window.matchMedia("(min-width: 1150px)");

// Shows a pane.  Beside the table that is the first of the others.
function showPane(name) {
	document.body.dataset.pane = name;
	for (const tab of $("tabs").children)
		tab.ariaSelected = String(tab.dataset.pane === name);
	// A pane that is hidden cannot be scrolled.
	if (name === "code")
		showHot(hot.at);
}

function shownPane() {
	return document.body.dataset.pane;
}

// Makes the neighbours of a chosen function visible where findings were.
function leaveFindings() {
	if (["findings", "reasons"].includes(shownPane()) ||
	    (wide.matches && shownPane() === "functions"))
		showPane("chosen");
}

// Chooses a function of a finding and shows who called it, in the numbers that
// the finding is of: show() makes the page show them.
function chooseFound(func, show) {
	show();
	if (flame.chosen !== func)
		choose(func);
	showPane("chosen");
	$("panes").scrollIntoView({block: "nearest"});
}

// Shows time asleep, if the page has it and CPU time alone is shown.
function showSleep() {
	if (hasBoth && shownTime === "cpu")
		showSubject("asleep");
}

// Shows CPU time, if time asleep alone is shown.
function showCpu() {
	if (hasBoth && shownTime === "asleep")
		showSubject("cpu");
}

// Puts a text into an element, with a button for each name of a function, which
// is chosen by a click.  Short names are words of the language, too.
function appendWithFunctions(element, text, show) {
	const found = order.filter((f) => names[f].length > 4 &&
	    text.includes(names[f])).sort((a, b) =>
	    names[b].length - names[a].length);
	const at = found.length === 0 ? -1 : text.indexOf(names[found[0]]);
	if (at < 0) {
		element.append(text);
		return;
	}
	appendWithFunctions(element, text.slice(0, at), show);
	element.append(functionLink(found[0], show));
	appendWithFunctions(element, text.slice(at + names[found[0]].length),
	    show);
}

// Returns a button with the name of a function, which chooses it.
function functionLink(func, show) {
	const button = document.createElement("button");
	button.textContent = names[func];
	button.className = "link";
	button.addEventListener("click", () => chooseFound(func, show));
	return button;
}

// Returns a text with the units of bytes as the page has them elsewhere.  A
// name may end in a digit and such a letter, too, and stays as it is.
function withUnits(text) {
	return text.replace(/(?<=^| [+-]?)([\d.]+)([KMGTPE])(?=[ ,;)]|$)/g,
	    "$1 $2iB").replace("iB bytes", "iB");
}

// Returns what makes the page show the metric of a section of the summary.
function sectionMetric(title) {
	const name = /mapped/.test(title) ? "mapped-peak" :
	    /temporary/.test(title) ? "temporary" :
	    /calls/.test(title) ? "blocks" : /live/.test(title) ? "live" :
	    "peak";
	return () => {
		$("measure").value = name;
		weighBy(name);
		rebuild();
	};
}

// Shows the summary of allocations, as prof --heap=summary has it: sums, and of
// each kind the largest consumers with their callers.
function showSummary() {
	const list = $("findingList");
	let table = null, units, show;
	for (const line of data.findings) {
		const m = /^ *([\d.]+) +([\d.]+[KMGTPE]?)  ( *)(\S.*)/.exec(line);
		if (m !== null && table !== null) {
			m[2] = units(m[2]);
			summaryRow(table, m, show);
			continue;
		}
		const title = / in all$/.test(line);
		show = sectionMetric(line);
		const element = document.createElement(title ? "h3" : "p");
		// Numbers of blocks have no unit.
		units = !title || / bytes in all$/.test(line) ? withUnits :
		    (text) => text;
		element.textContent = units(line.replace(/ \(--heap=\w+\)/, ""))
		    .trim();
		list.append(element);
		table = title ? document.createElement("table") : null;
		if (title)
			list.append(table);
	}
}

// Returns the function whose name a text begins with, or -1.
function functionBefore(text) {
	let best = -1;
	names.forEach((name, f) => {
		if ((text === name || text.startsWith(name + " ")) &&
		    (best < 0 || name.length > names[best].length))
			best = f;
	});
	return best;
}

// Adds a line of the summary: share, amount, depth and function.
function summaryRow(table, [, share, amount, indent, text], show) {
	const row = document.createElement("tr");
	cell(row, amount);
	cell(row, share, "part").style.setProperty("--part", `${share}%`);
	const name = cell(row, "", "text");
	name.style.paddingLeft = `${indent.length / 2 + 0.5}em`;
	const func = functionBefore(text);
	if (func >= 0)
		name.append(functionLink(func, show));
	name.append(func < 0 ? text : text.slice(names[func].length));
	table.append(row);
}

// Shows the findings of the report: lines of a share and a sentence, below each
// what to do.
function showFindings() {
	if (heap) {
		showSummary();
		return;
	}
	const list = document.createElement("dl");
	$("findingList").append(list);
	for (const line of data.findings.slice(1)) {
		const m = /^ *([\d.]+ [%s])(?: \+-([\d.]+))? +(\S.*)/.exec(line);
		const dt = document.createElement(m === null ? "dd" : "dt");
		const share = document.createElement("b");
		if (m !== null) {
			share.textContent = m[1] +
			    (m[2] === undefined ? "" : ` \u00b1${m[2]}`);
			dt.append(share, " ");
		}
		if (m === null)
			dt.append(line.trim());
		else
			appendWithFunctions(dt, m[3], m[1].endsWith("s") ?
			    showSleep : showCpu);
		list.append(dt);
	}
}

// Returns the pane that is shown at first: where time asleep is shown that of
// its reasons, as most functions in which threads sleep are of the C library.
function firstPane() {
	return causeOf !== null && shownTime === "asleep" ? "reasons" :
	    "functions";
}

// Shows for what threads slept in what is chosen, whatever time is shown, as
// the report does: last what another thread tells.  slept: by sample.
function showReasons(slept) {
	const ns = data.causes.map(() => 0);
	causeOf.forEach((c, i) => {
		if (c > 0)
			ns[c - 1] += slept[i];
	});
	const all = ns.reduce((a, b) => a + b, 0);
	const elsewhere = (c) => data.causes[c][2] ? 1 : 0;
	const found = ns.map((n, c) => c).filter((c) => ns[c] > 0)
	    .sort((a, b) => elsewhere(a) - elsewhere(b) || ns[b] - ns[a]);
	$("reasonNote").hidden = !found.some(elsewhere);
	$("reasonRows").replaceChildren(...found.map((c) =>
	    reasonRow(c, ns[c], all)));
	if (found.length === 0)
		$("reasonRows").append(emptyRow("no thread was found asleep"));
	if (data.waiting.ns >= LEAST_WAITING && lanes.range === null &&
	    $("who").value === "all")
		$("reasonRows").append(waitingRow());
}

// The wait for a processor is no sleep, and known of all threads together.
function waitingRow() {
	const {ns, error, least} = data.waiting;
	const row = document.createElement("tr");
	cell(row, seconds(ns));
	cell(row, "");
	cell(row, "", "text");
	cell(row, "not asleep: waiting for a processor" +
	    (least ? ", at least" : "") +
	    (error > 0 ? ` (\u00b1${seconds(error)})` : ""), "text dim");
	return row;
}

function reasonRow(cause, ns, all) {
	const [word, func] = data.causes[cause];
	const row = document.createElement("tr");
	cell(row, seconds(ns));
	cell(row, percent(ns, all), "part").style.setProperty("--part",
	    `${percent(ns, all)}%`);
	cell(row, word, "text");
	if (func < 0) {
		cell(row, "[no caller is known]", "text dim");
	} else {
		// The line with most of its CPU time is not where it slept.
		nameCell(row, func, "");
		row.addEventListener("click", () =>
		    chooseFound(func, showSleep));
	}
	return row;
}

function makeTabs(shown) {
	for (const [pane, text] of PANES) {
		if ($(pane) === null)
			continue;
		const tab = document.createElement("button");
		tab.role = "tab";
		tab.dataset.pane = pane;
		tab.textContent = text;
		tab.setAttribute("aria-controls", pane);
		tab.addEventListener("click", () => {
			showPane(pane);
			shown();
		});
		$("tabs").append(tab);
	}
}
