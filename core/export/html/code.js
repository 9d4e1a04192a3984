// Context: O.  The code of the chosen function, by source line or by
// instruction, with the time of each.  table.js shows it with the chosen
// function; the data are from html_code.c.
"use strict";

// A row with this percentage stands out, as in annotate.c
const HOT = 10;
const NEAR = 3;			// rows shown around those with time
const FEWEST = 4;		// fewest rows that are worth hiding

const codes = new Map();	// by function: its pieces of code in the data
for (const c of data.code)
	codes.set(c.function, [...codes.get(c.function) || [], c]);
const withouts = new Map(data.without);

function sums(steps) {
	for (let i = 1; i < steps.length; i++)
		steps[i] += steps[i - 1];
	return steps;
}

// Decodes the columns of a piece of code.  This is done when the piece is first
// shown, as most never are.
function readCode(c) {
	c.read ||= {
		address: sums(numbers(c.address)),
		file: numbers(c.file),
		line: numbers(c.line),
		at: numbers(c.at),
		of: numbers(c.sample ?? c.thread),
		ns: newWeights(c.ns),
		totals: readTotals(c.totals),
		lineTotals: readTotals(c.lineTotals),
	};
	return c.read;
}

function readTotals(t) {
	return t === undefined ? null : {
		at: numbers(t.at),
		file: t.file === undefined ? null : numbers(t.file),
		count: numbers(t.count),
		of: numbers(t.of),
		ns: t.ns === undefined ? null : newWeights(t.ns),
	};
}

// Calls put(at, file, ns) for each instruction or line with what passed through
// it.
function eachTotal(t, put) {
	const wants = chooser();
	for (let i = 0, k = 0; t !== null && i < t.at.length; i++) {
		let sum = 0, of = 0;
		for (const end = k + t.count[i]; k < end; k++) {
			of += t.of[k];
			if (t.ns === null)
				sum += picked.ns[of];
			else if (wants(of))
				sum += t.ns[k];
		}
		put(t.at[i], t.file === null ? 0 : t.file[i], sum);
	}
}

// Returns the time of each instruction; the last element is the time that
// belongs to none of them.
function codeTimes(c) {
	const wants = chooser(), r = readCode(c);
	const ns = new Float64Array(c.text.length + 1);
	for (let i = 0; i < r.at.length; i++)
		if (c.sample !== undefined)
			ns[r.at[i]] += picked.ns[r.of[i]];
		else if (wants(r.of[i]))
			ns[r.at[i]] += r.ns[i];
	return ns;
}

// Returns the functions in which func is inlined, whose code includes its code;
// the one with the most time of func comes first.
function hostsOf(func) {
	const hosts = new Map();
	for (let i = 1; i < stacks.size; i++) {
		if (stacks.func[i] !== func || !stacks.inlined[i])
			continue;
		let k = i;
		while (stacks.inlined[k])
			k = stacks.parent[k];
		const had = hosts.get(stacks.func[k]) || 0;
		hosts.set(stacks.func[k], had + full.now.total[i]);
	}
	return [...hosts].sort((a, b) => b[1] - a[1]).map(([f]) => f);
}

// Returns the pieces of code of a function and of those it is inlined in.
function piecesOf(func, hosts) {
	return [func, ...hosts.filter((f) => f !== func)]
	    .flatMap((f) => codes.get(f) || []);
}

// By function: whether it, or a function inlined in it, has time of its own.
const inCode = {of: null, any: null};

function hasOwnTime(func) {
	if (inCode.of === full.now)
		return inCode.any[func] !== 0;
	inCode.of = full.now;
	inCode.any = new Uint8Array(names.length);
	for (let i = 1; i < stacks.size; i++) {
		if (full.now.self[i] === 0)
			continue;
		let k = i;
		while (stacks.inlined[k])
			k = stacks.parent[k];
		inCode.any[stacks.func[k]] = 1;
	}
	return inCode.any[func] !== 0;
}

function whyNoCode(func, hosts) {
	const limits = data.limits;
	if (withouts.has(func))
		return withouts.get(func);
	const host = hosts.find((f) => withouts.has(f));
	if (host !== undefined)
		return `it is inlined in ${names[host]}: ${withouts.get(host)}`;
	if (times.now.total[func] === 0)
		return "only the old profile has it, whose code is not here";
	const small = `${limits.total} % of ${heap ? "all counts" : "the time"}`;
	if (![func, ...hosts].some(hasOwnTime) && times.now.total[func] * 100 <
	    limits.total * full.now.total[0])
		return (heap ? "it asked for no memory itself" :
		    "no time was counted in itself") + ", and with what it " +
		    `called it has less than ${small}`;
	return "the page has that of the functions with " +
	    `${limits.percent} % of ${heap ? "all counts" : "the time"}, and ` +
	    `of those that have ${small} with what they called; ` +
	    `${limits.functions} and ` +
	    `${limits.bytes >> 20} MiB at most, and this is none of them`;
}

