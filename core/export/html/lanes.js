// Context: O.  The time line: a lane for each thread shows when it ran, and a
// piece of the time can be chosen.  main.js makes the only one, also if the
// page has no moments; then it draws nothing.
"use strict";

const LANE = 18;
const HEAD = 20;		// height of the scale above the lanes
const LABEL = 150;		// width of the names beside them
const MOST_LANES = 200;		// most lanes shown, of the busiest threads
const LEAST_DRAG = 3;		// pixels; a shorter drag is a click
const LEAST_VIEW = 10;		// us; a shorter piece shows nothing

class Lanes {
	constructor(section, canvas) {
		this.section = section;
		this.canvas = canvas;
		this.pen = canvas.getContext("2d");
		this.range = null;	// the chosen piece, [from, to]
		this.drag = null;
		this.pending = false;
		this.lanes = [];
		this.more = 0;
		if (moments === null)
			return;
		this.labels = threadNames;
		Object.assign(this, momentsByThread());
		this.whole = extentOfMoments();
		this.view = this.whole;
		new ResizeObserver(() => this.draw()).observe(section);
	}

	// Shows the wanted threads in the order in which they first ran; if
	// there are too many, the busiest ones.
	show(wants) {
		const all = data.threads.map((t, i) => i)
		    .filter((i) => wants(i) && this.of[i].length > 0);
		const busiest = new Set([...all].sort((a, b) =>
		    this.time[b] - this.time[a]).slice(0, MOST_LANES));
		this.lanes = all.filter((i) => busiest.has(i)).sort((a, b) =>
		    this.of[a][0] - this.of[b][0]);
		this.more = all.length - this.lanes.length;
		this.lost = this.timeless.reduce((sum, ns, i) =>
		    wants(i) && ns > 0 ? sum + ns : sum, 0);
		this.draw();
	}

	draw() {
		if (this.pending || moments === null)
			return;
		this.pending = true;
		requestAnimationFrame(() => {
			this.pending = false;
			this.paint();
		});
	}

	// Marks the stacks with a found function on them, or with the chosen
	// function while there is no search.
	markStacks() {
		if (this.markedFor === flame.found &&
		    this.markedChosen === flame.chosen)
			return;
		this.markedFor = flame.found;
		this.markedChosen = flame.chosen;
		this.marked = new Uint8Array(stacks.size);
		for (let i = 1; i < stacks.size; i++) {
			const f = stacks.func[i];
			this.marked[i] = this.marked[stacks.parent[i]] ||
			    (flame.found !== null ? flame.found[f] :
			    f === flame.chosen) ? 1 : 0;
		}
	}

	size() {
		const ratio = window.devicePixelRatio || 1;
		const width = this.section.clientWidth;
		const height = HEAD + this.lanes.length * LANE;
		this.canvas.width = width * ratio;
		this.canvas.height = height * ratio;
		this.canvas.style.width = width + "px";
		this.canvas.style.height = height + "px";
		this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.pen.font = "12px system-ui, sans-serif";
		this.pen.textBaseline = "middle";
		this.width = Math.max(width - LABEL, 1);
		this.scale = this.width / (this.view[1] - this.view[0]);
	}

	paint() {
		this.size();
		this.markStacks();
		flame.readColours();
		this.paintScale();
		this.lanes.forEach((thread, i) =>
		    this.paintLane(thread, HEAD + i * LANE));
		this.paintRange();
	}

	paintScale() {
		const step = roundStep(90 / this.scale);
		const places = Math.max(0, 6 - Math.floor(Math.log10(step)));
		this.pen.fillStyle = flame.colours.dim;
		for (let us = Math.ceil(this.view[0] / step) * step;
		    us <= this.view[1]; us += step) {
			const x = this.x(us);
			this.pen.fillRect(x, HEAD - 4, 1, 4);
			const text = `${(us / 1e6).toFixed(Math.min(places, 6))} s`;
			const wide = this.pen.measureText(text).width;
			if (x + wide <= LABEL + this.width)
				this.pen.fillText(text, x + 3, HEAD / 2);
		}
	}

	x(us) {
		return LABEL + (us - this.view[0]) * this.scale;
	}

	// Returns the function that stands for a moment: where a thread sleeps
	// the one that asked for it, as all sleep is in the same few functions
	// of the C library.
	functionOf(moment, node) {
		const {asleep} = samples.now;
		return asleep !== null && asleep[moments.sample[moment]] === 1 ?
		    sleeperOf(node) : stacks.func[node];
	}

	// Returns whether a sample is beside what is shown: time asleep, or
	// where that alone is shown CPU time.
	isBeside(s) {
		return samples.now.asleep !== null &&
		    (samples.now.asleep[s] === 1) !== (shownTime === "asleep");
	}

