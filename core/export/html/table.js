// Context: O.  The table of functions, and those of the callers and callees of
// the chosen one.  main.js sets the trees and times below with rebuild() and
// then sorts and shows the tables; panes.js and code.js take its cells.
"use strict";

const LINES = 30;

// The tree with callers first, whatever is drawn: of all functions, and without
// those that are folded
let full = null;
let down = null;
let times = null;		// times of functions: now and old
let order = [];			// functions in the order of the table
let shown = LINES;
let sorting = {key: compared ? "totalChange" : "self", up: false};

function unit() {
	return $("unit").value;
}

// Returns the change between two {ns, count}.
function changeOf(old, now) {
	const clump = data.error === undefined ? 1 : data.error.clump;
	const by = (measure) => new Change(measure(old.ns, old.count,
	    down.old.total[0], data.old.clump), measure(now.ns, now.count,
	    down.now.total[0], clump));
	const amount = by(measures.seconds), share = by(measures.share);
	const change = unit() === "share" ? share : amount;
	// Exact numbers and time asleep are judged as amounts; known work makes
	// amounts comparable.
	if (exact || shownTime === "asleep" || data.work)
		change.judge(amount, amount);
	else
		change.judge(amount, share);
	return change;
}

function nodeChange(tree, i) {
	return changeOf({ns: tree.old.total[i], count: tree.old.count[i]},
	    {ns: tree.now.total[i], count: tree.now.count[i]});
}

function selfChange(f) {
	const of = (t) => ({ns: t.self[f], count: t.hits[f]});
	return changeOf(of(times.old), of(times.now));
}

function totalChange(f) {
	const of = (t) => ({ns: t.total[f], count: t.count[f]});
	return changeOf(of(times.old), of(times.now));
}

// Returns the largest change of a function that is sure; colors are relative to
// it.
function largestChange() {
	let most = 0;
	for (let f = 0; f < names.length; f++) {
		const c = totalChange(f);
		if (c.sure)
			most = Math.max(most, Math.abs(c.by));
	}
	return most;
}

const SURE_FIRST = 1e15;	// more than any change

// Exact changes need no column for the verdict, as all of them are sure.
const CHANGE_COLUMNS = exact ? 3 : 4;

function changeColumns(key, what) {
	const column = (name, head, number, text, kind) => ({
		key: key + name, head,
		number: (f) => number(what(f)),
		text: (f) => text(what(f)),
		kind: (f) => kind ? what(f).kind() : "",
	});
	return [
		column("Old", "old", (c) => c.old.value,
		    (c) => amount(unit(), c.old.value)),
		column("New", "new", (c) => c.now.value,
		    (c) => amount(unit(), c.now.value)),
		// Changes that are sure come first, as in prof --diff.
		column("Change", "change", (c) => Math.abs(c.by) +
		    (c.sure ? SURE_FIRST : 0),
		    (c) => changeText(unit(), c), true),
		column("Sure", "sure", (c) => c.known ? c.times() : -1,
		    (c) => c.verdict(), true),
	].slice(0, CHANGE_COLUMNS);
}

// The columns before the name and the module of a function.
const columns = compared ? [
	...changeColumns("self", selfChange),
	...changeColumns("total", totalChange),
] : [
	{key: "self", head: selfWord(), number: (f) => times.now.self[f],
	    text: (f) => weightText(times.now.self[f])},
	{key: "selfPercent", head: "%", number: (f) => times.now.self[f],
	    text: (f) => percent(times.now.self[f], down.now.total[0]),
	    part: true},
	{key: "total", head: "Total", number: (f) => times.now.total[f],
	    text: (f) => weightText(times.now.total[f])},
	{key: "totalPercent", head: "%", number: (f) => times.now.total[f],
	    text: (f) => percent(times.now.total[f], down.now.total[0]),
	    part: true},
];

// Returns the word for what is of a function alone.
function selfWord() {
	return heap ? "Allocated here" : "Self";
}

