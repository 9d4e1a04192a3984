// Context: O.  The picture of the stacks: a bar for each function, as wide as
// its time.  main.js makes the only one and gives it a tree of tree.js.
"use strict";

// Height of a bar; fingers need a larger one than a mouse does
const ROW = matchMedia("(pointer: coarse)").matches ? 26 : 18;
const PART = 0.56;		// most of the window's height that it takes
// Width of a printed picture, and its greatest height, so that it stands below
// the head of the page
const PAPER = 1000;
const PAPER_HIGH = 880;

class Flame {
	constructor(section, canvas, space) {
		this.section = section;
		this.canvas = canvas;
		this.space = space;
		this.pen = canvas.getContext("2d");
		this.tree = null;
		this.zoom = 0;		// the node as wide as the picture
		this.at = 0;		// the node that the keys are on
		this.found = null;	// by function, while the user searches
		this.chosen = -1;	// function, -1: none
		this.shape = "icicle";
		this.colour = "module";
		this.largest = 0;	// largest change that is sure
		this.pending = false;
		// Time in ms from the start of the page to the first drawing
		this.drawn = 0;
		// Draws all of the picture, for a printer
		this.paper = false;
		this.labels = new Labels();
		for (const event of ["focus", "blur"])
			section.addEventListener(event, () => this.draw());
		section.addEventListener("scroll", () => this.draw());
		new ResizeObserver(() => this.draw()).observe(section);
		window.addEventListener("resize", () => this.fitWindow());
	}

	// Shows a tree; the zoom stays if its path is there.
	show(tree) {
		const path = this.tree === null ? [] : this.tree.path(this.zoom);
		this.tree = tree;
		this.zoomTo(tree.find(path));
	}

	zoomTo(node) {
		this.tree.reach(node);
		this.zoom = this.at = node;
		this.fitWindow();
		this.section.scrollTop = this.shape === "flame" ?
		    this.height() : Math.max(0,
		    (this.tree.depth[node] - 3) * ROW);
		this.zoomed?.();
		this.draw();
	}

	// Makes the picture as high as the stacks that are shown, in whole
	// rows, and no higher than a part of the window.
	fitWindow() {
		if (this.tree === null)
			return;
		const most = Math.max(6, Math.floor(window.innerHeight * PART /
		    ROW)) * ROW;
		this.space.style.height = this.height() + "px";
		this.section.style.height = Math.min(most,
		    (this.lowestSeen() + 1) * ROW) + 2 + "px";
	}

	// Returns the depth of the lowest bar that is at least a pixel wide.
	// Thinner ones can be scrolled to, but take no room.
	lowestSeen() {
		const t = this.tree, open = [this.zoom];
		const least = t.total[this.zoom] / this.section.clientWidth;
		let lowest = t.depth[this.zoom];
		while (open.length > 0) {
			const i = open.pop();
			lowest = Math.max(lowest, t.depth[i]);
			if (t.lowest[i] <= lowest)
				continue;
			for (let k = t.first[i]; k < t.first[i + 1]; k++)
				if (t.total[t.children[k]] >= least &&
				    t.total[t.children[k]] > 0)
					open.push(t.children[k]);
		}
		return lowest;
	}

	height() {
		return (this.tree.lowest[this.zoom] + 1) * ROW;
	}

	// Returns the height of the visible part.
	room() {
		return this.paper ? Math.min(this.height(), PAPER_HIGH) :
		    this.section.clientHeight;
	}

	scrolled() {
		return !this.paper ? this.section.scrollTop :
		    this.shape === "flame" ? this.height() - this.room() : 0;
	}

	// Returns the y of a depth, from the top of the whole picture.
	top(depth) {
		return this.shape === "flame" ? Math.max(this.height(),
		    this.room()) - (depth + 1) * ROW : depth * ROW;
	}

	draw() {
		if (this.pending || this.tree === null)
			return;
		this.pending = true;
		requestAnimationFrame(() => {
			this.pending = false;
			this.paint();
		});
	}

	// Returns the color of a change, given in parts of the largest one;
	// small changes are made visible, too.
	shade(part) {
		if (part === 0)
			return this.colours.quiet;
		const size = Math.sqrt(Math.min(Math.abs(part), 1));
		const strength = 20 + Math.round(size * 8) * 8;
		const grey = this.found !== null ? strength / 4 : strength;
		const hue = part < 0 ? 215 : 5;
		return `hsl(${hue} ${grey}% ${isDark() ? 40 : 66}%)`;
	}

