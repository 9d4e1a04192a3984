// Context: O.  The page: what is chosen, and what follows from it.
"use strict";

const $ = (id) => document.getElementById(id);
const flame = new Flame($("graph"), $("canvas"), $("space"));
const LINES = 100;

let down = null;		// callers first, whatever is drawn
let times = null;		// of functions
let order = [];			// of the table
let shown = LINES;
let sorting = {key: "self", up: false};

// "all", a process, or a thread, as the list of them says.
function chooser() {
	const value = $("who").value;
	if (value === "all")
		return () => true;
	const [kind, number] = value.split(":");
	if (kind === "thread")
		return (t) => t === Number(number);
	return (t) => data.threads[t].process === Number(number);
}

function fillWho() {
	const add = (value, text) => {
		const o = document.createElement("option");
		o.value = value;
		o.textContent = text;
		$("who").append(o);
	};
	add("all", data.processes.length === 1 && data.threads.length === 1 ?
	    "all" : "all processes and threads");
	data.processes.forEach((p, i) => {
		const own = data.threads.map((t, k) => [t, k])
		    .filter(([t]) => t.process === i);
		if (data.processes.length > 1)
			add("process:" + i, `${p.pid} ${p.program}`);
		if (own.length > 1)
			for (const [t, k] of own)
				add("thread:" + k, `\u2003${t.tid === null ? "" :
				    t.tid + " "}${t.name}`);
	});
}

function cell(row, text, kind) {
	const td = document.createElement("td");
	td.textContent = text;
	td.className = kind || "";
	row.append(td);
	return td;
}

// Two lines of it; the rest is told to whom points at it.
function nameCell(row, func) {
	const span = document.createElement("span");
	span.textContent = span.title = names[func];
	cell(row, "", "text name").append(span);
}

function functionRow(func, cells) {
	const row = document.createElement("tr");
	row.dataset.func = func;
	for (const text of cells)
		cell(row, text);
	nameCell(row, func);
	cell(row, modules[func], "text dim");
	row.classList.toggle("chosen", func === flame.chosen);
	row.classList.toggle("found", flame.found !== null &&
	    flame.found[func]);
	row.addEventListener("click", () => choose(func));
	return row;
}

function sortFunctions() {
	const text = {name: names, module: modules}[sorting.key];
	const number = sorting.key.startsWith("self") ? times.self : times.total;
	order = [];
	for (let f = 0; f < names.length; f++)
		if (times.total[f] > 0)
			order.push(f);
	order.sort((a, b) => (text ? (text[a] < text[b] ? -1 :
	    text[a] > text[b] ? 1 : 0) : number[a] - number[b]) *
	    (sorting.up ? 1 : -1) || times.total[b] - times.total[a] || a - b);
	for (const b of document.querySelectorAll("th button")) {
		const is = b.dataset.sort === sorting.key;
		b.parentNode.classList.toggle("up", is && sorting.up);
		b.parentNode.classList.toggle("down", is && !sorting.up);
	}
}

function showFunctions() {
	const all = down.total[0];
	const wanted = flame.found === null ? order :
	    order.filter((f) => flame.found[f]);
	$("rows").replaceChildren(...wanted.slice(0, shown).map((f) =>
	    functionRow(f, [seconds(times.self[f]),
	    percent(times.self[f], all), seconds(times.total[f]),
	    percent(times.total[f], all)])));
	$("more").hidden = wanted.length <= shown;
	$("more").textContent = `${wanted.length - shown} more`;
}

function showChosen() {
	const func = flame.chosen;
	const all = down.total[0];
	if (func < 0) {
		$("chosenName").textContent = "no function is chosen";
		$("callers").replaceChildren();
		$("callees").replaceChildren();
		return;
	}
	$("chosenName").textContent = `${names[func]} [${modules[func]}]: ` +
	    `${percent(times.total[func], all)} %` +
	    deviation(times.total[func], times.count[func], all);
	const near = neighbours(down, func);
	const rows = (list) => list.map(([f, ns]) => functionRow(f,
	    [seconds(ns), percent(ns, all)]));
	$("callers").replaceChildren(...rows(near.callers));
	$("callees").replaceChildren(...rows(near.callees));
}

function choose(func) {
	flame.chosen = flame.chosen === func ? -1 : func;
	showFunctions();
	showChosen();
	flame.draw();
}