function cell(row, text, kind) {
	const td = document.createElement("td");
	td.textContent = text;
	td.className = kind || "";
	row.append(td);
	return td;
}

// Adds the cell of a name.  It shows two lines, and all of the name in a
// tooltip; its edge has the color of the picture.  The style sheet puts the
// hottest line, `place`, behind it.
function nameCell(row, func, place = functionPlace(func)) {
	const span = document.createElement("span");
	appendName(span, cellName(names[func]));
	span.title = names[func];
	if (place !== "") {
		span.title += `\nmost at ${place}`;
		span.dataset.place = place;
		span.append(document.createElement("wbr"));
	}
	span.style.borderColor = cssColour(originColour(func), false);
	cell(row, "", "text name").append(span);
}

// Makes a row; cells are [text, class, part of a bar] of the columns before the
// name.
function functionRow(func, cells) {
	const row = document.createElement("tr");
	row.dataset.func = func;
	for (const [text, kind, part] of cells) {
		const td = cell(row, text, kind);
		if (part !== undefined) {
			td.classList.add("part");
			td.style.setProperty("--part", `${part}%`);
		}
	}
	nameCell(row, func);
	cell(row, modules[func], "text dim module").title = modules[func];
	row.classList.toggle("chosen", func === flame.chosen);
	row.classList.toggle("found", flame.found !== null &&
	    flame.found[func]);
	row.addEventListener("click", () => choose(func));
	row.addEventListener("keydown", (e) => rowKey(e, row));
	row.tabIndex = -1;
	return row;
}

// Handles the keys that move up and down along the rows of a table, one of
// which is reached by Tab.
function rowKey(e, row) {
	const table = row.parentNode, func = row.dataset.func;
	const to = e.key === "ArrowUp" ? row.previousElementSibling :
	    e.key === "ArrowDown" ? row.nextElementSibling : null;
	if (e.key === "Enter") {
		choose(Number(func));
		table.querySelector(`[data-func="${func}"]`)?.focus();
	} else if (to !== null) {
		to.focus();
	} else {
		return;
	}
	e.preventDefault();
}

function fillRows(table, rows) {
	if (rows.length !== 0)
		rows[0].tabIndex = 0;
	table.replaceChildren(...rows);
}

function heading(key, head, kind) {
	const th = document.createElement("th");
	const button = document.createElement("button");
	th.className = kind || "";
	button.dataset.sort = key;
	button.textContent = head;
	button.addEventListener("click", () => sortBy(key));
	th.append(button);
	return th;
}

function groupHeading(text, span) {
	const th = document.createElement("th");
	th.className = "group";
	th.colSpan = span;
	th.textContent = text;
	return th;
}

function makeHeadings() {
	const row = document.createElement("tr");
	if (compared) {
		const above = document.createElement("tr");
		above.append(groupHeading("Self", CHANGE_COLUMNS),
		    groupHeading("Total: with all it called", CHANGE_COLUMNS),
		    groupHeading("", 2));
		$("heads").append(above);
	}
	row.append(...columns.map((c) => heading(c.key, c.head)),
	    heading("name", "Function", "text"),
	    heading("module", "Module", "text"));
	$("heads").append(row);
}

function sortBy(key) {
	sorting = {key, up: sorting.key === key ? !sorting.up :
	    key === "name" || key === "module"};
	sortFunctions();
	showFunctions();
}

// Returns the sort keys of the functions, computed once.
function sortKeys() {
	const text = {name: names, module: modules}[sorting.key];
	if (text)
		return text;
	const column = columns.find((c) => c.key === sorting.key);
	return names.map((n, f) => column.number(f));
}

function sortFunctions() {
	const keys = sortKeys();
	const most = (f) => Math.max(times.now.total[f],
	    compared ? times.old.total[f] : 0);
	const sign = sorting.up ? 1 : -1;
	order = [];
	for (let f = 0; f < names.length; f++)
		if (most(f) > 0)
			order.push(f);
	order.sort((a, b) => (keys[a] < keys[b] ? -sign :
	    keys[a] > keys[b] ? sign : 0) || most(b) - most(a) || a - b);
	for (const b of document.querySelectorAll("th button")) {
		const is = b.dataset.sort === sorting.key;
		b.parentNode.classList.toggle("up", is && sorting.up);
		b.parentNode.classList.toggle("down", is && !sorting.up);
	}
}