// Returns rows {ns, total, place, text}: the file with the most time first,
// each in the order of its lines.  total: what passed through the line, with
// what it called.  A heading has no ns; gap marks a row that does not follow
// the one above it in the file.
function sourceRows(c, ns) {
	const r = readCode(c), rows = new Map();
	const row = (file, line) => {
		const key = `${file}:${line}`;
		if (!rows.has(key))
			rows.set(key, {file, line, ns: 0, total: 0, text: null});
		return rows.get(key);
	};
	for (const [file, line, text] of c.source)
		row(file, line).text = text;
	for (let i = 0; i < c.text.length; i++)
		if (c.disassembled || ns[i] > 0)
			row(r.file[i], r.line[i]).ns += ns[i];
	eachTotal(r.lineTotals, (line, file, sum) => {
		row(file, line).total += sum;
	});
	const all = [...rows.values()].filter((x) => x.line !== 0 || x.ns > 0);
	const sum = [];
	for (const x of all)
		sum[x.file] = Math.max(sum[x.file] || 0, heat(x));
	return withFiles(c, all.sort((a, b) => sum[b.file] - sum[a.file] ||
	    a.file - b.file || a.line - b.line));
}

// Returns by what rows are compared: the time that passed through them, and of
// their own what belongs to no line.
function heat(x) {
	return Math.max(x.total ?? 0, x.ns ?? 0);
}

function withFiles(c, all) {
	const rows = [];
	all.forEach((x, i) => {
		const last = i === 0 ? {file: -1} : all[i - 1];
		if (last.file !== x.file)
			rows.push({head: x.file === 0 ? "no file is known" :
			    c.files[x.file - 1]});
		rows.push({
			ns: x.ns,
			total: x.total,
			place: x.line === 0 ? "" : x.line,
			text: x.line === 0 ? "[no line is known]" : x.text,
			gap: last.file === x.file && last.line + 1 !== x.line,
		});
	});
	return rows;
}

