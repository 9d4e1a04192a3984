// Context: O.  The heap timeline, of one process at a time, and the sizes of
// blocks.  main.js makes both if the page has allocations; the data are from
// html_growth.c.
"use strict";

const WIDE = 1000;		// width of the picture, in its own units
const HIGH = 160;
const LEAST_PART = 3;		// a shorter part of WIDE is a click

// Adds an element of SVG inside another one.
function svg(name, attributes, inside) {
	const e = document.createElementNS(inside.namespaceURI, name);
	for (const [key, value] of Object.entries(attributes))
		e.setAttribute(key, value);
	inside.append(e);
	return e;
}

class Growth {
	constructor(picture, note, scale) {
		this.picture = picture;
		this.note = note;
		this.scale = scale;
		this.one = null;
		this.range = null;	// the chosen part, [from, to] in us
		picture.addEventListener("mousemove", (e) => this.tell(
		    e.offsetX / picture.clientWidth));
		picture.addEventListener("mouseleave", () => this.say(null));
		this.listen();
	}

	// Listens to the mouse: what it is dragged over is chosen, a click
	// chooses nothing.
	listen() {
		const part = (e) => {
			const {left, width} = this.picture
			    .getBoundingClientRect();
			return Math.min(Math.max((e.clientX - left) / width, 0),
			    1);
		};
		let began = null;
		this.picture.addEventListener("mousedown", (e) => {
			began = this.one === null ? null : part(e);
			e.preventDefault();
		});
		document.addEventListener("mousemove", (e) => {
			if (began !== null && e.buttons === 1)
				this.choose(began, part(e));
		});
		document.addEventListener("mouseup", (e) => {
			if (began !== null && Math.abs(part(e) - began) * WIDE <
			    LEAST_PART)
				this.choose(0, 0);
			began = null;
		});
	}

	// Chooses the time between two parts of the width; equal ones: none.
	choose(a, b) {
		const {us} = this.one, first = us[0];
		const long = us[us.length - 1] - first;
		this.range = a === b ? null :
		    [Math.min(a, b), Math.max(a, b)].map((x) =>
		    first + x * long);
		this.drawRange();
		this.say(null);
	}

	// Returns the live bytes at a time: a value holds until the next one.
	liveAt(us) {
		const at = firstPast(this.one.us, us);
		return this.one.live[Math.max(at - 1, 0)];
	}

	// Returns what was live at the ends of the chosen part.
	rangeText() {
		const [from, to] = this.range;
		const before = this.liveAt(from), after = this.liveAt(to);
		return `from ${seconds(from * 1000)} to ${seconds(to * 1000)}: ` +
		    `${bytes(before)} to ${bytes(after)} ${this.one.what}, ` +
		    (after < before ? "\u2212" : "+") +
		    bytes(Math.abs(after - before)) +
		    (beside?.dataset.began !== undefined ? "" :
		    "; prof record --heap --log also records what ran then");
	}

	drawRange() {
		const from = this.range === null ? 0 : this.x(this.range[0]);
		const to = this.range === null ? 0 : this.x(this.range[1]);
		this.chosen.setAttribute("x", from);
		this.chosen.setAttribute("width", to - from);
		$("grownAll").hidden = this.range === null;
		$("grownHint").hidden = this.range !== null;
		$("grownTime").hidden = this.range === null ||
		    beside?.dataset.began === undefined;
	}

	// Shows the time line and the stacks of the chosen part, which are in
	// the page's other data.
	showTime() {
		const shift = this.one.began - Number(beside.dataset.began);
		history.replaceState(null, "", "#" + new URLSearchParams({
			time: this.range.map((us) => Math.round(us + shift))
			    .join("."),
		}));
		location.reload();
	}

	// Shows the process of that number; null: the one with the highest
	// peak.
	show(process) {
		const most = (p) => Math.max(...p.live);
		const all = data.growth.filter((p) => process === null ||
		    p.process === process);
		if (all.length === 0) {
			this.clear();
			return;
		}
		const one = all.reduce((a, b) => b.peak > a.peak ? b : a);
		if (one !== this.one)
			this.range = null;
		this.one = one;
		// Resident memory that is more than twice the live bytes would
		// leave no room for their changes: only the text has it.
		const resident = Math.max(...this.one.resident);
		this.most = Math.max(1, most(this.one));
		this.drawn = resident / 2 <= this.most;
		if (this.drawn)
			this.most = Math.max(this.most, resident);
		this.draw();
		this.showScale();
		this.say(null);
	}

	// Clears the picture: that of another process must not stay in place of
	// one that is not known.
	clear() {
		this.one = this.range = null;
		this.picture.replaceChildren();
		this.scale.replaceChildren();
		$("grownLevels").replaceChildren();
		for (const id of ["grownAll", "grownTime", "grownHint"])
			$(id).hidden = true;
		this.note.textContent = "not recorded for this process";
	}

