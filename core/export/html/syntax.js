// Context: O.  Colors for source lines and instructions: comments, texts,
// numbers, words of the language.  A line is looked at alone, without the ones
// above it.  For code.js.
"use strict";

const WORDS = new Set(("alignas alignof and asm async auto await bool break " +
    "case catch char class co_await co_return co_yield concept const " +
    "constexpr continue crate decltype def default defer delete do double " +
    "elif else enum except explicit export extern false final finally float " +
    "fn for from func function go goto if impl import in inline int " +
    "interface is lambda let long loop map match mod move mut namespace new " +
    "nil None noexcept not null nullptr operator or override package pass " +
    "private protected pub public raise range ref register requires return " +
    "select self short signed sizeof static static_cast struct super switch " +
    "template this throw trait true True False try type typedef typename " +
    "typeof union unsafe unsigned use using var virtual void volatile " +
    "where while with yield").split(" "));

const TOKENS = new RegExp([
	"(//.*|/\\*.*?(?:\\*/|$)|^\\s*\\*(?:\\s.*|/|$)|^\\s*#.*)",	// comment
	"(\"(?:[^\"\\\\]|\\\\.)*\"?|'(?:[^'\\\\]|\\\\.)+')",	// text
	"(\\b\\d[\\w.]*)",					// number
	"([A-Za-z_]\\w*)",					// word
].join("|"), "g");

// Returns the class of a token, "" if it has none.
function tokenClass([, comment, text, number, word]) {
	return comment !== undefined ? "comment" : text !== undefined ? "text" :
	    number !== undefined ? "number" : WORDS.has(word) ? "word" : "";
}

function appendToken(element, text, kind) {
	if (kind === "") {
		element.append(text);
		return;
	}
	const span = document.createElement("span");
	span.className = "token-" + kind;
	span.textContent = text;
	element.append(span);
}

// Puts a line of source into an element.
function appendSource(element, line) {
	let plain = 0;
	for (const m of line.matchAll(TOKENS)) {
		const kind = tokenClass(m);
		if (kind === "")
			continue;
		element.append(line.slice(plain, m.index));
		appendToken(element, m[0], kind);
		plain = m.index + m[0].length;
	}
	element.append(line.slice(plain));
}

// Puts an instruction into an element: its first word stands out.
function appendInstruction(element, text) {
	const [word] = /^\S*/.exec(text);
	appendToken(element, word, "word");
	element.append(text.slice(word.length));
}
