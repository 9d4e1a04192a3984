// Context: O.  The parts of the picture beside its bars: the path of the zoom,
// a copy of a stack, the picture as a file.  main.js and keys.js call it.
"use strict";

const CRUMBS = 8;		// most functions of the path that are shown

function crumb(node, text) {
	const button = document.createElement("button");
	button.textContent = text;
	button.title = flame.name(node);
	button.addEventListener("click", () => flame.zoomTo(node));
	return button;
}

// Shows the path to what is zoomed, and its share.
function showCrumbs() {
	const t = flame.tree, above = [];
	for (let i = flame.zoom; i !== 0; i = t.parent[i])
		above.push(i);
	const near = above.slice(0, CRUMBS).reverse();
	const all = [crumb(0, "all")];
	if (above.length > near.length)
		all.push(crumb(t.parent[near[0]],
		    `\u2026 ${above.length - near.length} more`));
	for (const i of near)
		all.push(crumb(i, waysToWrite(flame.name(i)).at(-1)));
	const share = document.createElement("span");
	const hint = document.createElement("span");
	hint.className = "hint";
	hint.textContent = flame.zoom === 0 && t.total[0] !== 0 ?
	    "Click a bar to zoom" : "";
	share.textContent = flame.zoom === 0 ?
	    (t.total[0] === 0 ? "nothing was counted here" :
	    weightText(t.total[0])) :
	    `${percent(t.total[flame.zoom], t.total[0])} % of ` +
	    `${wholeText()}, ${weightText(t.total[flame.zoom])}`;
	$("crumbs").replaceChildren(...all, hint, share);
	$("reset").disabled = flame.zoom === 0;
}

// Returns the stack of a node as text: the innermost function first.
function stackText(node) {
	const t = flame.tree, up = $("way").value === "up";
	const lines = [];
	for (let i = node; i !== 0; i = t.parent[i])
		lines.push(`${flame.name(i)}  [${modules[t.func[i]]}` +
		    `${t.inlined[i] ? ", inlined" : ""}]`);
	if (up)
		lines.reverse();
	return `${nodeSentence(t, node)}\n` +
	    lines.map((line, i) => `#${i}  ${line}\n`).join("");
}

// Copies a text where the browser does not let pages use the clipboard.
function copyByHand(text) {
	const area = document.createElement("textarea");
	area.value = text;
	document.body.append(area);
	area.select();
	const done = document.execCommand("copy");
	area.remove();
	return done;
}

async function copyStack() {
	const text = stackText(flame.at);
	let done = true;
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		done = copyByHand(text);
	}
	$("copy").textContent = done ? "Copied" : "Not allowed";
	setTimeout(() => {
		$("copy").textContent = "Copy stack";
	}, 1500);
}

function escaped(text) {
	return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

// Takes the calls that draw the picture, and makes an SVG file of them.
class SvgPen {
	constructor(pen, width, height, back) {
		this.pen = pen;
		this.globalAlpha = 1;
		const {namespaceURI} = new DOMParser().parseFromString("<svg>",
		    "text/html").querySelector("svg");
		this.parts = [`<svg xmlns="${namespaceURI}" ` +
		    `width="${width}" height="${height}" ` +
		    `font-family="system-ui, sans-serif" font-size="12">\n` +
		    `<rect width="100%" height="100%" fill="${back}"/>\n`];
	}

	measureText(text) {
		return this.pen.measureText(text);
	}

	// Names the bar that the next calls draw.
	begin(title) {
		this.parts.push(`<g opacity="${this.globalAlpha}">` +
		    `<title>${escaped(title)}</title>`);
	}

	end() {
		this.parts.push("</g>\n");
	}

	fillRect(x, y, width, height) {
		this.parts.push(`<rect x="${x.toFixed(1)}" y="${y}" ` +
		    `width="${width.toFixed(1)}" height="${height}" ` +
		    `fill="${this.fillStyle}"/>`);
	}

	strokeRect(x, y, width, height) {
		this.parts.push(`<rect x="${x.toFixed(1)}" y="${y}" ` +
		    `width="${width.toFixed(1)}" height="${height}" ` +
		    `fill="none" stroke="${this.strokeStyle}" ` +
		    `stroke-width="${this.lineWidth}"/>`);
	}

	fillText(text, x, y) {
		this.parts.push(`<text x="${x.toFixed(1)}" y="${y}" ` +
		    `dominant-baseline="middle" fill="${this.fillStyle}">` +
		    `${escaped(text)}</text>`);
	}

	file() {
		return this.parts.join("") + "</svg>\n";
	}
}

// Returns the whole picture, as it is zoomed, as an SVG file.
function pictureFile() {
	const pen = flame.pen, width = flame.section.clientWidth;
	flame.readColours();
	const svg = new SvgPen(pen, width, flame.height(), flame.colours.back);
	flame.pen = svg;
	flame.paintBars({
		width, height: flame.height(),
		y: (depth) => flame.shape === "flame" ?
		    flame.height() - (depth + 1) * ROW : depth * ROW,
	});
	flame.pen = pen;
	return svg.file();
}

function savePicture() {
	const a = document.createElement("a");
	const address = URL.createObjectURL(new Blob([pictureFile()],
	    {type: "image/svg+xml"}));
	a.setAttribute("href", address);
	a.download = document.title.replace(/[^\w.-]+/g, "-") + ".svg";
	a.click();
	setTimeout(() => URL.revokeObjectURL(address), 1000);
}
