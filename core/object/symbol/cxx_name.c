/*
 * Context: O.  Shortens demangled C++ names in one pass, for demangle_name();
 * see cxx_name.h.
 */
#include "symbol/cxx_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define CXX_DEPTH	200	/* most nested brackets; limits the C stack */
#define CXX_ARGUMENTS	16	/* template arguments that may be dropped */

/* A name while it is copied.  The copy is never longer than the name. */
struct cxx_name {
	const char *at;		/* next byte to read */
	char *start, *out;	/* the copy, and where its next byte goes */
	unsigned depth;
};

static bool copy_until(struct cxx_name *n, char stop);

static bool
is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' ||
	    (unsigned char)c >= 0x80;
}

static bool
begins_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Copies `bytes` bytes that are there. */
static void
copy_bytes(struct cxx_name *n, size_t bytes)
{
	memmove(n->out, n->at, bytes);
	n->out += bytes;
	n->at += bytes;
}

static bool
copy_ends_with(const struct cxx_name *n, const char *end)
{
	const size_t bytes = strlen(end);

	return (size_t)(n->out - n->start) >= bytes &&
	    memcmp(n->out - bytes, end, bytes) == 0;
}

/* Copies the symbol of an operator, whose brackets are no brackets. */
static void
copy_operator(struct cxx_name *n)
{
	static const char *const symbols[] = {
		"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=",
		"->", "<", ">",
	};

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		if (begins_with(n->at, symbols[i])) {
			copy_bytes(n, strlen(symbols[i]));
			return;
		}
}

/*
 * Copies an identifier of the qualified name that begins at `name`.  Leaves out
 * inline namespaces of the standard library, which hold versions of its ABI.
 */
static void
copy_word(struct cxx_name *n, const char *name)
{
	static const char *const versions[] = {
		"__cxx11", "_V2", "__1", "__2", "__ndk1", "__fs",
	};
	size_t bytes = 0;

	while (is_word_byte(n->at[bytes]))
		bytes++;
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (strlen(versions[i]) == bytes &&
		    memcmp(versions[i], n->at, bytes) == 0 &&
		    copy_ends_with(n, "::") && n->out - name >= 5 &&
		    memcmp(name, "std::", 5) == 0 &&
		    begins_with(n->at + bytes, "::")) {
			n->at += bytes + 2;
			return;
		}
	copy_bytes(n, bytes);
	if (bytes == 8 && copy_ends_with(n, "operator"))
		copy_operator(n);
}

/* Returns the last part of the qualified name from `name` to `end`. */
static const char *
last_component(const char *name, const char *end)
{
	const char *last = name;

	for (const char *p = name; p + 1 < end; p++)
		if (p[0] == ':' && p[1] == ':')
			last = p + 2;
	return last;
}

#define PAIR_ALLOCATOR	"std::allocator<std::pair<$0 const, $1>>"
#define LOCK		"(__gnu_cxx::_Lock_policy)2"

/*
 * Templates of the standard library: how many arguments a user writes, and the
 * defaults of those behind.  $0 and $1 stand for the first two arguments.
 */