function showFunctions() {
	const wanted = flame.found === null ? order :
	    order.filter((f) => flame.found[f]);
	fillRows($("rows"), wanted.slice(0, shown).map((f) =>
	    functionRow(f, columns.map((c) => [c.text(f),
	    c.kind ? c.kind(f) : "", c.part ? c.text(f) : undefined]))));
	const left = Math.max(wanted.length - shown, 0);
	$("more").hidden = left === 0;
	$("more").textContent = left <= shown * 3 ? `Show ${left} more` :
	    `Show ${shown * 3} more of ${left}`;
	$("noRows").hidden = wanted.length !== 0;
	$("noRows").textContent = order.length !== 0 ?
	    "No function matches the search; Escape clears it." :
	    emptyText();
}

// Returns why there is no function at all, and what to do.
function emptyText() {
	if (folded.size !== 0 || $("who").value !== "all" ||
	    lanes.range !== null)
		return "Nothing was counted in what is chosen above: choose " +
		    "all threads, the whole time, and all kinds of code.";
	return heap ? "No allocation was counted." : shownTime === "asleep" ?
	    "No thread was found asleep." :
	    "No time was counted: the program ended too soon.";
}

function changeCells(c) {
	return [[amount(unit(), c.old.value)], [amount(unit(), c.now.value)],
	    [changeText(unit(), c), c.kind()], [c.verdict(), c.kind()]]
	    .slice(0, CHANGE_COLUMNS);
}

// Makes rows from the maps of neighbours(), of now and of old or undefined,
// those with most time first.
function neighbourRows(now, old) {
	const none = {ns: 0, count: 0};
	const all = [...new Set([...now.keys(), ...old ? old.keys() : []])]
	    .map((f) => ({f, now: now.get(f) || none,
	    old: old && old.get(f) || none}));
	const most = (x) => Math.max(x.now.ns, x.old.ns);
	all.sort((a, b) => most(b) - most(a) || a.f - b.f);
	return all.map((x) => functionRow(x.f, compared ?
	    changeCells(changeOf(x.old, x.now)) : [[weightText(x.now.ns)],
	    [percent(x.now.ns, down.now.total[0]), "",
	    percent(x.now.ns, down.now.total[0])]]));
}

function showNeighbours(func) {
	const now = neighbours(down, down.now, func);
	const old = compared ? neighbours(down, down.old, func) : {};
	fillRows($("callers"), neighbourRows(now.callers, old.callers));
	fillRows($("callees"), neighbourRows(now.callees, old.callees));
}

function chosenText(func) {
	const of = `${names[func]} [${modules[func]}]: `;
	const place = functionPlace(func) === "" ? "" :
	    `, most at ${functionPlace(func)}`;
	if (compared)
		return of + changeSentence(unit(), totalChange(func));
	const t = times.now, all = down.now.total[0];
	return of + `${percent(t.total[func], all)} %` +
	    errorText(t.total[func], t.count[func], all) + place;
}

function emptyRow(text) {
	const row = document.createElement("tr");
	cell(row, text, "text dim");
	return row;
}

function showChosen() {
	const func = flame.chosen;
	showCode(func);
	$("chosenHint").hidden = func >= 0;
	$("neighbours").hidden = func < 0;
	$("chosenName").textContent = "";
	if (func < 0)
		return;
	appendName($("chosenName"), chosenText(func));
	showNeighbours(func);
	if ($("callers").rows.length === 0)
		$("callers").append(emptyRow("nothing: it is an outermost function"));
	if ($("callees").rows.length === 0)
		$("callees").append(emptyRow("nothing, in the samples"));
}
