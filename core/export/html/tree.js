// Context: O.  Trees of the stacks, from either end, and the times of functions
// that follow from them.  main.js makes them anew with each choice; flame.js
// draws one, table.js and search.js ask them.
"use strict";

// Kinds of functions that are left out, see palette.js.
const folded = new Set();

// The weights of one profile at each node: ns and samples of the node itself,
// then total and count with all nodes below it.
class Side {
	constructor(self, hits) {
		this.self = self;
		this.hits = hits;
	}

	// Sums up by parents, each of which comes before its children.
	addUp(parent, size) {
		this.total = this.self.slice();
		this.count = this.hits.slice();
		for (let i = size - 1; i > 0; i--) {
			this.total[parent[i]] += this.total[i];
			this.count[parent[i]] += this.count[i];
		}
	}
}

// A tree: nodes by number, a caller before what it called; node 0 is above the
// outermost functions.  It is drawn with the weights of now; old is null if
// nothing is compared.
class Tree {
	constructor(room) {
		const side = () => new Side(new Float64Array(room),
		    new Float64Array(room));
		this.parent = new Int32Array(room);
		this.func = new Int32Array(room);
		this.now = side();
		this.old = compared ? side() : null;
		this.inlined = new Uint8Array(room);
		this.size = 1;
		this.func[0] = -1;
		this.slots = null;
	}

	// Returns the child of a node for a function, which is added if there
	// is none.
	child(parent, func, inlined) {
		if (this.slots === null) {
			let slots = 1024;
			while (slots < this.parent.length * 2)
				slots *= 2;
			this.slots = new Int32Array(slots);
		}
		const mask = this.slots.length - 1;
		let at = Math.imul(parent ^ Math.imul(func + 1, 0x9e3779b1),
		    0x85ebca6b) >>> 7 & mask;
		for (; this.slots[at] !== 0; at = at + 1 & mask) {
			const n = this.slots[at];
			if (this.parent[n] === parent && this.func[n] === func) {
				this.inlined[n] &= inlined;
				return n;
			}
		}
		const n = this.size++;
		this.slots[at] = n;
		this.parent[n] = parent;
		this.func[n] = func;
		this.inlined[n] = inlined;
		return n;
	}

	// Adds the weights of a stack itself to those of node n.
	take(n, stack, weights) {
		this.now.self[n] += weights.now.self[stack];
		this.now.hits[n] += weights.now.hits[stack];
		if (this.old === null)
			return;
		this.old.self[n] += weights.old.self[stack];
		this.old.hits[n] += weights.old.hits[stack];
	}

	// Computes totals, depths and children.
	finish() {
		const n = this.size;
		this.now.addUp(this.parent, n);
		if (this.old !== null)
			this.old.addUp(this.parent, n);
		this.self = this.now.self;
		this.total = this.now.total;
		this.depth = new Int32Array(n);
		this.deepest = 0;
		this.first = new Int32Array(n + 1);
		for (let i = n - 1; i > 0; i--)
			this.first[this.parent[i] + 1]++;
		for (let i = 1; i < n; i++) {
			this.first[i + 1] += this.first[i];
			this.depth[i] = this.depth[this.parent[i]] + 1;
			if (this.depth[i] > this.deepest && this.total[i] > 0)
				this.deepest = this.depth[i];
		}
		const next = this.first.slice();
		this.children = new Int32Array(Math.max(n - 1, 0));
		for (let i = 1; i < n; i++)
			this.children[next[this.parent[i]]++] = i;
		this.sink(n);
		this.start = new Float64Array(n);
		this.opened = new Uint8Array(n);
		return this;
	}

	// Computes for each node the greatest depth with time below it.
	sink(n) {
		this.lowest = this.depth.slice();
		for (let i = n - 1; i > 0; i--) {
			const p = this.parent[i];
			if (this.total[i] > 0 && this.lowest[i] > this.lowest[p])
				this.lowest[p] = this.lowest[i];
		}
	}

	// Returns the functions on the path of a node, the outermost first.
	path(i) {
		const path = [];
		for (; i !== 0; i = this.parent[i])
			path.push(this.func[i]);
		return path.reverse();
	}

	// Returns the node of a path, or 0 if the tree has no such node with
	// time.
	find(path) {
		let i = 0;
		for (const func of path) {
			const own = this.children.subarray(this.first[i],
			    this.first[i + 1]);
			const next = own.find((c) => this.func[c] === func &&
			    this.total[c] > 0);
			if (next === undefined)
				return 0;
			i = next;
		}
		return i;
	}

	// Returns whether node i is `above`, or below it.
	isWithin(i, above) {
		while (this.depth[i] > this.depth[above])
			i = this.parent[i];
		return i === above;
	}

	// Sorts the children of a node by their time, and sets where each
	// begins from the left.  This is done on demand, as few of many nodes
	// are looked at.
	open(i) {
		if (this.opened[i])
			return;
		this.opened[i] = 1;
		const own = this.children.subarray(this.first[i],
		    this.first[i + 1]);
		if (own.length > 1)
			own.sort((a, b) => this.total[b] - this.total[a] ||
			    this.func[a] - this.func[b]);
		let x = this.start[i];
		for (const c of own) {
			this.start[c] = x;
			x += this.total[c];
		}
	}

