// Context: O.  The page itself: what the user chooses, and what follows from
// it.  It is the last script: embed.awk joins them in the order of HTML_PARTS
// in local.mk, and they share one scope.  Its end makes the page.
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
	const add = (value, text) => addOption($("who"), value, text);
	add("all", data.processes.length === 1 && data.threads.length === 1 ?
	    "all" : `all ${data.threads.filter((t) => t.tid !== null).length || ""}`.trim());
	data.processes.forEach((p, i) => {
		const own = data.threads.map((t, k) => [t, k])
		    .filter(([t]) => t.process === i);
		if (data.processes.length > 1)
			add("process:" + i, named(p.pid, p.program));
		if (own.length > 1)
			for (const [t, k] of own)
				add("thread:" + k, "\u2003" + (threadNames === null ?
				    named(t.tid, t.name) :
				    `${t.tid ?? ""} ${threadNames[k].replace(
				    / \d+$/, "")}`.trim()));
	});
}

function choose(func) {
	flame.chosen = flame.chosen === func ? -1 : func;
	if (flame.chosen >= 0)
		leaveFindings();
	showFunctions();
	showChosen();
	redraw();
	note();
}

// Leaves out a kind of functions, or shows it again.
function toggleKind(kind) {
	if (!folded.delete(kind))
		folded.add(kind);
	rebuild();
}

function addOption(select, value, text) {
	const o = document.createElement("option");
	o.value = value;
	o.textContent = text;
	select.append(o);
}

function rebuild() {
	const wants = chooser();
	const weigh = (shows) => lanes.range === null ?
	    wanted(samples.now, wants, shows) : lanes.weigh(wants, shows);
	picked = weigh(isShown);
	const weights = {
		now: weighSide(samples.now, picked),
		old: compared ? weighSide(samples.old,
		    wanted(samples.old, wants)) : null,
	};
	const merge = $("merge").checked;
	full = treeDown(weights);
	down = folded.size === 0 ? full : treeFolded(weights, false);
	times = {
		now: functionTimes(down, down.now),
		old: compared ? functionTimes(down, down.old) : null,
	};
	flame.show($("way").value === "up" ? treeUp(weights, merge) :
	    merge ? treeFolded(weights, true) : down);
	reckon();
	if (causeOf !== null)
		showReasons(weigh(isAsleep).ns);
	showKinds(toggleKind);
	note();
	growth?.show(chosenProcess());
	if (moments === null)
		return;
	lanes.show(wants);
	$("span").textContent = lanes.span();
	$("laneHint").hidden = lanes.range !== null;
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
	    (old === 0 ? "" : ` (${sign}${(by * 100 / old).toFixed(1)} %)`) +
	    (data.work ? `; work: ${data.work[0]} before, ${data.work[1]} ` +
	    "now; the numbers of new are for the work of old" : "");
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
	const none = flame.largest === 0;
	$("scale").hidden = $("scaleMost").hidden = none;
	$("scaleLeast").textContent = none ? "no change is sure" :
	    `shrank by ${most}`;
	$("scaleMost").textContent = `grew by ${most}`;
	$("scaleNoise").textContent = exact ? "grey: the same" :
	    "grey: less than " +
	    `${data.sure} standard deviations of the samples, which may be ` +
	    "chance; what differs from run to run is not in them";
}

function allOfTheTime() {
	if (lanes.clear())
		rebuild();
}

function setTheme(dark) {
	document.documentElement.classList.toggle("dark", dark);
	document.documentElement.style.colorScheme = dark ? "dark" : "light";
	if (compared)
		showLegend();
	if (full !== null) {
		showKinds(toggleKind);
		showFunctions();
	}
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
	$("lanes").addEventListener("mousemove", (e) => tellText(
	    lanes.tell(e.offsetX, e.offsetY), e.clientX, e.clientY));
	$("lanes").addEventListener("mouseleave", hideTip);
	$("zoomIn").addEventListener("click", () => lanes.zoomIn());
	$("allTime").addEventListener("click", allOfTheTime);
}

// Zooms to a bar and chooses its function.  A finger has no pointer that could
// rest on a bar: its first touch describes the bar.
function clickBar(e) {
	const node = flame.hit(e.offsetX, e.offsetY);
	const again = node === flame.at;
	if (node < 0)
		return;
	const func = flame.tree.func[node];
	flame.at = node;
	if (e.pointerType === "touch" && !again) {
		tell(node, e.clientX, e.clientY);
	} else {
		hideTip();
		flame.zoomTo(node);
	}
	if (func >= 0 && func !== flame.chosen)
		choose(func);
}

function listenToPicture() {
	$("canvas").addEventListener("mousemove", (e) =>
	    tell(flame.hit(e.offsetX, e.offsetY), e.clientX, e.clientY));
	$("canvas").addEventListener("mouseleave", hideTip);
	$("canvas").addEventListener("click", clickBar);
	$("graph").addEventListener("blur", hideTip);
	flame.zoomed = () => {
		showCrumbs();
		note();
	};
	$("reset").addEventListener("click", () => flame.zoomTo(0));
	$("copy").addEventListener("click", copyStack);
	$("save").addEventListener("click", savePicture);
}

