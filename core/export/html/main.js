// Context: O.  The page itself: what the user chooses, and what follows from
// it.
"use strict";

const flame = new Flame($("graph"), $("canvas"), $("space"));
const lanes = new Lanes($("times"), $("lanes"));
const growth = heap && data.growth.length > 0 ?
    new Growth($("grown"), $("grownAt"), $("grownScale")) : null;
let picked = null;		// time and number of each sample, as chosen

function redraw() {
	flame.draw();
	lanes.draw();
}

// Returns a function that says whether a thread is chosen in the list: "all", a
// process, or a thread.
function chooser() {
	const value = $("who").value;
	if (value === "all")
		return () => true;
	const [kind, number] = value.split(":");
	if (kind === "thread")
		return (t) => t === Number(number);
	return (t) => data.threads[t].process === Number(number);
}

// Returns the number of the chosen process, or null.  In a comparison processes
// are known by name only, so it is null.
function chosenProcess() {
	const [kind, number] = $("who").value.split(":");
	return compared || kind === "all" ? null : kind === "process" ?
	    Number(number) : data.threads[Number(number)].process;
}

function fillWho() {
	const named = (id, name) => id === null ? name : `${id} ${name}`;
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
			add("process:" + i, named(p.pid, p.program));
		if (own.length > 1)
			for (const [t, k] of own)
				add("thread:" + k, "\u2003" +
				    named(t.tid, t.name));
	});
}

function choose(func) {
	flame.chosen = flame.chosen === func ? -1 : func;
	showFunctions();
	showChosen();
	redraw();
}

function timesText(t, node) {
	const all = t.now.total[0];
	return `${weightText(t.total[node])}, ` +
	    `${percent(t.total[node], all)} %` +
	    errorText(t.total[node], t.now.count[node], all) +
	    (t.self[node] > 0 ? `; itself ${weightText(t.self[node])}, ` +
	    `${percent(t.self[node], all)} %` : "");
}

function tell(node) {
	const t = flame.tree;
	if (node < 0) {
		$("told").textContent = "";
		return;
	}
	const func = t.func[node];
	$("told").textContent = flame.name(node) + (func < 0 ? "" :
	    ` [${modules[func]}${t.inlined[node] ? ", inlined" : ""}]`) +
	    ": " + (compared ? changeSentence(unit(), nodeChange(t, node)) +
	    `; old ${weightText(t.old.total[node])}, new ` +
	    `${weightText(t.now.total[node])}` : timesText(t, node));
}

function matchedText(side) {
	const ns = matchedTime(down, side, flame.found);
	return `${percent(ns, side.total[0])} % of ${wholeText()}, ` +
	    weightText(ns);
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
	$("matched").textContent = pattern === null ? "" :
	    matchedText(down.now) + (compared ?
	    `; old ${matchedText(down.old)}` : "");
	shown = LINES;
	showFunctions();
	redraw();
}

function rebuild() {
	const wants = chooser();
	picked = lanes.range === null ? wanted(samples.now, wants) :
	    lanes.weigh(wants);
	const weights = {
		now: weighSide(samples.now, picked),
		old: compared ? weighSide(samples.old,
		    wanted(samples.old, wants)) : null,
	};
	const merge = $("merge").checked;
	down = treeDown(weights);
	times = {
		now: functionTimes(down, down.now),
		old: compared ? functionTimes(down, down.old) : null,
	};
	flame.show($("way").value === "up" ? treeUp(weights, merge) :
	    merge ? treeMerged(weights) : down);
	reckon();
	growth?.show(chosenProcess());
	if (moments === null)
		return;
	lanes.show(wants);
	$("span").textContent = lanes.span();
	$("zoomIn").hidden = lanes.range === null;
	$("allTime").hidden = lanes.range === null && !lanes.isZoomed();
}

// Updates everything but the trees.
function reckon() {
	if (compared) {
		flame.largest = largestChange();
		showSum();
	}
	sortFunctions();
	showChosen();
	find();
}

// Shows the sum of all changes, as prof --diff has it below its table.
function showSum() {
	const old = down.old.total[0], now = down.now.total[0];
	const by = Math.abs(now - old), sign = now < old ? "\u2212" : "+";
	$("sum").textContent = `old ${weightText(old)}, ` +
	    `new ${weightText(now)}: ` +
	    sign + (heap ? weightText(by) : (by / 1e9).toFixed(3) + " s") +
	    (old === 0 ? "" : ` (${sign}${(by * 100 / old).toFixed(1)} %)`);
	showLegend();
}

