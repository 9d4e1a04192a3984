/*
 * Context: O.  Prints the modules whose functions have no names, or fewer than
 * expected, and why, for footer.c.
 */
#include "report/unresolved_modules.h"

#include "elf/remote.h"

#define UNRESOLVED_MODULES_MAX	5	/* most modules that are listed */

/*
 * Prints why a module, whose state is not OBJECT_FOUND, has no names or fewer.
 */
static void
print_unresolved(const struct term *t, const struct model_module *own)
{
	static const struct {
		const char *why, *remedy;
	} say[OBJECT_STATES] = {
		[OBJECT_DEBUG_TRUNCATED] =
		    { "has a debug file that is cut short",
		    "install it again" },
		[OBJECT_DEBUG_WRONG_ID] = { "has a debug file with another "
		    "build-id", "install the one of this build" },
		[OBJECT_DEBUG_WRONG_CRC] = { "has a debug file with another "
		    "CRC than its .gnu_debuglink says",
		    "install the one of this build" },
		[OBJECT_DEBUG_NOT_ELF] = { "has a debug file that is not an "
		    "ELF file", "install it again" },
		[OBJECT_DEBUG_NO_PERMISSION] =
		    { "has a debug file that this user " "may not read",
		    "see its permissions" },
		[OBJECT_MINIDEBUG_DAMAGED] = { "has damaged symbols in "
		    ".gnu_debugdata", NULL },
		[OBJECT_MISSING] = { "no longer exists", NULL },
		[OBJECT_NO_PERMISSION] = { "may not be read by this user",
		    "see its permissions" },
		[OBJECT_UNREADABLE] = { "cannot be opened", NULL },
		[OBJECT_CHANGED] = { "is not the file that ran", NULL },
		[OBJECT_TRUNCATED] = { "is cut short", NULL },
		[OBJECT_NOT_ELF] = { "is not an ELF file", NULL },
		[OBJECT_NO_BIAS] = { "was not readable as an ELF file", NULL },
		[OBJECT_HIDDEN] = { "shows no symbols to this user",
		    "root may see them" },
	};

	fputs(object_is_found(own->state) ? "fewer names: " : "no names: ",
	    t->out);
	term_text(t, own->path, 0);
	fprintf(t->out, " %s", say[own->state].why);
	if (own->debug != NULL) {
		fputs(": ", t->out);
		term_text(t, own->debug, 0);
	}
	if (say[own->state].remedy != NULL)
		fprintf(t->out, "; %s", say[own->state].remedy);
	putc('\n', t->out);
}

/* Prints why a module has no lines or fewer. */
static void
print_lineless(const struct term *t, const struct model_module *own)
{
	static const char *const why[LINES_FAULTS] = {
		[LINES_ZSTD] = " has debug information compressed by zstd, "
		    "which this prof cannot read; objcopy "
		    "--decompress-debug-sections undoes it",
		[LINES_COMPRESSED] =
		    " has debug information with an unknown compression",
		[LINES_DAMAGED] = " has debug information that cannot be read",
		[LINES_SPLIT_MISSING] =
		    " has debug information in %s, which does not exist",
		[LINES_DWP_MISSING] =
		    " has debug information in %s, which this "
		    "prof cannot read",
	};
	const char *text = why[own->lines_fault];
	const char *place = strstr(text, "%s");

	fputs(place != NULL ? "fewer lines: " : "no lines: ", t->out);
	term_text(t, own->path, 0);
	if (place != NULL && own->lines_apart != NULL) {
		fwrite(text, 1, (size_t)(place - text), t->out);
		term_text(t, own->lines_apart, 0);
		text = place + 2;
	}
	fprintf(t->out, "%s\n", text);
}

/* Names modules whose debug information is present but cannot be read. */
static void
print_lineless_modules(const struct term *t, const struct model *m)
{
	unsigned shown = 0;

	for (size_t i = 0; i < m->module_count; i++) {
		if (m->modules[i].lines_fault == LINES_OK)
			continue;
		if (shown++ == UNRESOLVED_MODULES_MAX) {
			fputs("no lines: ... and others\n", t->out);
			return;
		}
		print_lineless(t, &m->modules[i]);
	}
}

static void
print_debuginfod(const struct term *t)
{
	const struct remote_sum sum = remote_sum();

	if (sum.asked != 0)
		fprintf(t->out, "debuginfod: %u of %u debug files were "
		    "fetched%s\n",
		    sum.found, sum.asked, sum.late ? "; the time limit was "
		    "reached" : "");
}

void
unresolved_modules_print(const struct term *t, const struct model *m)
{
	unsigned shown = 0;

	print_debuginfod(t);
	print_lineless_modules(t, m);
	for (size_t i = 0; i < m->module_count; i++) {
		if (m->modules[i].state == OBJECT_FOUND ||
		    m->modules[i].named_all)
			continue;
		if (shown++ == UNRESOLVED_MODULES_MAX) {
			fputs("no names: ... and others\n", t->out);
			return;
		}
		print_unresolved(t, &m->modules[i]);
	}
}