	// Computes for each pixel how busy the thread was, where most of the
	// time was, and how much time was beside what is shown.  The keys of
	// `where` are pixel, function and mark in one number.
	weighLane(thread) {
		const own = this.of[thread], kinds = names.length * 2;
		const busy = new Float64Array(this.width);
		const beside = new Float64Array(this.width);
		const where = new Map();
		for (const i of own) {
			const to = moments.at[i];
			const from = to - moments.ns[i] / 1000;
			// A sample that ends later can begin sooner.
			if (to <= this.view[0] || from >= this.view[1])
				continue;
			const x0 = Math.max(this.x(from) - LABEL, 0);
			const x1 = Math.min(this.x(to) - LABEL, this.width);
			const apart = this.isBeside(moments.sample[i]);
			const node = samples.now.node[moments.sample[i]];
			const kind = this.functionOf(i, node) * 2 +
			    this.marked[node];
			for (let p = Math.floor(x0); p < x1; p++) {
				const part = Math.min(x1, p + 1) - Math.max(x0, p);
				(apart ? beside : busy)[p] += part;
				if (apart)
					continue;
				const key = p * kinds + kind;
				where.set(key, (where.get(key) || 0) + part);
			}
		}
		return {busy, beside, kind: this.mostOf(where, kinds)};
	}

	mostOf(where, kinds) {
		const most = new Float64Array(this.width);
		const kind = new Int32Array(this.width).fill(-1);
		for (const [key, part] of where) {
			const p = Math.floor(key / kinds);
			if (part > most[p]) {
				most[p] = part;
				kind[p] = key % kinds;
			}
		}
		return kind;
	}

	paintLane(thread, y) {
		const lane = this.weighLane(thread);
		const room = LANE - 4;
		this.pen.fillStyle = flame.colours.text;
		this.pen.fillText(this.label(thread), 4, y + LANE / 2 + 1);
		this.pen.fillStyle = flame.colours.line;
		this.pen.fillRect(LABEL, y + LANE - 1, this.width, 1);
		for (let p = 0; p < this.width; p++) {
			this.pen.fillStyle = flame.colours.quiet;
			if (lane.beside[p] > 0)
				this.pen.fillRect(LABEL + p, y + LANE / 2 - 1,
				    1, 3);
			if (lane.kind[p] < 0)
				continue;
			const high = Math.max(1, Math.min(1, lane.busy[p]) * room);
			this.pen.fillStyle = this.fill(lane.kind[p]);
			this.pen.fillRect(LABEL + p, y + LANE - 1 - high, 1, high);
		}
	}

	// Returns the color of a pixel.  Found functions stand out, or else the
	// chosen one.
	fill(kind) {
		const func = kind >> 1, marked = kind % 2 === 1;
		if (flame.found !== null && marked)
			return flame.colours.mark;
		if (flame.found === null && flame.chosen >= 0 && !marked)
			return flame.colours.quiet;
		return flame.fills[func + 1] ||= flame.fill(func);
	}

	paintRange() {
		const range = this.drag ?? this.range;
		if (range === null)
			return;
		const clip = (us) => Math.min(Math.max(this.x(us), LABEL),
		    LABEL + this.width);
		const from = clip(range[0]), to = clip(range[1]);
		const height = this.lanes.length * LANE;
		this.pen.globalAlpha = 0.65;
		this.pen.fillStyle = flame.colours.back;
		this.pen.fillRect(LABEL, HEAD, from - LABEL, height);
		this.pen.fillRect(to, HEAD, LABEL + this.width - to, height);
		this.pen.globalAlpha = 1;
		this.pen.fillStyle = flame.colours.chosen;
		this.pen.fillRect(from, 0, 1, HEAD + height);
		this.pen.fillRect(to - 1, 0, 1, HEAD + height);
	}

	label(thread) {
		let text = this.labels[thread];
		while (this.pen.measureText(text).width > LABEL - 10)
			text = text.slice(0, -2) + "\u2026";
		return text;
	}

	// Returns the time at an x of the canvas.
	us(x) {
		const at = this.view[0] + (x - LABEL) / this.scale;
		return Math.min(Math.max(at, this.view[0]), this.view[1]);
	}

	// Returns the sample of a thread that is beside what is shown and has
	// most of the time of a pixel; or -1.
	besideAt(thread, p) {
		const end = this.us(LABEL + p + 1), begin = this.us(LABEL + p);
		let best = -1, most = 0;
		for (const i of this.of[thread]) {
			const s = moments.sample[i], to = moments.at[i];
			const part = Math.min(to, end) -
			    Math.max(to - moments.ns[i] / 1000, begin);
			if (part > most && this.isBeside(s)) {
				best = s;
				most = part;
			}
		}
		return best;
	}

