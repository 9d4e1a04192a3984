// Context: O.  The search: marks the functions whose name has a pattern, says
// their share, and goes from one of their bars to the next.  main.js calls
// find() after each new tree and each change of the text, keys.js nextHit().
"use strict";

const LEAST_BAR = 24;		// pixels; a narrower bar is zoomed to

let hits = null;		// nodes with a found function, or null
let hit = -1;			// which of them was shown last

function matchedText(side) {
	const ns = matchedTime(full, side, flame.found);
	return `${percent(ns, side.total[0])} % of ${wholeText()}, ` +
	    weightText(ns);
}

// Returns the pattern of the search, or null; says what is wrong with it.
function pattern() {
	const text = $("find").value;
	try {
		return text === "" ? null : new RegExp(text, "i");
	} catch (e) {
		$("find").classList.add("wrong");
		$("matched").textContent = "not a valid pattern: " +
		    e.message.replace(/.*: /, "").toLowerCase();
		return null;
	}
}

function find() {
	$("find").classList.remove("wrong");
	$("matched").textContent = $("hit").textContent = "";
	const wanted = pattern();
	flame.found = wanted === null ? null :
	    names.map((n) => wanted.test(n));
	hits = null;
	hit = -1;
	$("next").disabled = $("previous").disabled = flame.found === null;
	if (flame.found !== null) {
		const count = order.filter((f) => flame.found[f]).length;
		$("matched").textContent = matchedText(full.now) + (compared ?
		    `; old ${matchedText(full.old)}` : "") +
		    `, ${count} function${count === 1 ? "" : "s"}`;
	}
	shown = LINES;
	showFunctions();
	redraw();
}

// Returns the nodes of found functions, the one with most time first; of nodes
// on one path the outermost.
function findHits() {
	const t = flame.tree, all = [], inside = new Uint8Array(t.size);
	for (let i = 1; i < t.size; i++) {
		const is = flame.found[t.func[i]];
		if (is && !inside[t.parent[i]] && t.total[i] > 0)
			all.push(i);
		inside[i] = is || inside[t.parent[i]] ? 1 : 0;
	}
	return all.sort((a, b) => t.total[b] - t.total[a]);
}

// Shows the next found bar, or with -1 the one before.
function nextHit(by) {
	if (flame.found === null)
		return;
	hits = hits ?? findHits();
	if (hits.length === 0)
		return;
	hit = hit < 0 && by < 0 ? hits.length - 1 :
	    (hit + by + hits.length) % hits.length;
	$("hit").textContent = `${hit + 1} of ${hits.length}`;
	flame.reveal(hits[hit], LEAST_BAR);
	tellAt();
}
