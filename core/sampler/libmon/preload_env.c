/*
 * Context: O.  Makes the environment that loads libmon.so into a command, for
 * tprof monitor, prof record and prof doctor; see preload_env.h.
 */
#include "libmon/preload_env.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"LD_PRELOAD=", "PROFDIR=", "PROFOPTS="};

#define NAMES	(sizeof(names) / sizeof(names[0]))

static bool
is_libmon(const char *path, size_t bytes)
{
	static const char name[] = "libmon.so";
	const size_t own = sizeof(name) - 1;

	return bytes >= own && memcmp(path + bytes - own, name, own) == 0 &&
	    (bytes == own || path[bytes - own - 1] == '/');
}

/*
 * Returns the next path as the loader sees it: blanks and colons separate
 * paths.
 */
static const char *
next_part(const char **at, size_t *bytes)
{
	const char *part = *at + strspn(*at, " :");

	*bytes = strcspn(part, " :");
	*at = part + *bytes;
	return *bytes != 0 ? part : NULL;
}

static bool
names_libmon(const char *text)
{
	const char *part;
	size_t bytes;

	while ((part = next_part(&text, &bytes)) != NULL)
		if (is_libmon(part, bytes))
			return true;
	return false;
}

/*
 * Writes LD_PRELOAD: the user's list, with the library in the place of another
 * libmon.so, or before all.
 */
static void
put_preload(FILE *out, const char *library)
{
	const char *old = getenv("LD_PRELOAD"), *part;
	bool put = old == NULL || !names_libmon(old), first = true;
	size_t bytes;

	if (put)
		fprintf(out, "%s%s", names[0], library);
	else
		fputs(names[0], out);
	first = !put;
	while (old != NULL && (part = next_part(&old, &bytes)) != NULL) {
		const bool ours = is_libmon(part, bytes);

		if (ours && put)
			continue;
		fprintf(out, "%s%.*s", first ? "" : ":",
		    ours ? (int)strlen(library) : (int)bytes,
		    ours ? library : part);
		put |= ours;
		first = false;
	}
}

/*
 * Returns whether an option of the user is dropped: its default, or a value of
 * ours, is wanted.  The last two rows are dropped from a plain environment
 * alone.
 */
static bool
is_dropped(const char *item, size_t bytes, bool plain)
{
	static const char *const keys[] = {
		"dir", "file", "msg", "format", "start",
	};
	const size_t count = sizeof(keys) / sizeof(keys[0]);
	const size_t key = strcspn(item, "=,");

	for (size_t i = 0; i < (plain ? count : count - 2); i++)
		if (key == strlen(keys[i]) &&
		    memcmp(item, keys[i], key) == 0)
			return true;
	return bytes == 0;
}

/* Writes the options.  The last one of a kind holds. */
static void
put_options(FILE *out, const struct preload_env_request *want)
{
	const char *at = getenv("PROFOPTS");

	fputs(names[2], out);
	while (at != NULL && *at != '\0') {
		const size_t bytes = strcspn(at, ",");

		if (!is_dropped(at, bytes, want->plain))
			fprintf(out, "%.*s,", (int)bytes, at);
		at += bytes + (at[bytes] == ',');
	}
	fputs(want->options, out);
}

/*
 * Returns the variable number `which` of `names` with its value, malloced; NULL
 * without memory.
 */
static char *
make_own(size_t which, const struct preload_env_request *want)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return NULL;
	if (which == 0)
		put_preload(out, want->library);
	else if (which == 1)
		fprintf(out, "%s%s", names[1], want->directory);
	else
		put_options(out, want);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static bool
is_own(const char *entry)
{
	for (size_t i = 0; i < NAMES; i++)
		if (strncmp(entry, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

int
preload_env_make(struct preload_env *i, const struct preload_env_request *want)
{
	size_t count = 0, kept = 0;

	*i = (struct preload_env) { 0 };
	while (environ != NULL && environ[count] != NULL)
		count++;
	i->env = calloc(count + NAMES + 1, sizeof(*i->env));
	for (size_t n = 0; i->env != NULL && n < count; n++)
		if (!is_own(environ[n]))
			i->env[kept++] = environ[n];
	for (size_t n = 0; i->env != NULL && n < NAMES; n++) {
		i->own[n] = make_own(n, want);
		if (i->own[n] == NULL)
			break;
		i->env[kept++] = i->own[n];
	}
	if (i->env != NULL && i->own[NAMES - 1] != NULL)
		return 0;
	preload_env_free(i);
	return -ENOMEM;
}

void
preload_env_free(struct preload_env *i)
{
	for (size_t n = 0; n < NAMES; n++)
		free(i->own[n]);
	free(i->env);
	*i = (struct preload_env) { 0 };
}
