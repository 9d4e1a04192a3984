// Context: O.  The heap over time, one process at a time, and the sizes of
// blocks.
"use strict";

const WIDE = 1000;		// width of the picture, in its own units
const HIGH = 160;

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
		picture.addEventListener("mousemove", (e) => this.tell(
		    e.offsetX / picture.clientWidth));
		picture.addEventListener("mouseleave", () => this.say(null));
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
		this.one = all.reduce((a, b) => b.peak > a.peak ? b : a);
		this.most = Math.max(1, most(this.one), ...this.one.resident);
		this.draw();
		this.showScale();
		this.say(null);
	}

	// Clears the picture: that of another process must not stay in place of
	// one that is not known.
	clear() {
		this.one = null;
		this.picture.replaceChildren();
		this.scale.replaceChildren();
		this.note.textContent = "no moment was noted of this process";
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
		    `; at the peak, which is none of them, ${bytes(p.peak)}`;
	}

	x(us) {
		const {us: at} = this.one;
		const first = at[0], last = at[at.length - 1];
		return last > first ? (us - first) / (last - first) * WIDE : 0;
	}

	y(n) {
		return HIGH - n / this.most * (HIGH - 4);
	}

	// Draws an area.  A value holds until the next known one; a resident
	// size of 0 is not known.
	area(column, name) {
		const known = this.one.us.map((us, i) => [us, column[i]])
		    .filter(([, n]) => column === this.one.live || n > 0);
		if (known.length === 0)
			return;
		let d = `M${this.x(known[0][0])} ${HIGH}`;
		for (const [us, n] of known)
			d += `H${this.x(us).toFixed(2)}V${this.y(n).toFixed(2)}`;
		svg("path", {d: d + `H${WIDE}V${HIGH}Z`, class: name},
		    this.picture);
	}

	draw() {
		this.picture.replaceChildren();
		this.area(this.one.resident, "resident");
		this.area(this.one.live, "live");
		this.line = svg("line", {y1: 0, y2: HIGH, class: "at"},
		    this.picture);
	}

	// Describes one point, or with null all of them.
	say(i) {
		const p = this.one;
		if (p === null)
			return;
		const who = data.growth.length > 1 ? `${p.pid} ${p.program}: ` :
		    "";
		const resident = (n) => n > 0 ? `, resident ${bytes(n)}` : "";
		this.note.textContent = who + (i === null ?
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
