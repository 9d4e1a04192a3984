// Context: O.  Says what keys do, and lists them.  main.js listens by keys().
"use strict";

const KEYS = [
	["/", "search"],
	["Enter, Shift+Enter", "in the search: the next bar, the one before"],
	["\u2190 \u2191 \u2193 \u2192", "move over the bars, when the picture " +
	    "has the focus"],
	["Enter", "zoom to the bar"],
	["Escape", "show all again: no zoom, no search, the whole time"],
	["c", "copy the stack of the bar"],
	["s", "save the picture as SVG"],
	["m", "the program only: it gets the time of libraries and the kernel"],
	["n", "the next hot line of the code"],
	[`1 to ${PANES.length}`, "the panes below the picture"],
	["t", "dark or light"],
	["?", "this list"],
];

function fillKeys() {
	for (const row of KEYS) {
		const tr = $("keyRows").insertRow();
		for (const text of row)
			tr.insertCell().textContent = text;
	}
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

// Handles the keys that work wherever the focus is; returns whether a key was
// one of them.
function commonKeys(key) {
	const pane = Number(key) - 1;
	if (key === "/")
		$("find").focus();
	else if (key === "?")
		$("keys").showModal();
	else if (key === "c")
		copyStack();
	else if (key === "s")
		savePicture();
	else if (key === "m")
		toggleMine();
	else if (key === "n")
		nextHot();
	else if (key === "t")
		$("theme").click();
	else if ($("tabs").children[pane] !== undefined)
		$("tabs").children[pane].click();
	else
		return false;
	return true;
}

function graphKeys(key) {
	if (key === "Enter")
		flame.zoomTo(flame.at);
	else if (!flame.step(key))
		return false;
	flame.paint();
	tellAt();
	return true;
}

// Shows all again, as at the beginning.
function leaveAll() {
	$("find").value = "";
	find();
	flame.zoomTo(0);
	if (moments !== null)
		allOfTheTime();
	if (growth !== null && growth.one !== null)
		growth.choose(0, 0);
	hideTip();
	$("graph").focus({preventScroll: true});
}

function keys(e) {
	if ($("keys").open)
		return;
	if (e.key === "Escape")
		leaveAll();
	else if (e.target === $("find") && e.key === "Enter")
		nextHit(e.shiftKey ? -1 : 1);
	else if (e.ctrlKey || e.metaKey || e.altKey ||
	    ["INPUT", "SELECT"].includes(e.target.tagName))
		return;
	else if (!(e.target === $("graph") && graphKeys(e.key)) &&
	    !(e.target === $("times") && laneKeys(e)) && !commonKeys(e.key))
		return;
	e.preventDefault();
}