static const struct cxx_template {
	const char *name;
	size_t least;
	const char *defaults[3];
} templates[] = {
	{ "vector", 1, { "std::allocator<$0>" } },
	{ "deque", 1, { "std::allocator<$0>" } },
	{ "list", 1, { "std::allocator<$0>" } },
	{ "forward_list", 1, { "std::allocator<$0>" } },
	{ "set", 1, { "std::less<$0>", "std::allocator<$0>" } },
	{ "multiset", 1, { "std::less<$0>", "std::allocator<$0>" } },
	{ "map", 2, { "std::less<$0>", PAIR_ALLOCATOR } },
	{ "multimap", 2, { "std::less<$0>", PAIR_ALLOCATOR } },
	{ "unordered_set", 1, { "std::hash<$0>", "std::equal_to<$0>",
	    "std::allocator<$0>" } },
	{ "unordered_multiset", 1, { "std::hash<$0>", "std::equal_to<$0>",
	    "std::allocator<$0>" } },
	{ "unordered_map", 2, { "std::hash<$0>", "std::equal_to<$0>",
	    PAIR_ALLOCATOR } },
	{ "unordered_multimap", 2, { "std::hash<$0>", "std::equal_to<$0>",
	    PAIR_ALLOCATOR } },
	{ "unique_ptr", 1, { "std::default_delete<$0>" } },
	{ "basic_string", 1, { "std::char_traits<$0>", "std::allocator<$0>" } },
	{ "basic_string_view", 1, { "std::char_traits<$0>" } },
	{ "basic_ios", 1, { "std::char_traits<$0>" } },
	{ "basic_streambuf", 1, { "std::char_traits<$0>" } },
	{ "basic_istream", 1, { "std::char_traits<$0>" } },
	{ "basic_ostream", 1, { "std::char_traits<$0>" } },
	{ "basic_iostream", 1, { "std::char_traits<$0>" } },
	{ "basic_filebuf", 1, { "std::char_traits<$0>" } },
	{ "basic_ifstream", 1, { "std::char_traits<$0>" } },
	{ "basic_ofstream", 1, { "std::char_traits<$0>" } },
	{ "basic_fstream", 1, { "std::char_traits<$0>" } },
	{ "basic_stringbuf", 1, { "std::char_traits<$0>",
	    "std::allocator<$0>" } },
	{ "basic_istringstream", 1, { "std::char_traits<$0>",
	    "std::allocator<$0>" } },
	{ "basic_ostringstream", 1, { "std::char_traits<$0>",
	    "std::allocator<$0>" } },
	{ "basic_stringstream", 1, { "std::char_traits<$0>",
	    "std::allocator<$0>" } },
	{ "_Vector_base", 1, { "std::allocator<$0>" } },
	{ "_Deque_base", 1, { "std::allocator<$0>" } },
	{ "_List_base", 1, { "std::allocator<$0>" } },
	{ "_Fwd_list_base", 1, { "std::allocator<$0>" } },
	{ "_Rb_tree", 3, { "std::less<$0>", "std::allocator<$1>" } },
	{ "__shared_ptr", 1, { LOCK } },
	{ "__shared_ptr_access", 1, { LOCK } },
	{ "__weak_ptr", 1, { LOCK } },
	{ "_Sp_counted_ptr", 1, { LOCK } },
	{ "_Sp_counted_ptr_inplace", 2, { LOCK } },
	{ "_Sp_counted_deleter", 3, { LOCK } },
};

/* Returns the template of that qualified name, or NULL. */
static const struct cxx_template *
find_template(const char *name, const char *end)
{
	const char *last = last_component(name, end);
	const size_t bytes = (size_t)(end - last);

	for (size_t i = 0; begins_with(name, "std::") &&
	    i < sizeof(templates) / sizeof(templates[0]); i++)
		if (strlen(templates[i].name) == bytes &&
		    memcmp(templates[i].name, last, bytes) == 0)
			return &templates[i];
	return NULL;
}

/* Template arguments in the copy; each ends before the next one's ", ". */
struct cxx_arguments {
	char *begin[CXX_ARGUMENTS];
	char *end[CXX_ARGUMENTS];
	size_t count;
};

/* Returns whether argument `which` is what a default says. */
static bool
is_default_argument(const struct cxx_arguments *a, size_t which,
    const char *pattern)
{
	const char *at = a->begin[which], *const end = a->end[which];

	for (; *pattern != '\0'; pattern++) {
		const size_t n = *pattern == '$' ? (size_t)(pattern[1] - '0') :
		    0;
		const char *text = *pattern == '$' ? a->begin[n] : pattern;
		const size_t bytes = *pattern == '$' ?
		    (size_t)(a->end[n] - a->begin[n]) : 1;

		if ((size_t)(end - at) < bytes || memcmp(at, text, bytes) != 0)
			return false;
		at += bytes;
		pattern += *pattern == '$';
	}
	return at == end;
}