	changeFill(node) {
		const c = nodeChange(this.tree, node);
		return this.shade(c.sure && this.largest !== 0 ?
		    c.by / this.largest : 0);
	}

	// Returns the color of a bar; it is kept by function, unless it shows
	// the change at the node.
	fillOf(node) {
		const func = this.tree.func[node];
		if (this.colour === "change" && func >= 0 &&
		    !(this.found !== null && this.found[func]))
			return this.changeFill(node);
		return this.fills[func + 1] ||= this.fill(func);
	}

	fill(func) {
		if (func < 0)
			return this.colours.line;
		if (this.found !== null && this.found[func])
			return this.colours.mark;
		return cssColour(this.colour === "function" ? nameColour(func) :
		    originColour(func), this.found !== null);
	}

	// Reads the colors of the page before it is drawn: asking for one costs
	// more than filling a bar.
	readColours() {
		const style = getComputedStyle(document.documentElement);
		this.colours = {};
		for (const name of ["line", "mark", "chosen", "ink",
		    "quiet", "back", "text", "dim"])
			this.colours[name] = style.getPropertyValue("--" + name);
		this.fills = [];	// kept colors, by function
	}

	size() {
		const ratio = window.devicePixelRatio || 1;
		const width = this.paper ? PAPER : this.section.clientWidth;
		const height = this.room();
		this.canvas.width = width * ratio;
		this.canvas.height = height * ratio;
		this.canvas.style.width = width + "px";
		this.canvas.style.height = height + "px";
		this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.pen.font = "12px system-ui, sans-serif";
		this.pen.textBaseline = "middle";
		this.focused = document.activeElement === this.section;
		const first = this.top(0) - this.scrolled();
		return {
			width,
			height,
			y: (depth) => this.shape === "flame" ?
			    first - depth * ROW : first + depth * ROW,
		};
	}

	paint() {
		const view = this.size();
		this.readColours();
		this.paintBars(view);
		this.drawn ||= performance.now();
	}

	// Draws the bars.  Those narrower than a pixel are drawn as one, that
	// of the first of them; with thousands beside each other no gap
	// appears.
	paintBars(view) {
		const t = this.tree;
		this.scale = t.total[this.zoom] === 0 ? 0 :
		    view.width / t.total[this.zoom];
		this.boxes = 0;
		this.pen.globalAlpha = 0.45;
		for (let i = this.zoom; i !== 0; ) {
			i = t.parent[i];
			this.bar(i, 0, view.width, view);
		}
		this.pen.globalAlpha = 1;
		// Pixels drawn so far, by depth
		const taken = new Int32Array(t.deepest + 1);
		const open = [this.zoom];
		while (open.length > 0) {
			const i = open.pop();
			const x = (t.start[i] - t.start[this.zoom]) * this.scale;
			const width = t.total[i] * this.scale;
			const depth = t.depth[i];
			if (width < 1) {
				if (width === 0 || x < taken[depth])
					continue;
				taken[depth] = Math.floor(x) + 1;
			}
			this.bar(i, x, width, view);
			if (!this.goesOn(depth, view))
				continue;
			t.open(i);
			for (let k = t.first[i + 1] - 1; k >= t.first[i]; k--)
				open.push(t.children[k]);
		}
	}

	// Returns whether the next depth, which is above in a flame, can be
	// visible.
	goesOn(depth, view) {
		const y = view.y(depth + 1);
		return this.shape === "flame" ? y + ROW >= 0 : y <= view.height;
	}

	bar(node, x, width, view) {
		const y = view.y(this.tree.depth[node]);
		if (y + ROW < 0 || y > view.height)
			return;
		const func = this.tree.func[node];
		this.boxes++;
		this.pen.begin?.(nodeSentence(this.tree, node));
		this.pen.fillStyle = this.fillOf(node);
		this.pen.fillRect(x, y, width > 3 ? width - 0.5 : width, ROW - 1);
		const here = this.focused && node === this.at;
		if (here || (func >= 0 && func === this.chosen)) {
			this.pen.strokeStyle = this.colours.chosen;
			this.pen.lineWidth = 2;
			this.pen.strokeRect(x + 1, y + 1, Math.max(width - 2.5, 0.5),
			    ROW - 3);
		}
		if (width >= 28) {
			this.pen.fillStyle = this.colours.ink;
			this.pen.fillText(this.label(node, width - 8), x + 4,
			    y + ROW / 2);
		}
		this.pen.end?.();
	}

