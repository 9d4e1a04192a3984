// Context: O.  Tells of the bar under the pointer, or of the one that the keys
// are on: a box beside it, which moves nothing else.  main.js calls it for the
// pointer, keys.js and search.js for the keys.
"use strict";

const APART = 14;		// pixels between the pointer and the box

function timesText(t, node) {
	const all = t.now.total[0];
	return `${weightText(t.total[node])}, ` +
	    `${percent(t.total[node], all)} %` +
	    errorText(t.total[node], t.now.count[node], all) +
	    (t.self[node] > 0 ? `; itself ${weightText(t.self[node])}, ` +
	    `${percent(t.self[node], all)} %` : "");
}

// Returns a sentence that describes a node, for readers of the screen.
function nodeSentence(t, node) {
	const func = t.func[node];
	return flame.name(node) + (func < 0 ? "" :
	    ` [${modules[func]}${t.inlined[node] ? ", inlined" : ""}]`) +
	    ": " + (compared ? changeSentence(unit(), nodeChange(t, node)) +
	    `; old ${weightText(t.old.total[node])}, new ` +
	    `${weightText(t.now.total[node])}` : timesText(t, node));
}

// Returns where the function of a node is: its module, and its hottest line.
function placeText(t, node) {
	const func = t.func[node];
	const place = func < 0 ? "" : functionPlace(func);
	return func < 0 ? "" : modules[func] +
	    (t.inlined[node] ? ", inlined" : "") +
	    (place === "" ? "" : ` \u00b7 most at ${place}`);
}

// Returns the rows of numbers: [what, amount, share].
function tipRows(t, node) {
	const all = t.now.total[0], up = t.parent[node];
	const share = (n, of) => `${percent(n, of)} %`;
	if (compared) {
		const c = nodeChange(t, node);
		return [["Old", weightText(t.old.total[node]),
		    share(t.old.total[node], t.old.total[0])],
		["New", weightText(t.now.total[node]),
		    share(t.now.total[node], all)],
		["Change", changeText(unit(), c), c.verdict()]];
	}
	return [[selfWord(), weightText(t.self[node]), share(t.self[node], all)],
	    ["Total", weightText(t.total[node]), share(t.total[node], all) +
	    errorText(t.total[node], t.now.count[node], all)],
	    [$("way").value === "up" ? "Of the callee" : "Of the caller", "",
	    node === 0 ? "" : share(t.total[node], t.total[up])]];
}

function fillTip(t, node) {
	const name = document.createElement("p");
	const place = document.createElement("p");
	const table = document.createElement("table");
	name.className = "name";
	appendName(name, flame.name(node));
	place.className = "place";
	place.textContent = placeText(t, node);
	for (const row of tipRows(t, node)) {
		const tr = table.insertRow();
		for (const text of row)
			tr.insertCell().textContent = text;
	}
	$("tip").replaceChildren(name, place, table);
}

// Puts the box beside a place of the window, inside the window.
function placeTip(x, y) {
	const tip = $("tip");
	tip.hidden = false;
	const right = document.documentElement.clientWidth - tip.offsetWidth - 4;
	const below = window.innerHeight - tip.offsetHeight - 4;
	tip.style.left = Math.max(4, Math.min(x + APART, right)) + "px";
	tip.style.top = (y + APART <= below ? y + APART :
	    Math.max(4, y - APART - tip.offsetHeight)) + "px";
}

function hideTip() {
	$("tip").hidden = true;
	$("told").textContent = "";
}

// Describes a node beside a place of the window; -1: none.
function tell(node, x, y) {
	if (node < 0) {
		hideTip();
		return;
	}
	$("told").textContent = nodeSentence(flame.tree, node);
	fillTip(flame.tree, node);
	placeTip(x, y);
}

// Describes the node that the keys are on, below its bar.
function tellAt() {
	const {left, right, top, bottom} = $("graph").getBoundingClientRect();
	const bar = flame.place(flame.at);
	tell(flame.at, Math.max(left, Math.min(left + bar.x, right - 40)),
	    Math.max(top, Math.min(top + bar.y + ROW, bottom)));
}

// Describes a place of the time line.
function tellText(text, x, y) {
	$("told").textContent = text;
	if (text === "") {
		hideTip();
		return;
	}
	const p = document.createElement("p");
	appendName(p, text);
	$("tip").replaceChildren(p);
	placeTip(x, y);
}