/* Takes defaults off the end of the arguments. */
static void
drop_defaults(struct cxx_name *n, const struct cxx_template *t,
    struct cxx_arguments *a)
{
	if (t == NULL || a->count > CXX_ARGUMENTS)
		return;
	while (a->count > t->least && a->count <= t->least + 3) {
		const char *usual = t->defaults[a->count - t->least - 1];

		if (usual == NULL ||
		    !is_default_argument(a, a->count - 1, usual))
			return;
		a->count--;
		n->out = a->end[a->count - 1];
	}
}

/*
 * Replaces std::basic_X<char and std::basic_X<wchar_t, of which the copy has
 * all but the bracket that ends it, by std::X and std::wX.
 */
static bool
replace_alias(struct cxx_name *n, char *name, const char *open)
{
	char *last = name + (last_component(name, open) - name);
	const size_t kept = (size_t)(open - last);
	const bool wide = copy_ends_with(n, "<wchar_t");

	if (!begins_with(name, "std::") || !begins_with(last, "basic_") ||
	    n->out != open + (wide ? strlen("<wchar_t") : strlen("<char")) ||
	    (!wide && !copy_ends_with(n, "<char")))
		return false;
	memmove(last + wide, last + strlen("basic_"), kept - strlen("basic_"));
	if (wide)
		*last = 'w';
	n->out = last + wide + kept - strlen("basic_");
	return true;
}

/*
 * Copies template arguments, from their opening to their closing bracket.
 * `name` begins the qualified name that they belong to.
 */
static bool
copy_arguments(struct cxx_name *n, char *name)
{
	struct cxx_arguments a = { .count = 0 };
	char *const open = n->out;
	const struct cxx_template *t;

	*open = '\0';
	t = find_template(name, open);
	copy_bytes(n, 1);
	for (;;) {
		char *const begin = n->out;

		if (!copy_until(n, '>'))
			return false;
		if (*n->at == '>' && n->out[-1] == ' ')
			n->out--;
		if (a.count < CXX_ARGUMENTS) {
			a.begin[a.count] = begin;
			a.end[a.count] = n->out;
		}
		a.count++;
		if (*n->at == '>')
			break;
		copy_bytes(n, n->at[1] == ' ' ? 2 : 1);
	}
	drop_defaults(n, t, &a);
	if (replace_alias(n, name, open))
		n->at++;
	else
		copy_bytes(n, 1);
	return true;
}

/* Copies what is in parentheses, with these. */
static bool
copy_parentheses(struct cxx_name *n)
{
	copy_bytes(n, 1);
	if (!copy_until(n, ')'))
		return false;
	copy_bytes(n, 1);
	return true;
}

/* Copies one part of a name; *name is the start of the qualified name. */
static bool
copy_part(struct cxx_name *n, char **name)
{
	if (is_word_byte(*n->at)) {
		if (!copy_ends_with(n, "::"))
			*name = n->out;
		copy_word(n, *name);
		return true;
	}
	if (*n->at == '<')
		return copy_arguments(n, *name);
	if (*n->at == '(')
		return copy_parentheses(n);
	if (begins_with(n->at, "[abi:") && strchr(n->at, ']') != NULL) {
		n->at = strchr(n->at, ']') + 1;
		return true;
	}
	if (*n->at == '>' && !copy_ends_with(n, "-"))
		return false;
	copy_bytes(n, 1);
	return true;
}

/*
 * Copies up to `stop`, or up to a comma if that is '>', and leaves it to be
 * read.  Returns false if it does not come, or if brackets are nested too deep.
 */
static bool
copy_until(struct cxx_name *n, char stop)
{
	char *name = n->out;

	if (++n->depth > CXX_DEPTH)
		return false;
	while (*n->at != stop && !(stop == '>' && *n->at == ','))
		if (*n->at == '\0' || !copy_part(n, &name))
			return false;
	n->depth--;
	return true;
}

char *
cxx_name_shorten(const char *name)
{
	struct cxx_name n = { .at = name };

	n.start = n.out = malloc(strlen(name) + 1);
	if (n.start == NULL)
		return NULL;
	if (!copy_until(&n, '\0')) {
		free(n.start);
		return NULL;
	}
	*n.out = '\0';
	return n.start;
}
