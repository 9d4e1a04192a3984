/*
 * Context: O.  Matches names with what a user types, for the filters of the
 * model and for --mine; see name_match.h.
 */
#define _GNU_SOURCE		/* strcasestr */
#include "symbol/name_match.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

/* Returns the length of the mark between two components at `at`, or 0. */
static size_t
separator_bytes(const char *at)
{
	return at[0] == ':' && at[1] == ':' ? 2 : at[0] == '.' ||
	    at[0] == '/' ? 1 : 0;
}

/*
 * Returns whether a mark follows by which the compiler names its copies.  A
 * number follows all but the first: main.part.run is a function of Go.
 */
static bool
is_clone_mark(const char *at)
{
	static const char *const marks[] = {
		".part.", ".constprop.", ".isra.", ".lto_priv.", ".llvm.",
	};

	if (strncmp(at, ".cold", 5) == 0)
		return at[5] == '\0' || at[5] == '.';
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strncmp(at, marks[i], strlen(marks[i])) == 0)
			return isdigit((unsigned char)at[strlen(marks[i])]);
	return false;
}

size_t
name_match_clone_mark(const char *name)
{
	const char *at = name;

	while ((at = strchr(at, '.')) != NULL && !is_clone_mark(at))
		at++;
	/* A name that begins with the mark has nothing else. */
	return at == NULL || at == name ? strlen(name) : (size_t)(at - name);
}

/*
 * Returns whether a name is that of the pattern's function of libc for some
 * processors: __memcpy_avx_unaligned_erms is memcpy.
 */
static bool
is_processor_variant(const char *pattern, const char *name)
{
	static const char *const marks[] = {
		"_sse", "_ssse3", "_avx", "_evex", "_erms", "_fma", "_x86_64",
		"_sve", "_asimd", "_mops", "_mte", "_zva", "_a64fx",
		"_thunderx", "_falkor", "_emag", "_generic",
	};
	const size_t bytes = strlen(pattern);

	if (strncmp(name, "__", 2) != 0 ||
	    strncmp(name + 2, pattern, bytes) != 0)
		return false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strncmp(name + 2 + bytes, marks[i], strlen(marks[i])) == 0)
			return true;
	return false;
}

/*
 * Returns whether no component follows: nothing but template arguments,
 * parameters and marks such as "@plt".
 */
static bool
is_end_of_name(const char *at)
{
	unsigned depth = 0;

	if (*at != '\0' && strchr("<(@[ ", *at) == NULL && !is_clone_mark(at))
		return false;
	for (; *at != '\0'; at++) {
		depth += *at == '<' || *at == '(';
		depth -= depth != 0 && (*at == '>' || *at == ')');
		if (depth == 0 && separator_bytes(at) == 2)
			return false;
	}
	return true;
}

/*
 * Returns whether the pattern is the last component of the name, or the last
 * few, not in template arguments or parameters.
 */
static bool
ends_with_component(const char *pattern, const char *name)
{
	const size_t bytes = strlen(pattern);
	unsigned depth = 0;
	bool begins = true;	/* a component begins here */

	for (const char *at = name; *at != '\0'; at++) {
		const size_t mark = depth == 0 ? separator_bytes(at) : 0;

		if (begins && strncmp(at, pattern, bytes) == 0 &&
		    is_end_of_name(at + bytes))
			return true;
		begins = mark != 0;
		if (mark == 2)
			at++;
		depth += *at == '<' || *at == '(';
		depth -= depth != 0 && (*at == '>' || *at == ')');
	}
	return false;
}

bool
name_match(const char *pattern, const char *name, enum name_match how)
{
	/* "[vdso]" is also a pattern, for one letter. */
	if (strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0)
		return true;
	if (*pattern == '\0')
		return false;
	return (how >= NAME_MATCH_COMPONENT &&
	    (ends_with_component(pattern, name) ||
	    is_processor_variant(pattern, name))) ||
	    (how >= NAME_MATCH_PART && strcasestr(name, pattern) != NULL);
}
