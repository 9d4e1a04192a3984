// Context: O.  Keeps what the user has chosen in the part of the address behind
// '#', so that a link shows the same.  main.js calls it when the page is made,
// when a choice changes and when the address does.
"use strict";

// Controls whose values are in the address, and their first values.
const CONTROLS = ["measure", "who", "way", "shape", "colour", "unit"];
const firstValues = {};

// Keeps the values of the controls before the address has changed any.
function rememberFirst() {
	for (const id of CONTROLS)
		if ($(id) !== null)
			firstValues[id] = $(id).value;
	firstValues.show = showsHeap ? "" : shownTime;
	firstValues.pane = shownPane();
}

// Returns what differs from a page that was just opened.
function choices() {
	const all = new URLSearchParams();
	const put = (key, value, first) => {
		if (value !== first)
			all.set(key, value);
	};
	put("show", showsHeap ? "heap" : shownTime, firstValues.show);
	for (const id of Object.keys(firstValues))
		if ($(id) !== null)
			put(id, $(id).value, firstValues[id]);
	put("merge", String($("merge").checked), "false");
	put("without", [...folded].map((k) => KINDS[k].key).join("."), "");
	put("time", lanes.range === null ? "" :
	    lanes.range.map(Math.round).join("."), "");
	put("find", $("find").value, "");
	put("zoom", flame.tree.path(flame.zoom)
	    .map((f) => f.toString(36)).join("."), "");
	put("function", String(flame.chosen), "-1");
	put("pane", shownPane(), firstValues.pane);
	return all.toString();
}

let noting = false;

// Puts the choices into the address, once for all that change together.
function note() {
	if (noting)
		return;
	noting = true;
	setTimeout(() => {
		noting = false;
		const text = choices();
		if (location.hash.slice(1) !== text)
			history.replaceState(null, "", "#" + text);
	}, 0);
}

function setControls(all) {
	for (const id of CONTROLS) {
		if ($(id) === null)
			continue;
		const value = all.get(id) ?? firstValues[id];
		if ([...$(id).options].some((o) => o.value === value))
			$(id).value = value;
	}
	$("merge").checked = all.get("merge") === "true";
	$("find").value = all.get("find") ?? "";
	if (hasBoth)
		shownTime = ["cpu", "asleep", "both"].find((x) =>
		    x === all.get("show")) ?? firstValues.show;
	folded.clear();
	for (const key of (all.get("without") ?? "").split("."))
		if (KINDS.some((kind) => kind.key === key))
			folded.add(KINDS.findIndex((kind) => kind.key === key));
}

// Makes the page show what the address says.
function obeyAddress() {
	const all = new URLSearchParams(location.hash.slice(1));
	if (beside !== null && (all.get("show") === "heap") !== showsHeap) {
		location.reload();
		return;
	}
	const time = (all.get("time") ?? "").split(".").map(Number);
	const func = Number(all.get("function") ?? -1);
	setControls(all);
	lanes.range = moments !== null && time.length === 2 &&
	    time[0] < time[1] ? time : null;
	flame.chosen = Number.isInteger(func) && func < names.length ? func : -1;
	flame.shape = $("shape").value;
	flame.colour = $("colour").value;
	if (heap)
		weighBy($("measure").value);
	rebuild();
	flame.zoomTo(flame.tree.find((all.get("zoom") ?? "").split(".")
	    .filter((x) => x !== "").map((x) => parseInt(x, 36))));
	if (PANES.some(([pane]) => pane === all.get("pane") &&
	    $(pane) !== null))
		showPane(all.get("pane"));
}