	label(node, room) {
		return this.labels.fit(this.tree.func[node], this.name(node),
		    room, (text) => this.pen.measureText(text).width);
	}

	name(node) {
		const func = this.tree.func[node];
		return func < 0 ? "all" : names[func];
	}

	// Returns the node at a place of the canvas, or -1.
	hit(x, y) {
		const t = this.tree;
		const below = y + this.section.scrollTop;
		const depth = this.shape === "flame" ? Math.ceil((Math.max(
		    this.height(), this.section.clientHeight) - below) / ROW) - 1 :
		    Math.floor(below / ROW);
		const from = t.depth[this.zoom];
		if (depth < 0)
			return -1;
		if (depth <= from) {
			let i = this.zoom;
			for (let d = from; d > depth; d--)
				i = t.parent[i];
			return i;
		}
		const ns = t.start[this.zoom] + x / this.scale;
		let i = this.zoom;
		for (let d = from; d < depth; d++) {
			let next = -1;
			t.open(i);
			for (let k = t.first[i]; k < t.first[i + 1]; k++) {
				const c = t.children[k];
				if (ns >= t.start[c] && ns < t.start[c] + t.total[c]) {
					next = c;
					break;
				}
			}
			if (next < 0)
				return -1;
			i = next;
		}
		return i;
	}

	// Returns where a node is in the window of the picture: the middle of
	// its bar.
	place(node) {
		const t = this.tree;
		t.reach(node);
		const above = !t.isWithin(node, this.zoom);
		return {
			node,
			x: above ? this.section.clientWidth / 2 :
			    (t.start[node] - t.start[this.zoom] +
			    t.total[node] / 2) * this.scale,
			y: this.top(t.depth[node]) - this.section.scrollTop +
			    ROW / 2,
		};
	}

	// Returns the place of the widest bar of a function, for scripts that
	// want to point at it.
	where(func) {
		const t = this.tree;
		let best = -1;
		for (let i = 1; i < t.size; i++)
			if (t.func[i] === func && (best < 0 ||
			    t.total[i] > t.total[best]))
				best = i;
		return best < 0 ? null : this.place(best);
	}

	// Puts the keys on a node and makes its bar visible, at least so wide.
	reveal(node, least) {
		const t = this.tree;
		let zoom = this.zoom;
		if (!t.isWithin(node, zoom))
			zoom = 0;
		t.reach(node);
		const width = (i) => t.total[node] / t.total[i] *
		    this.section.clientWidth;
		for (let i = node; width(zoom) < least && i !== zoom;
		    i = t.parent[i])
			if (width(i) >= least && width(t.parent[i]) < least) {
				zoom = i;
				break;
			}
		if (zoom !== this.zoom)
			this.zoomTo(zoom);
		this.at = node;
		this.scale = t.total[this.zoom] === 0 ? 0 :
		    this.section.clientWidth / t.total[this.zoom];
		this.scrollToKeys();
		this.draw();
	}

	scrollToKeys() {
		const y = this.top(this.tree.depth[this.at]) -
		    this.section.scrollTop;
		if (y < 0 || y + ROW > this.section.clientHeight)
			this.section.scrollTop += y -
			    this.section.clientHeight / 2;
	}

	// Moves along the keys: to the parent, the first child, the node beside
	// it.
	step(key) {
		const t = this.tree, i = this.at;
		t.open(i);
		const inwards = this.shape === "flame" ? "ArrowUp" : "ArrowDown";
		const outwards = this.shape === "flame" ? "ArrowDown" : "ArrowUp";
		if (key === outwards && i !== 0) {
			this.at = t.parent[i];
		} else if (key === inwards && t.first[i] < t.first[i + 1]) {
			this.at = t.children[t.first[i]];
		} else if (key === "ArrowLeft" || key === "ArrowRight") {
			const p = t.parent[i];
			const own = t.children.subarray(t.first[p], t.first[p + 1]);
			const k = own.indexOf(i) + (key === "ArrowLeft" ? -1 : 1);
			if (i !== 0 && k >= 0 && k < own.length)
				this.at = own[k];
		} else {
			return false;
		}
		if (t.depth[this.at] < t.depth[this.zoom]) {
			const at = this.at;
			this.zoomTo(at);
		}
		this.scrollToKeys();
		this.draw();
		return true;
	}
}