	// Makes sure that start[] of a node is set.
	reach(i) {
		const above = [];
		for (let p = i; p !== 0; p = this.parent[p])
			above.push(this.parent[p]);
		while (above.length > 0)
			this.open(above.pop());
	}

	// Calls enter(node) for each node with time on that side, its callers
	// before it, and leave(node) when all nodes below it are done.
	walk(side, enter, leave) {
		const open = [0];
		const next = this.first.slice();
		enter(0);
		while (open.length > 0) {
			const i = open[open.length - 1];
			if (next[i] === this.first[i + 1]) {
				leave(i);
				open.pop();
				continue;
			}
			const c = this.children[next[i]++];
			if (side.total[c] === 0)
				continue;
			enter(c);
			open.push(c);
		}
	}
}

// Returns whether a stack has time of its own, in one profile or the other.
function weighs(weights, stack) {
	return weights.now.self[stack] !== 0 ||
	    (weights.old !== null && weights.old.self[stack] !== 0);
}

// Returns the tree with callers first, as the stacks are stored.
function treeDown(weights) {
	const t = new Tree(1);
	t.parent = stacks.parent;
	t.func = stacks.func;
	t.inlined = stacks.inlined;
	t.now = weights.now;
	t.old = weights.old;
	t.size = stacks.size;
	return t.finish();
}

// Returns the tree with callers first, without the functions of the folded
// kinds, whose time their callers have.  merge: recursive calls are one node.
function treeFolded(weights, merge) {
	const t = new Tree(stacks.size);
	const made = new Int32Array(stacks.size);
	for (let i = 1; i < stacks.size; i++) {
		const parent = made[stacks.parent[i]], func = stacks.func[i];
		made[i] = folded.has(kinds[func]) ||
		    (merge && t.func[parent] === func) ? parent :
		    t.child(parent, func, stacks.inlined[i]);
		t.take(made[i], i, weights);
	}
	return t.finish();
}

// Returns the tree with callees first.  The time of a path is at its end, the
// outermost caller.
function treeUp(weights, merge) {
	let room = 1;
	for (let i = 1; i < stacks.size; i++)
		if (weighs(weights, i))
			for (let k = i; k !== 0; k = stacks.parent[k])
				room++;
	const t = new Tree(room);
	for (let i = 1; i < stacks.size; i++) {
		if (!weighs(weights, i))
			continue;
		let n = 0;
		for (let k = i; k !== 0; k = stacks.parent[k])
			if (!folded.has(kinds[stacks.func[k]]) &&
			    (!merge || t.func[n] !== stacks.func[k]))
				n = t.child(n, stacks.func[k],
				    stacks.inlined[k]);
		t.take(n, i, weights);
	}
	return t.finish();
}

// Returns for each node whether its function also occurs among its callers.
function nestedIn(down) {
	const nested = new Uint8Array(down.size);
	const on = new Int32Array(names.length);
	const next = down.first.slice();
	for (let i = 0;;) {
		if (next[i] < down.first[i + 1]) {
			i = down.children[next[i]++];
			nested[i] = on[down.func[i]]++ !== 0 ? 1 : 0;
		} else if (i === 0) {
			break;
		} else {
			on[down.func[i]]--;
			i = down.parent[i];
		}
	}
	return nested;
}

// Returns for each function its own time and its time with all that it called,
// counting recursion once.
function functionTimes(down, side) {
	const all = () => new Float64Array(names.length);
	const times = {self: all(), hits: all(), total: all(), count: all()};
	down.nested ||= down.func === stacks.func ?
	    stacks.nested ||= nestedIn(down) : nestedIn(down);
	for (let i = 1; i < down.size; i++) {
		const f = down.func[i];
		times.self[f] += side.self[i];
		times.hits[f] += side.hits[i];
		if (down.nested[i])
			continue;
		times.total[f] += side.total[i];
		times.count[f] += side.count[i];
	}
	return times;
}

// Returns whether the call at node i, of one function by another, also occurs
// further out on its path.
function isCallAgain(down, i) {
	const f = down.func[i], p = down.func[down.parent[i]];
	for (let k = down.parent[i]; k !== 0; k = down.parent[k])
		if (down.func[k] === f && down.func[down.parent[k]] === p)
			return true;
	return false;
}

// Returns the callers of a function and the functions that it called, as maps
// of functions to {ns, count}.
function neighbours(down, side, func) {
	const callers = new Map(), callees = new Map();
	const add = (map, key, i) => {
		const had = map.get(key) || {ns: 0, count: 0};
		had.ns += side.total[i];
		had.count += side.count[i];
		map.set(key, had);
	};
	for (let i = 1; i < down.size; i++) {
		const f = down.func[i], p = down.func[down.parent[i]];
		if ((f !== func && p !== func) || p < 0 ||
		    side.total[i] === 0 || isCallAgain(down, i))
			continue;
		if (f === func)
			add(callers, p, i);
		if (p === func)
			add(callees, f, i);
	}
	return {callers, callees};
}

// Returns the time of the paths that have a found function, each counted once.
function matchedTime(tree, side, found) {
	let ns = 0, inside = 0;
	tree.walk(side, (i) => {
		const is = i !== 0 && found[tree.func[i]];
		if (is && inside++ === 0)
			ns += side.total[i];
	}, (i) => {
		if (i !== 0 && found[tree.func[i]])
			inside--;
	});
	return ns;
}