	// Shows the seconds since the process began, at equal parts of the
	// picture.
	showScale() {
		const {us} = this.one, last = us[us.length - 1];
		this.scale.replaceChildren(...[0, 1, 2, 3, 4].map((part) => {
			const one = document.createElement("span");
			one.textContent = seconds((us[0] +
			    (last - us[0]) * part / 4) * 1000);
			return one;
		}));
	}

	// Returns a text for a peak that was between two of the points.
	peakText(p, most) {
		return bytes(p.peak) === bytes(most) || p.peak < most ? "" :
		    `; the peak was between two of them, ${bytes(p.peak)}`;
	}

	x(us) {
		const {us: at} = this.one;
		const first = at[0], last = at[at.length - 1];
		return last > first ? (us - first) / (last - first) * WIDE : 0;
	}

	y(n) {
		return HIGH - n / this.most * (HIGH - 4);
	}

	// Draws an area, or of resident memory a line.  A value holds until the
	// next known one; a resident size of 0 is not known.
	area(column, name) {
		const known = this.one.us.map((us, i) => [us, column[i]])
		    .filter(([, n]) => column === this.one.live || n > 0);
		if (known.length === 0)
			return;
		const line = name === "resident";
		let d = `M${this.x(known[0][0])} ` +
		    (line ? this.y(known[0][1]).toFixed(2) : HIGH);
		for (const [us, n] of known)
			d += `H${this.x(us).toFixed(2)}V${this.y(n).toFixed(2)}`;
		svg("path", {d: d + `H${WIDE}` + (line ? "" : `V${HIGH}Z`),
		    class: name}, this.picture);
	}

	// Draws a line at round amounts; their texts stand beside them.
	levels() {
		const step = this.roundBytes(this.most / 3);
		const texts = [];
		for (let n = 0; n <= this.most; n += step) {
			const y = this.y(n), text = document.createElement("span");
			svg("line", {x1: 0, x2: WIDE, y1: y, y2: y,
			    class: "level"}, this.picture);
			text.textContent = n === 0 ? "0" : bytes(n);
			text.style.top = `${100 * y / HIGH}%`;
			texts.push(text);
		}
		$("grownLevels").replaceChildren(...texts);
	}

	// Returns the smallest round amount of bytes that is at least so large.
	roundBytes(least) {
		let unit = 1;
		while (unit * 1024 <= least)
			unit *= 1024;
		return unit * [1, 2, 5, 10, 20, 50, 100, 200, 500, 1024].find(
		    (n) => n * unit >= least);
	}

	draw() {
		this.picture.replaceChildren();
		this.area(this.one.live, "live");
		if (this.drawn)
			this.area(this.one.resident, "resident");
		this.levels();
		this.chosen = svg("rect", {y: 0, height: HIGH, width: 0,
		    class: "chosen"}, this.picture);
		this.drawRange();
		this.line = svg("line", {y1: 0, y2: HIGH, class: "at"},
		    this.picture);
	}

	// Describes one point, or with null the chosen part or all of them.
	say(i) {
		const p = this.one;
		if (p === null)
			return;
		const who = data.growth.length > 1 ? `${p.pid} ${p.program}: ` :
		    "";
		const resident = (n) => n > 0 ? `, resident ${bytes(n)}` : "";
		this.note.textContent = who + (i === null && this.range !== null ?
		    this.rangeText() : i === null ?
		    `at most ${bytes(Math.max(...p.live))} ${p.what}` +
		    resident(Math.max(...p.resident)) + ` at ${p.us.length} ` +
		    "moments" + this.peakText(p, Math.max(...p.live)) +
		    (exact ? "" : "; live bytes are estimates") :
		    `at ${seconds(p.us[i] * 1000)}: ${bytes(p.live[i])} ${p.what}` +
		    resident(p.resident[i]));
		const x = i === null ? -1 : this.x(p.us[i]);
		this.line.setAttribute("x1", x);
		this.line.setAttribute("x2", x);
	}

	tell(part) {
		let best = 0;
		if (this.one === null)
			return;
		this.one.us.forEach((us, i) => {
			const far = (k) => Math.abs(this.x(this.one.us[k]) -
			    part * WIDE);
			if (far(i) < far(best))
				best = i;
		});
		this.say(best);
	}
}

// Fills the table of size classes, from the first to the last that has blocks.
function showSizes(table) {
	const most = Math.max(...data.sizes);
	const sum = data.sizes.reduce((a, b) => a + b, 0);
	const first = data.sizes.findIndex((n) => n > 0);
	const last = data.sizes.findLastIndex((n) => n > 0);

	for (let i = first; i <= last && i >= 0; i++) {
		const row = table.insertRow();
		const put = (text) => {
			row.insertCell().textContent = text;
		};
		put(bytes(i === 0 ? 0 : 2 ** (i - 1)));
		put(bytes(i === 0 ? 0 : 2 ** i - 1));
		put(data.sizes[i].toLocaleString("en"));
		put((100 * data.sizes[i] / sum).toFixed(1));
		const bar = document.createElement("div");
		bar.style.width = `${100 * data.sizes[i] / most}%`;
		row.insertCell().append(bar);
	}
}
