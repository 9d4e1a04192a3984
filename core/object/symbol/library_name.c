/*
 * Context: O.  Tells names of standard libraries, for the model and core/view;
 * see library_name.h.
 */
#include "symbol/library_name.h"

#include <stddef.h>
#include <string.h>

static bool
begins_with_any(const char *name, const char *const *begins, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (*name == *begins[i] &&
		    strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/*
 * Crates of Rust's standard library, with the lengths of their names.  It has
 * its maps from hashbrown.
 */
static const char *const rust_crates[] = {
	"4core", "5alloc", "3std", "9hashbrown", "10std_detect",
};

#define RUST_CRATES	(sizeof(rust_crates) / sizeof(rust_crates[0]))

/*
 * Returns whether a name begins with one of those crates and `separator`, as in
 * names that are not mangled, or of which only that is.
 */
static bool
begins_with_crate(const char *name, const char *separator)
{
	for (size_t i = 0; i < RUST_CRATES; i++) {
		const char *crate = rust_crates[i] +
		    strspn(rust_crates[i], "0123456789");
		const size_t bytes = strlen(crate);

		if (strncmp(name, crate, bytes) == 0 && strncmp(name + bytes,
		    separator, strlen(separator)) == 0)
			return true;
	}
	return false;
}

/*
 * Returns whether a method of Rust, of whose name `type` is what follows the
 * first angle bracket, is of the standard library: the type is, or it is a
 * primitive type or a parameter and the trait is.  rustc writes "<T as Trait>"
 * only of what is implemented in the module of the type or of the trait.  as:
 * what stands between the type and the trait.
 */
static bool
is_rust_method_standard(const char *type, const char *as, const char *separator)
{
	const char *trait = strstr(type, as);
	const char *path = strstr(type, separator);

	if (begins_with_crate(type, separator))
		return true;
	return trait != NULL && (path == NULL || path > trait) &&
	    begins_with_crate(trait + strlen(as), separator);
}

/* Names that debug information gives as they are in the source. */
static bool
is_plain_standard(const char *name)
{
	static const char *const begins[] = {
		"std::", "__gnu_cxx::", "__cxxabiv1::", "__gthread_",
		"__gthrw_",
	};

	if (begins_with_any(name, begins, sizeof(begins) / sizeof(begins[0])))
		return true;
	return *name == '<' && is_rust_method_standard(name + 1, " as ", "::");
}

/*
 * Names of C++, by the Itanium ABI: "St" is std, and "Sa" to "Ss" are classes
 * of it.  `name` begins with "_Z".
 */
static bool
is_cxx_standard(const char *name)
{
	static const char *const begins[] = {
		"St", "9__gnu_cxx", "10__cxxabiv1",
	};
	const char *at = name + 2;

	if (*at == 'N') {
		at++;
		at += strspn(at, "rVK");
		at += *at == 'R' || *at == 'O';
		if (*at == 'S' && at[1] != '\0' && strchr("absiod", at[1]) !=
		    NULL)
			return true;
	}
	return begins_with_any(at, begins, sizeof(begins) / sizeof(begins[0]));
}

/*
 * Returns whether a name ends in a hash of legacy Rust: "17h", 16 digits, "E".
 * LLVM may have added a number of its own.
 */
static bool
has_rust_hash(const char *name)
{
	const char *llvm = strstr(name, ".llvm.");
	const size_t bytes = llvm != NULL ? (size_t)(llvm - name) :
	    strlen(name);
	const char *hash = name + bytes - 20;

	return bytes > 24 && strncmp(hash, "17h", 3) == 0 && strspn(hash + 3,
	    "0123456789abcdef") == 16 && hash[19] == 'E';
}

/* Legacy names of Rust: paths, and "_$LT$" before the type of a method. */
static bool
is_legacy_rust_standard(const char *name)
{
	const char *at = name + 3;
	const char *type;

	if (strncmp(name, "_ZN", 3) != 0 || !has_rust_hash(name))
		return false;
	if (begins_with_any(at, rust_crates, RUST_CRATES))
		return true;
	type = at + strspn(at, "0123456789");
	if (strncmp(type, "_$LT$", 5) != 0)
		return false;
	type += 5;
	/* A type that is the parameter of another one has its bracket, too. */
	if (strncmp(type, "$LT$", 4) == 0)
		type += 4;
	return is_rust_method_standard(type, "$u20$as$u20$", "..");
}

/* Skips a disambiguator of a v0 name of Rust: "s", digits, "_". */
static const char *
skip_disambiguator(const char *at)
{
	const char *end = *at != 's' ? NULL : strchr(at, '_');

	return end == NULL ? at : end + 1;
}

/* Names of Rust in version 0: the first crate of the path. */
static bool
is_rust_standard(const char *name)
{
	const char *at = name + 2;

	for (;; at++) {
		if (*at == 'N' && at[1] != '\0')
			at++;
		else if (*at == 'M' || *at == 'X')
			at = skip_disambiguator(at + 1) - 1;
		else if (*at != 'I')
			break;
	}
	return *at == 'C' && begins_with_any(skip_disambiguator(at + 1),
	    rust_crates, RUST_CRATES);
}

bool
library_name_is_standard(const char *name)
{
	if (strncmp(name, "_R", 2) == 0)
		return is_rust_standard(name);
	if (strncmp(name, "_Z", 2) == 0)
		return is_legacy_rust_standard(name) || is_cxx_standard(name);
	return is_plain_standard(name);
}

bool
library_name_is_start(const char *name)
{
	static const char *const names[] = {
		"_start", "__libc_start_main", "__libc_start_call_main",
		"__libc_start_main_impl", "clone", "__clone", "clone3",
		"__clone3", "start_thread", "execute_native_thread_routine",
	};
	static const char *const begins[] = {
		"__libc_start_main@", "_ZNSt6thread", "_ZNSt13__invoke",
		"_ZSt8__invoke", "_ZSt13__invoke_impl", "std::thread::",
		"std::__invoke",
		"_ZN3std2rt", "_ZN3std10sys_common9backtrace",
		"_ZN3std3sys9backtrace", "_ZN4core3ops8function6FnOnce",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return begins_with_any(name, begins, sizeof(begins) /
	    sizeof(begins[0]));
}