function tell(node) {
	const t = flame.tree;
	if (node < 0) {
		$("told").textContent = "";
		return;
	}
	const all = t.total[0];
	const func = t.func[node];
	$("told").textContent = flame.name(node) + (func < 0 ? "" :
	    ` [${modules[func]}${t.inlined[node] ? ", inlined" : ""}]`) +
	    `: ${seconds(t.total[node])}, ${percent(t.total[node], all)} %` +
	    deviation(t.total[node], t.count[node], all) +
	    (t.self[node] > 0 ? `; itself ${seconds(t.self[node])}, ` +
	    `${percent(t.self[node], all)} %` : "");
}

function find() {
	const text = $("find").value;
	let pattern = null;
	$("find").classList.remove("wrong");
	try {
		pattern = text === "" ? null : new RegExp(text, "i");
	} catch (e) {
		$("find").classList.add("wrong");
	}
	flame.found = pattern === null ? null :
	    names.map((n) => pattern.test(n));
	const ns = pattern === null ? 0 : matchedTime(down, flame.found);
	$("matched").textContent = pattern === null ? "" :
	    `${percent(ns, down.total[0])} % of the time, ${seconds(ns)}`;
	shown = LINES;
	showFunctions();
	flame.draw();
}

function rebuild() {
	const weight = weigh(chooser());
	const merge = $("merge").checked;
	down = treeDown(weight);
	times = functionTimes(down);
	flame.show($("way").value === "up" ? treeUp(weight, merge) :
	    merge ? treeMerged(weight) : down);
	sortFunctions();
	showChosen();
	find();
}

function keys(e) {
	if (e.key === "Escape") {
		$("find").value = "";
		find();
		flame.zoomTo(0);
		$("graph").focus();
	} else if (e.target.tagName === "INPUT" || e.ctrlKey || e.metaKey ||
	    e.altKey) {
		return;
	} else if (e.key === "/") {
		$("find").focus();
	} else if (e.target === $("graph") && e.key === "Enter") {
		flame.zoomTo(flame.at);
	} else if (e.target === $("graph") && flame.step(e.key)) {
		tell(flame.at);
	} else {
		return;
	}
	e.preventDefault();
}

function setTheme(dark) {
	document.documentElement.classList.toggle("dark", dark);
	document.documentElement.style.colorScheme = dark ? "dark" : "light";
	flame.draw();
}

function listen() {
	for (const id of ["who", "way", "merge"])
		$(id).addEventListener("change", rebuild);
	$("shape").addEventListener("change", () => {
		flame.shape = $("shape").value;
		flame.zoomTo(flame.zoom);
	});
	$("colour").addEventListener("change", () => {
		flame.colour = $("colour").value;
		flame.draw();
	});
	$("find").addEventListener("input", find);
	$("reset").addEventListener("click", () => flame.zoomTo(0));
	$("theme").addEventListener("click", () => setTheme(
	    !document.documentElement.classList.contains("dark")));
	$("more").addEventListener("click", () => {
		shown *= 4;
		showFunctions();
	});
	for (const b of document.querySelectorAll("th button"))
		b.addEventListener("click", () => {
			const key = b.dataset.sort;
			sorting = {key, up: sorting.key === key ? !sorting.up :
			    key === "name" || key === "module"};
			sortFunctions();
			showFunctions();
		});
	$("canvas").addEventListener("mousemove", (e) =>
	    tell(flame.hit(e.offsetX, e.offsetY)));
	$("canvas").addEventListener("mouseleave", () => tell(-1));
	$("canvas").addEventListener("click", (e) => {
		const node = flame.hit(e.offsetX, e.offsetY);
		if (node < 0)
			return;
		const func = flame.tree.func[node];
		flame.zoomTo(node);
		if (func >= 0 && func !== flame.chosen)
			choose(func);
	});
	document.addEventListener("keydown", keys);
	const dark = window.matchMedia("(prefers-color-scheme: dark)");
	dark.addEventListener("change", () => setTheme(dark.matches));
	window.addEventListener("beforeprint", () => setTheme(false));
	setTheme(dark.matches);
}

document.title = $("title").textContent = data.title;
$("footer").textContent = data.footer;
fillWho();
listen();
rebuild();