	// Returns what a thread did that has no time of what is shown in a
	// pixel.
	notShown(thread, p) {
		const s = this.besideAt(thread, p);
		if (s < 0)
			return this.timeless[thread] > 0 ?
			    "idle or not recorded" : "idle";
		const node = samples.now.node[s], f = sleeperOf(node);
		return (samples.now.asleep[s] === 1 ? "asleep in " :
		    "running ") + names[stacks.func[node]] +
		    (f === stacks.func[node] ? "" : `, from ${names[f]}`);
	}

	// Returns a sentence that describes a place, or "".
	tell(x, y) {
		const thread = this.lanes[Math.floor((y - HEAD) / LANE)];
		const p = Math.floor(x) - LABEL;
		if (thread === undefined || y < HEAD || p < 0 || p >= this.width)
			return "";
		const lane = this.weighLane(thread);
		const of = data.processes.length > 1 ?
		    data.processes[data.threads[thread].process] : undefined;
		const busy = Math.round(Math.min(1, lane.busy[p]) * 100);
		const func = lane.kind[p] >> 1;
		return `${of === undefined ? "" : of.program + ", "}` +
		    `${this.labels[thread]}, at ` +
		    `${(this.us(x) / 1e6).toFixed(3)} s: ` + (func < 0 ?
		    this.notShown(thread, p) : `${busy} % ` +
		    (shownTime === "asleep" ? "asleep" : "busy") +
		    `, most in ${names[func]} [${modules[func]}]`);
	}

	// Returns the weights of samples in the chosen piece, those that end
	// after its begin, up to its end; see wanted().
	weigh(wants, shows = isShown) {
		const ns = new Float64Array(samples.now.ns.length);
		const count = new Float64Array(ns.length);
		const end = firstPast(moments.at, this.range[1]);
		for (let i = firstPast(moments.at, this.range[0]); i < end; i++) {
			const s = moments.sample[i];
			if (!wants(samples.now.thread[s]) ||
			    !shows(samples.now, s))
				continue;
			ns[s] += moments.ns[i];
			count[s]++;
		}
		return {ns, count};
	}

	// Says what is chosen, what thin lines are, and what is missing.
	span() {
		const text = (us) => `${(us / 1e6).toFixed(3)} s`;
		const said = [];
		if (this.range !== null)
			said.push(`from ${text(this.range[0])} to ` +
			    `${text(this.range[1])}: ` +
			    `${seconds(down.now.total[0])} in ` +
			    `${down.now.count[0]} samples`);
		else if (samples.now.asleep !== null)
			said.push("thin lines: " + (shownTime === "asleep" ?
			    "running" : "asleep"));
		if (this.more !== 0)
			said.push(`the busiest ${MOST_LANES} of ` +
			    `${MOST_LANES + this.more} threads`);
		if (this.lost !== 0)
			said.push(`not in it: ${seconds(this.lost)}, whose ` +
			    "moments were not recorded");
		return said.join("; ");
	}

	// Moves the chosen piece, or only its end, by a quarter of its length.
	// If no piece is chosen, the first tenth is.
	step(by, end) {
		const [from, to] = this.range ?? [this.view[0], this.view[0] +
		    (this.view[1] - this.view[0]) / 10];
		const d = this.range === null ? 0 : by * (to - from) / 4;
		const [least, most] = this.whole;
		const lower = end ? from : Math.min(Math.max(from + d, least),
		    most - (to - from));
		this.range = [lower, Math.min(end ? to + d : lower + to - from,
		    most)];
		this.draw();
	}

	zoomIn() {
		if (this.range === null)
			return;
		const [from, to] = this.range;
		this.view = [from, Math.max(to, from + LEAST_VIEW)];
		this.draw();
	}

	isZoomed() {
		return this.view !== this.whole;
	}

	// Goes back to all of the time; returns whether that changed anything.
	clear() {
		const was = this.range !== null || this.isZoomed();
		this.range = null;
		this.view = this.whole;
		this.draw();
		return was;
	}

	// Listens to the mouse; chosen() is called when a piece is chosen or
	// given up.
	listen(chosen) {
		let began = null;
		this.canvas.addEventListener("mousedown", (e) => {
			began = e.offsetX >= LABEL ? e.offsetX : null;
		});
		this.canvas.addEventListener("mousemove", (e) => {
			if (began === null || e.buttons !== 1)
				return;
			this.drag = [this.us(Math.min(began, e.offsetX)),
			    this.us(Math.max(began, e.offsetX))];
			this.draw();
		});
		document.addEventListener("mouseup", () => {
			const drag = this.drag;
			if (began === null)
				return;
			began = this.drag = null;
			this.range = drag === null ||
			    (drag[1] - drag[0]) * this.scale < LEAST_DRAG ?
			    null : drag;
			chosen();
		});
	}
}
