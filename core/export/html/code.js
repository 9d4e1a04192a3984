// Context: O.  The code of the chosen function, by source line or by
// instruction, with the time of each.
"use strict";

// A row with this percentage stands out, as in annotate.c
const HOT = 10;
const NEAR = 8;			// rows shown around those with time
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
		ns: numbers(c.ns),
	};
	return c.read;
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
		hosts.set(stacks.func[k], had + down.now.total[i]);
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
	if (inCode.of === down.now)
		return inCode.any[func] !== 0;
	inCode.of = down.now;
	inCode.any = new Uint8Array(names.length);
	for (let i = 1; i < stacks.size; i++) {
		if (down.now.self[i] === 0)
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
	if (![func, ...hosts].some(hasOwnTime))
		return heap ? "it asked for no memory itself" :
		    "no time was counted in itself";
	return "the page has that of the functions with " +
	    `${limits.percent} % of ${heap ? "all counts" : "the time"}, ` +
	    `${limits.functions} and ` +
	    `${limits.bytes >> 20} MiB at most, and this is none of them`;
}

// Returns rows {ns, place, text}.  A heading has no ns; gap marks a row that
// does not follow the one above it in the file.
function sourceRows(c, ns) {
	const r = readCode(c), rows = new Map();
	const row = (file, line) => {
		const key = `${file}:${line}`;
		if (!rows.has(key))
			rows.set(key, {file, line, ns: 0, text: null});
		return rows.get(key);
	};
	for (const [file, line, text] of c.source)
		row(file, line).text = text;
	for (let i = 0; i < c.text.length; i++)
		if (c.disassembled || ns[i] > 0)
			row(r.file[i], r.line[i]).ns += ns[i];
	const all = [...rows.values()].filter((x) => x.line !== 0 || x.ns > 0);
	return withFiles(c, all.sort((a, b) => a.file - b.file ||
	    a.line - b.line));
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
			place: x.line === 0 ? "" : x.line,
			text: x.line === 0 ? "[of no line]" : x.text,
			gap: last.file === x.file && last.line + 1 !== x.line,
		});
	});
	return rows;
}

function instructionRows(c, ns) {
	const r = readCode(c), rows = [];
	const text = new Map(c.source.map(([f, l, t]) => [`${f}:${l}`, t]));
	const fileName = (n) => c.files[n - 1].replace(/.*\//, "");
	let before = "";
	for (let i = 0; i < c.text.length; i++) {
		if (!c.disassembled && ns[i] === 0)
			continue;
		const key = `${r.file[i]}:${r.line[i]}`;
		if (key !== before && r.file[i] !== 0)
			rows.push({
				head: text.get(key) ??
				    `[${fileName(r.file[i])}]`,
				place: r.line[i],
			});
		before = key;
		rows.push({ns: ns[i], place: r.address[i].toString(16),
		    text: c.text[i]});
	}
	return rows;
}

function codeRow(x, all) {
	const row = document.createElement("tr");
	const part = x.ns > 0 && all > 0 ? x.ns * 100 / all : 0;
	row.className = x.ns === undefined ? "head" :
	    part >= HOT ? "hot" : part > 0 ? "timed" : "";
	row.classList.toggle("gap", x.gap === true);
	cell(row, part > 0 ? weightText(x.ns) : "");
	cell(row, part > 0 ? part.toFixed(1) : "", "part")
	    .style.setProperty("--part", `${part}%`);
	cell(row, x.place === undefined ? "" : x.place, "place");
	cell(row, x.ns === undefined ? x.head : x.text === null ?
	    "[not here]" : x.text, "text line");
	return row;
}

// Returns one row in place of rows far from all time, with a button that shows
// them.
function hiddenRows(rows, all) {
	const row = document.createElement("tr");
	const button = document.createElement("button");
	button.textContent = `${rows.length} more without ` +
	    (heap ? "any" : "time");
	button.addEventListener("click", () => row.replaceWith(
	    ...rows.map((x) => codeRow(x, all))));
	cell(row, "").colSpan = 3;
	cell(row, "", "text").append(button);
	row.className = "hidden";
	return row;
}

function foldRows(rows, all) {
	const seen = new Uint8Array(rows.length);
	rows.forEach((x, i) => {
		if (x.ns > 0 || i === 0)
			seen.fill(1, Math.max(i - NEAR, 0), i + NEAR + 1);
	});
	const shown = [];
	for (let i = 0, end; i < rows.length; i = end) {
		for (end = i; end < rows.length && seen[end] === seen[i]; end++)
			;
		const run = rows.slice(i, end);
		if (seen[i] || run.length < FEWEST)
			shown.push(...run.map((x) => codeRow(x, all)));
		else
			shown.push(hiddenRows(run, all));
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
	return (c.function === func ? "" :
	    `inlined in ${names[c.function]}, whose code this is: `) +
	    `${weightText(all)} with what is inlined there` +
	    (compared ? " in the new profile" : "") +
	    (outside === 0 ? "" :
	    `, ${weightText(outside)} at no instruction`) +
	    (hasSource(c) ? "" : c.files.length === 0 ?
	    "; no debug information says which lines" :
	    `; ${c.files[0]} is not there to be shown`) +
	    (c.disassembled ? "" : "; its instructions are not known here");
}

function showPiece(func, c) {
	const ns = codeTimes(c), all = ns.reduce((a, b) => a + b, 0);
	const source = hasSource(c) && $("view").value === "source";
	$("view").parentNode.hidden = !hasSource(c);
	$("codeHead").textContent = weightHead();
	$("codeNote").textContent = codeNote(func, c, ns);
	$("codeRows").replaceChildren(...foldRows(source ?
	    sourceRows(c, ns) : instructionRows(c, ns), all));
}

function showCode(func) {
	$("code").hidden = func < 0;
	if (func < 0)
		return;
	const hosts = hostsOf(func), pieces = piecesOf(func, hosts);
	$("codeName").textContent = `code of ${names[func]}`;
	fillPieces(pieces);
	$("codeScroll").hidden = pieces.length === 0;
	if (pieces.length !== 0) {
		showPiece(func, pieces[0]);
		return;
	}
	$("view").parentNode.hidden = true;
	$("codeNote").textContent = "not here: " + whyNoCode(func, hosts);
	$("codeRows").replaceChildren();
}

function showAgain() {
	const func = flame.chosen;
	showPiece(func, piecesOf(func, hostsOf(func))[$("piece").value]);
}