function listenToControls() {
	for (const id of ["who", "way", "merge"])
		$(id).addEventListener("change", rebuild);
	$("shape").addEventListener("change", () => {
		flame.shape = $("shape").value;
		flame.zoomTo(flame.zoom);
	});
	$("colour").addEventListener("change", () => {
		flame.colour = $("colour").value;
		note();
		redraw();
	});
	$("unit")?.addEventListener("change", () => {
		reckon();
		note();
	});
	$("measure")?.addEventListener("change", () => {
		weighBy($("measure").value);
		rebuild();
	});
	for (const id of ["view", "piece"])
		$(id).addEventListener("change", showAgain);
	$("find").addEventListener("input", () => {
		find();
		note();
	});
	$("next").addEventListener("click", () => nextHit(1));
	$("previous").addEventListener("click", () => nextHit(-1));
	$("nextHot").addEventListener("click", nextHot);
	$("mine").addEventListener("click", toggleMine);
	$("help").addEventListener("click", () => $("keys").showModal());
	$("theme").addEventListener("click", () => setTheme(!isDark()));
	$("grownTime")?.addEventListener("click", () => growth.showTime());
	$("grownAll")?.addEventListener("click", () => growth.choose(0, 0));
	$("more").addEventListener("click", () => {
		shown *= 4;
		showFunctions();
	});
}

function listen() {
	listenToControls();
	listenToPicture();
	if (moments !== null)
		listenToLanes();
	document.addEventListener("keydown", keys);
	const dark = window.matchMedia("(prefers-color-scheme: dark)");
	dark.addEventListener("change", () => setTheme(dark.matches));
	window.addEventListener("beforeprint", () => toPaper(true));
	window.addEventListener("afterprint", () => toPaper(false));
	window.addEventListener("hashchange", obeyAddress);
	narrow.addEventListener("change", () => {
		showFunctions();
		showChosen();
	});
	setTheme(dark.matches);
}

// Shows what the page is of: the command, then when, where and how much.
function showHead() {
	const of = (x) => x.command ?? x.title;
	const both = (x, old) => compared ? `${x} compared with ${
	    x === old ? "an earlier run" : old}` : x;
	document.title = both(data.title, data.old?.title);
	$("title").textContent = $("title").title =
	    both(of(data), compared ? of(data.old) : "");
	const lines = (head) => head.map((x) => x.replace("+-", "\u00b1")
	    .replace("listed below", "listed under About"));
	$("facts").textContent = lines(data.head).join("\n");
	$("footer").textContent = data.footer;
	if (!compared)
		return;
	$("footer").textContent = data.notes + data.footer;
	$("facts").textContent = "new: " + lines(data.head).join("; ");
	$("oldFacts").textContent = "old: " + [data.old.command ?? "",
	    ...lines(data.old.head)].join("; ");
	$("oldFooter").textContent = data.old.footer;
}

// Shows another kind of numbers.  In other data only the search, of all that
// was chosen, means the same.
function showSubject(value) {
	if (showsHeap || value === "heap") {
		const all = new URLSearchParams({show: value});
		if ($("find").value !== "")
			all.set("find", $("find").value);
		history.replaceState(null, "", "#" + all);
		location.reload();
		return;
	}
	shownTime = value;
	showSubjects();
	rebuild();
	if (["functions", "findings", "reasons"].includes(shownPane()))
		showPane(firstPane());
}

// Offers what the page can show: CPU time, time asleep or both, and
// allocations; or says which of them it is.
function showSubjects() {
	const words = {cpu: "CPU time", asleep: "Asleep", both: "Both",
	    heap: "Heap"};
	const times = beside !== null ? beside.dataset.times.split(" ") :
	    hasBoth ? ["cpu", "asleep", "both"] : [];
	const all = beside !== null ? [...times, "heap"] : times;
	const now = showsHeap ? "heap" : shownTime;
	$("what").replaceChildren(...all.map((value) => {
		const button = document.createElement("button");
		button.role = "radio";
		button.dataset.show = value;
		button.ariaChecked = String(value === now);
		button.textContent = words[value];
		button.addEventListener("click", () => showSubject(value));
		return button;
	}));
	if (all.length === 0)
		$("what").textContent = data.subject;
}

function removeAll(selector) {
	document.querySelectorAll(selector).forEach((e) => e.remove());
}

// Removes what this profile has no data for.
function removeOthers() {
	if (compared)
		$("colour").value = flame.colour = "change";
	else
		removeAll(".compared");
	if (moments === null)
		removeAll(".timed");
	if (!heap)
		removeAll(".heap");
	// Amounts alone are judged where the work of both is known.
	if (data.work)
		$("unit").options[1].remove();
	if (heap && compared)
		$("unit").options[0].textContent = "bytes or blocks";
	if (heap && data.sizes.some((n) => n > 0))
		showSizes($("sizeRows"));
	else
		removeAll(".sized");
	if (growth === null)
		removeAll(".grown");
	if (compared || data.findings.length < 2)
		removeAll("#findings");
	if (causeOf === null)
		removeAll("#reasons");
	document.body.classList.toggle("plain", $("findings") === null);
}

document.body.classList.toggle("two", compared);
showHead();
if (heap) {
	fillMeasures();
	weighBy(measure.name);
}
removeOthers();
fillWho();
fillKeys();
makeTabs(note);
showPane(firstPane());
makeHeadings();
rememberFirst();
listen();
obeyAddress();
showSubjects();
if ($("findings") !== null)
	showFindings();
