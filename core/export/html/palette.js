// Context: O.  The colors of functions, and the legend that explains them.  A
// color says whose code it is: warm is the program, cool are libraries, grey is
// the system.  A module has the same color on each page.  flame.js and table.js
// take colors, main.js shows the legend.
"use strict";

// By number of enum html_kind: the name in an address, words for the legend,
// the range of hues, and saturation and lightness on a light and on a dark
// page.
const KINDS = [
	{key: "program", words: "program", from: 26, to: 44,
	    light: [74, 73], dark: [42, 36]},
	{key: "library", words: "libraries", from: 168, to: 268,
	    light: [44, 77], dark: [30, 38]},
	{key: "system", words: "C library", from: 215, to: 215,
	    light: [12, 83], dark: [9, 33]},
	{key: "kernel", words: "kernel", from: 215, to: 215,
	    light: [7, 72], dark: [7, 26]},
	{key: "generated", words: "generated code", from: 72, to: 88,
	    light: [42, 74], dark: [28, 35]},
	{key: "unknown", words: "not known", from: 215, to: 215,
	    light: [0, 89], dark: [0, 24]},
];

function hash(text) {
	let h = 0x811c9dc5;
	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
	return (h ^ h >>> 15) >>> 0;
}

function isDark() {
	return document.documentElement.classList.contains("dark");
}

// Returns the hue of a module, the same on all pages.
function moduleHue(kind, module) {
	const {from, to} = KINDS[kind];
	return from + hash(module) % (to - from + 1);
}

// Returns [hue, saturation, lightness] of a function by its module.  Lightness
// varies a little from function to function, so that neighbours have an edge.
function originColour(func) {
	const kind = KINDS[kinds[func]];
	const [saturation, lightness] = isDark() ? kind.dark : kind.light;
	return [moduleHue(kinds[func], isStandard[func] ? "std" :
	    modules[func]), saturation,
	    lightness + hash(names[func]) % 5 - 2];
}

// Returns [hue, saturation, lightness] of a function by its name alone.
function nameColour(func) {
	return [hash(names[func]) % 360, isDark() ? 30 : 52, isDark() ? 38 : 74];
}

// Returns the CSS color; quiet: it is not what the user looks for.
function cssColour([hue, saturation, lightness], quiet) {
	return `hsl(${hue} ${quiet ? saturation / 5 : saturation}% ` +
	    `${quiet && !isDark() ? lightness + 6 : lightness}%)`;
}

function swatch(kind) {
	const own = KINDS[kind], i = document.createElement("i");
	const [saturation, lightness] = isDark() ? own.dark : own.light;
	i.style.background = `hsl(${(own.from + own.to) / 2} ${saturation}% ` +
	    `${lightness}%)`;
	return i;
}

// The kinds that are left out where the program stands alone
const OTHERS = [1, 2, 3];

// Leaves out all that is not of the program, or shows all again.
function toggleMine() {
	const mine = OTHERS.every((k) => folded.has(k));
	folded.clear();
	if (!mine)
		OTHERS.forEach((k) => folded.add(k));
	rebuild();
}

// Returns by kind the time of its functions themselves, undefined for a kind
// that the tree does not have.
function kindTimes(tree) {
	const times = [];
	tree.func.forEach((f, i) => {
		if (f >= 0)
			times[kinds[f]] = (times[kinds[f]] ?? 0) +
			    tree.now.self[i];
	});
	return times;
}

// Shows each kind of code that there is as a button that folds it into its
// callers, with its share of what is drawn; of what is folded that of its own.
function showKinds(toggled) {
	const own = kindTimes(full), drawn = kindTimes(down);
	const all = full.now.total[0];
	$("kinds").replaceChildren(...KINDS.map((kind, k) => {
		const button = document.createElement("button");
		const off = folded.has(k);
		button.dataset.kind = kind.key;
		button.ariaPressed = String(!off);
		button.title = off ? `show ${kind.words} again` :
		    `leave out ${kind.words}: their callers get their ` +
		    weightNoun();
		button.append(swatch(k), kind.words + " ");
		const share = document.createElement("b");
		share.textContent = percent((off ? own[k] : drawn[k]) ?? 0,
		    all) + " %";
		button.append(share);
		button.addEventListener("click", () => toggled(k));
		button.hidden = own[k] === undefined && !off;
		return button;
	}));
	$("mine").ariaPressed = String(OTHERS.every((k) => folded.has(k)));
	$("kindsNote").textContent = folded.size === 0 ? "" :
	    `without ${[...folded].map((k) => KINDS[k].words).join(", ")}: ` +
	    `callers have their ${weightNoun()}`;
}