// Shows the colors of changes, from the largest decrease to an increase of the
// same size.
function showLegend() {
	const share = heap ? ` % of ${wholeText()}` : " % of all time";
	const most = amount(unit(), flame.largest) +
	    (unit() === "share" ? share : heap ? "" : " s");
	flame.readColours();
	$("scale").replaceChildren(...[-1, -0.5, -0.1, 0, 0.1, 0.5, 1].map(
	    (by) => {
		const box = document.createElement("span");
		box.style.background = flame.shade(by);
		return box;
	    }));
	$("scaleLeast").textContent = `shrank by ${most}`;
	$("scaleMost").textContent = `grew by ${most}`;
	$("scaleNoise").textContent = exact ? "grey: the same" :
	    "grey: less than " +
	    `${data.sure} standard deviations of the samples, which may be ` +
	    "chance; what differs from run to run is not in them";
}

// Handles the keys of the time line while it has the focus; returns whether a
// key was one of them.
function laneKeys(e) {
	const by = {ArrowLeft: -1, ArrowRight: 1}[e.key];
	if (e.key === "Enter") {
		lanes.zoomIn();
	} else if (by !== undefined) {
		lanes.step(by, e.shiftKey);
		rebuild();
	} else {
		return false;
	}
	return true;
}

function allOfTheTime() {
	if (lanes.clear())
		rebuild();
}

function keys(e) {
	if (e.key === "Escape") {
		$("find").value = "";
		find();
		flame.zoomTo(0);
		if (moments !== null)
			allOfTheTime();
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
	} else if (e.target !== $("times") || !laneKeys(e)) {
		return;
	}
	e.preventDefault();
}

function setTheme(dark) {
	document.documentElement.classList.toggle("dark", dark);
	document.documentElement.style.colorScheme = dark ? "dark" : "light";
	if (compared)
		showLegend();
	redraw();
}

// Prepares for a printer: the theme is light and the picture is drawn whole, at
// once, as nothing is drawn later on paper.
let darkBefore = false;

function toPaper(begins) {
	if (begins)
		darkBefore = document.documentElement.classList
		    .contains("dark");
	setTheme(begins ? false : darkBefore);
	flame.paper = begins;
	flame.paint();
	if (moments !== null)
		lanes.paint();
}

function listenToLanes() {
	lanes.listen(rebuild);
	$("lanes").addEventListener("mousemove", (e) => {
		$("told").textContent = lanes.tell(e.offsetX, e.offsetY);
	});
	$("lanes").addEventListener("mouseleave", () => tell(-1));
	$("zoomIn").addEventListener("click", () => lanes.zoomIn());
	$("allTime").addEventListener("click", allOfTheTime);
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
		redraw();
	});
	if (compared)
		$("unit").addEventListener("change", reckon);
	if (heap)
		$("measure").addEventListener("change", () => {
			weighBy($("measure").value);
			rebuild();
		});
	for (const id of ["view", "piece"])
		$(id).addEventListener("change", showAgain);
	$("find").addEventListener("input", find);
	$("reset").addEventListener("click", () => flame.zoomTo(0));
	$("theme").addEventListener("click", () => setTheme(
	    !document.documentElement.classList.contains("dark")));
	$("more").addEventListener("click", () => {
		shown *= 4;
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
	if (moments !== null)
		listenToLanes();
	document.addEventListener("keydown", keys);
	const dark = window.matchMedia("(prefers-color-scheme: dark)");
	dark.addEventListener("change", () => setTheme(dark.matches));
	window.addEventListener("beforeprint", () => toPaper(true));
	window.addEventListener("afterprint", () => toPaper(false));
	setTheme(dark.matches);
}

document.title = $("title").textContent = data.title;
$("footer").textContent = data.footer;
if (compared)
	$("oldFooter").textContent = data.old.footer;
document.body.classList.toggle("two", compared);
if (compared)
	$("colour").value = flame.colour = "change";
else
	document.querySelectorAll(".compared").forEach((e) => e.remove());
if (moments === null)
	document.querySelectorAll(".timed").forEach((e) => e.remove());
if (heap) {
	fillMeasures();
	weighBy(measure.name);
} else {
	document.querySelectorAll(".heap").forEach((e) => e.remove());
}
if (heap && compared) {
	$("unit").options[0].textContent = "share";
	$("unit").options[1].textContent = "bytes or blocks";
}
if (heap && data.sizes.some((n) => n > 0))
	showSizes($("sizeRows"));
else
	document.querySelectorAll(".sized").forEach((e) => e.remove());
if (growth === null)
	document.querySelectorAll(".grown").forEach((e) => e.remove());
fillWho();
makeHeadings();
rebuild();
flame.tellModulesApart(times.now.self);
listen();
