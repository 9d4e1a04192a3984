// Context: O.  Names of functions in less room than they need: the part that
// tells functions apart stays.  For bars, cells, and the names of threads.
"use strict";

// The name of an operator of C++ whose signs are no brackets
const OPERATOR = "\\boperator(?:\\(\\)|\\[\\]|<=>|<<=|>>=|->\\*|&&|\\|\\||" +
    "\\+\\+|--|->|<<|>>|[-+*/%^&|!=<>]=|[-+*/%^&|~!=<>,])";

// A part of a name: that of an operator, the word before a type that is
// converted to, an arrow, the end of parameters with what qualifies the
// function, or one character
const NAME_PART = new RegExp(`${OPERATOR}|\\boperator(?=[ "])|->|` +
    "\\)(?: (?:const|volatile|noexcept|&&?)(?!\\w))+|[^]", "g");

// Returns a name without what stands in <> and (), and without the mark of a
// compiler's copy.
function bareName(whole) {
	const name = whole.replace(/ \[clone [^\]]*\]/g, "");
	return name.startsWith("[") ? name : withoutBrackets(name) || name;
}

// Returns the whole name if it converts to a type, whose brackets tell which.
function withoutBrackets(name) {
	let bare = "", depth = 0;
	for (const [part] of name.replaceAll("(anonymous namespace)::", "")
	    .matchAll(NAME_PART)) {
		if (part === ">" || part.startsWith(")"))
			depth = Math.max(depth - 1, 0);
		else if (part === "<" || part === "(")
			depth++;
		else if (depth === 0 && part === "operator")
			return name;
		else if (depth === 0)
			bare += part;
	}
	// The type that is returned ends at a space that is not within {}.
	return bare.trimEnd().replace(/^:+/, "")
	    .replace(/.* (?![^{]*\})/, "");
}

// Names of Python functions, as its -X perf makes them, end in their files
const PYTHON = /^py::([^:]+):(?!:)/;

// Returns the ways to write a name, the longest first.  The last one has the
// number of a lambda, too.
function waysToWrite(name) {
	const python = PYTHON.exec(name);
	if (python !== null) {
		const short = python[1].replaceAll(".<locals>", "");
		return [name, python[1], short];
	}
	const bare = bareName(name);
	const last = bare.startsWith("[") ? bare : bare.replace(
	    /^.*::(?=operator[ "]|[{'][^:]*::operator\(\)$)|^.*::(?=[^:])/, "");
	return [...new Set([name, bare, last])];
}

class Labels {
	constructor() {
		this.known = [];	// by function: ways with their widths
	}

	// Returns as much of the name of a function as fits the room, which is
	// given in the units of measure().
	fit(func, name, room, measure) {
		const own = this.known[func + 1] ||=
		    {ways: [[name, measure(name)]], split: false};
		if (own.ways[0][1] > room && !own.split) {
			own.ways = waysToWrite(name).map((w) => [w, measure(w)]);
			own.split = true;
		}
		const fits = own.ways.find(([, width]) => width <= room);
		if (fits !== undefined)
			return fits[0];
		const [text, width] = own.ways[own.ways.length - 1];
		const count = Math.floor(text.length * (room - 10) / width);
		return count < 2 ? "" : text.slice(0, count) + "\u2026";
	}
}

const LONG_NAME = 48;		// characters that a cell of a name shows
const narrow = window.matchMedia("(max-width: 500px)");

// Returns the name of a function for a cell, which shows two lines: a longer
// one without parameters, so that its end is seen.
function cellName(name) {
	return !narrow.matches && name.length <= LONG_NAME ? name :
	    PYTHON.test(name) ? waysToWrite(name)[1] : bareName(name);
}

// Puts a name into an element so that a line ends between its parts.
function appendName(element, name) {
	for (const part of name.split(/(?<=::|<|,|\.)/)) {
		if (element.hasChildNodes())
			element.append(document.createElement("wbr"));
		element.append(part);
	}
}