function instructionRows(c, ns) {
	const r = readCode(c), rows = [];
	const text = new Map(c.source.map(([f, l, t]) => [`${f}:${l}`, t]));
	const fileName = (n) => c.files[n - 1].replace(/.*\//, "");
	const total = new Float64Array(ns.length);
	let before = "";
	eachTotal(r.totals, (at, file, sum) => {
		total[at] = sum;
	});
	for (let i = 0; i < c.text.length; i++) {
		if (!c.disassembled && ns[i] === 0 && total[i] === 0)
			continue;
		const key = `${r.file[i]}:${r.line[i]}`;
		if (key !== before && r.file[i] !== 0)
			rows.push({
				head: text.get(key) ??
				    `[${fileName(r.file[i])}]`,
				place: r.line[i],
			});
		before = key;
		rows.push({ns: ns[i], total: total[i],
		    place: r.address[i].toString(16), text: c.text[i]});
	}
	return rows;
}

// Makes a row; `all` is the time of which bars are parts: that of the function.
function codeRow(x, all, source) {
	const row = document.createElement("tr");
	const whole = full.now.total[0];
	const share = (n) => n > 0 ? percent(n, whole) : "";
	const part = heat(x) > 0 ? heat(x) * 100 / all : 0;
	row.className = x.ns === undefined ? "head" :
	    part >= HOT ? "hot" : part > 0 ? "timed" : "";
	row.dataset.heat = heat(x);
	row.classList.toggle("gap", x.gap === true);
	cell(row, x.ns > 0 ? weightText(x.ns) : "");
	cell(row, share(x.ns));
	cell(row, share(x.total), "part")
	    .style.setProperty("--part", `${part}%`);
	cell(row, x.place === undefined ? "" : x.place, "place");
	const line = cell(row, "", "text line");
	if (x.ns === undefined)
		line.textContent = x.head;
	else if (x.text === null)
		line.textContent = "[its text was not found]";
	else
		(source ? appendSource : appendInstruction)(line, x.text);
	return row;
}

// Returns one row in place of rows far from all time, with a button that shows
// them.
function hiddenRows(rows, all, source) {
	const row = document.createElement("tr");
	const button = document.createElement("button");
	button.textContent = `${rows.length} more lines without ` +
	    weightNoun();
	button.addEventListener("click", () => row.replaceWith(
	    ...rows.map((x) => codeRow(x, all, source))));
	cell(row, "").colSpan = 4;
	cell(row, "", "text").append(button);
	row.className = "hidden";
	return row;
}

function foldRows(rows, all, source) {
	const seen = new Uint8Array(rows.length);
	let head = 0;		// that of the file
	rows.forEach((x, i) => {
		if (heat(x) > 0 || i === 0)
			seen.fill(1, Math.max(i - NEAR, 0), i + NEAR + 1);
		if (x.ns === undefined && x.place === undefined)
			head = i;
		if (heat(x) > 0)
			seen[head] = 1;
	});
	const shown = [];
	for (let i = 0, end; i < rows.length; i = end) {
		for (end = i; end < rows.length && seen[end] === seen[i]; end++)
			;
		const run = rows.slice(i, end);
		if (seen[i] || run.length < FEWEST)
			shown.push(...run.map((x) => codeRow(x, all, source)));
		else
			shown.push(hiddenRows(run, all, source));
	}
	return shown;
}

function fillPieces(pieces) {
	$("piece").replaceChildren(...pieces.map((c, i) => {
		const option = document.createElement("option");
		option.value = i;
		option.textContent = names[c.function];
		return option;
	}));
	$("piece").parentNode.hidden = pieces.length < 2;
}

// Returns whether the source is there; lines without their text are of no use.
function hasSource(c) {
	return c.source.length > 0;
}

function codeNote(func, c, ns) {
	const all = ns.reduce((a, b) => a + b, 0);
	const outside = ns[ns.length - 1];
	const total = times.now.total[c.function];
	return (c.function === func ? "" :
	    `inlined in ${names[c.function]}, whose code this is: `) +
	    `${weightText(all)} of its own, with what is inlined there` +
	    (total > 0 ? `; ${weightText(total)} with all it called` : "") +
	    (compared ? " in the new profile" : "") +
	    (c.totals !== undefined ? "" :
	    "; the page has no room for what each line called") +
	    (outside === 0 ? "" :
	    `; ${weightText(outside)} at no known instruction`) +
	    (hasSource(c) ? "" : c.files.length === 0 ?
	    "; no debug information says which lines" :
	    `; ${c.files[0]} was not found`) +
	    (c.disassembled ? "" : "; its instructions cannot be decoded");
}

function showPiece(func, c) {
	const ns = codeTimes(c);
	const source = hasSource(c) && $("view").value === "source";
	$("view").parentNode.hidden = !hasSource(c);
	$("codeHead").textContent = selfWord();
	$("codeNote").textContent = codeNote(func, c, ns);
	const rows = source ? sourceRows(c, ns) : instructionRows(c, ns);
	const most = rows.reduce((most, x) => Math.max(most, heat(x)),
	    times.now.total[c.function]);
	$("codeRows").replaceChildren(...foldRows(rows, most, source));
	findHot();
}

// The rows with time, the one with the most first, and which of them was shown
// last.
const hot = {rows: [], at: -1};

function findHot() {
	hot.rows = [...$("codeRows").querySelectorAll(".hot, .timed")]
	    .sort((a, b) => b.dataset.heat - a.dataset.heat);
	hot.at = -1;
	$("nextHot").hidden = hot.rows.length < 2;
	showHot(0);
}

// Scrolls the code, not the page, to one of the rows with time.
function showHot(at) {
	const row = hot.rows[at], box = $("codeScroll");

	hot.rows[hot.at]?.classList.remove("here");
	hot.at = at;
	if (row === undefined)
		return;
	row.classList.add("here");
	box.scrollTop += row.getBoundingClientRect().top -
	    box.getBoundingClientRect().top - box.clientHeight / 3;
	$("nextHot").textContent =
	    `Next hot line (${at + 1} of ${hot.rows.length})`;
}

function nextHot() {
	if (hot.rows.length !== 0)
		showHot((hot.at + 1) % hot.rows.length);
}

function showCode(func) {
	$("codeHint").hidden = func >= 0;
	$("codeBox").hidden = func < 0;
	if (func < 0)
		return;
	const hosts = hostsOf(func), pieces = piecesOf(func, hosts);
	$("codeName").textContent = "";
	appendName($("codeName"), names[func]);
	fillPieces(pieces);
	$("codeScroll").hidden = pieces.length === 0;
	if (pieces.length !== 0) {
		showPiece(func, pieces[0]);
		return;
	}
	$("view").parentNode.hidden = $("nextHot").hidden = true;
	$("codeNote").textContent = "not here: " + whyNoCode(func, hosts);
	$("codeRows").replaceChildren();
}

function showAgain() {
	const func = flame.chosen;
	showPiece(func, piecesOf(func, hostsOf(func))[$("piece").value]);
}
