/*
 * Context: O.  Makes the rows of the classic listing from its files, sorts them
 * and frees the listing.  cmd/classic/classic_list.c calls it; see listing.h.
 */
#define _GNU_SOURCE		/* for qsort_r */
#include "listing.h"

#include "base/compare.h"
#include "symbol/demangle.h"
#include "listing_parts.h"
#include "read/read_classic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Begins a second line with the mangled name in brackets, as in SVR4. */
#define SECOND_LINE	"\n\t\t\t\t\t    ["

int
listing_begin(struct listing *l, const struct listing_options *o,
    const char *program, struct fault *f)
{
	struct listing_module *m;

	memset(l, 0, sizeof(*l));
	l->options = o;
	l->named = program != NULL;
	return listing_module_add(l, program != NULL ? program :
	    READ_CLASSIC_PROGRAM, &m, f);
}

int
listing_add(struct listing *l, const struct listing_file *file,
    struct fault *f)
{
	const bool versioned = file->classic.kind == CLASSIC_PROF;
	int ret = l->named ? listing_check_program(l, f) : 0;

	if (ret != 0)
		return ret;
	if (l->begun && versioned != l->versioned)
		return listing_fault(f, LISTING_INPUT, "a versioned mon.out "
		    "and one that is not cannot be summed", FAULT_NO_OFFSET);
	l->begun = true;
	l->versioned = versioned;
	l->written = file->written;
	return versioned ? listing_add_samples(l, file, f) :
	    listing_add_cells(l, file, f);
}

/*
 * Sets s->name to the demangled name; SVR4 shows the mangled one below it, in a
 * second line.  Returns 0 or LISTING_MEMORY.
 */
static int
demangle_symbol_row(struct listing *l, struct listing_symbol *s)
{
	const char *mangled = s->symbol->name;
	const char *name = demangle_name(&l->names, mangled, DEMANGLE_FULL);
	char *both;

	if (name == NULL || name == mangled || l->versioned ||
	    l->options->style == LISTING_BSD) {
		s->name = name;
		return name == NULL ? LISTING_MEMORY : 0;
	}
	name = arena_join(&l->names, name, strlen(name), SECOND_LINE);
	both = name == NULL ? NULL :
	    arena_join(&l->names, name, strlen(name), mangled);
	s->name = both == NULL ? NULL :
	    arena_join(&l->names, both, strlen(both), "]");
	return s->name == NULL ? LISTING_MEMORY : 0;
}

enum key { END, PLACE, TIME, CALLS, NAME };

#define KEYS 4

/*
 * Sort keys of each style and order, the most important first.  PLACE is never
 * equal.
 */
static const enum key by_name[KEYS] = { NAME, PLACE };
static const enum key order_of[][LISTING_NAME + 1][KEYS] = {
	[LISTING_SVR4] = {
		[LISTING_TIME] = { TIME, PLACE },
		[LISTING_CALLS] = { CALLS, PLACE },
		[LISTING_ADDRESS] = { PLACE },
		[LISTING_NAME] = { NAME, PLACE },
	},
	[LISTING_BSD] = {
		[LISTING_TIME] = { TIME, NAME, PLACE },
		[LISTING_CALLS] = { CALLS, TIME, NAME, PLACE },
		[LISTING_ADDRESS] = { PLACE },
		[LISTING_NAME] = { NAME, PLACE },
	},
};

static int
compare_by_key(enum key key, const struct listing_symbol *a,
    const struct listing_symbol *b)
{
	int d;

	switch (key) {
	case TIME:
		return (a->ticks < b->ticks) - (a->ticks > b->ticks);
	case CALLS:
		return compare_u64(b->calls, a->calls);
	case NAME:
		return strcmp(a->name, b->name);
	default:
		d = compare_u64(a->module->number, b->module->number);
		return d != 0 ? d : compare_u64((uintptr_t)a, (uintptr_t)b);
	}
}

static int
compare_listing_rows(const void *left, const void *right, void *keys)
{
	const struct listing_symbol *a = *(struct listing_symbol *const *)left;
	const struct listing_symbol *b = *(struct listing_symbol *const *)right;
	int d = 0;

	for (const enum key *key = keys; d == 0 && *key != END; key++)
		d = compare_by_key(*key, a, b);
	return d;
}

static void
sort_listing_rows(struct listing *l, const enum key *keys)
{
	qsort_r(l->rows, l->row_count, sizeof(struct listing_symbol *),
	    compare_listing_rows, (void *)(uintptr_t)keys);
}

static int
add_listing_row(struct listing *l, struct listing_symbol *s)
{
	if (l->options->demangle && demangle_symbol_row(l, s) != 0)
		return LISTING_MEMORY;
	l->rows[l->row_count++] = s;
	l->accounted += s->ticks;
	l->calls += s->calls;
	return 0;
}

/*
 * Makes the rows of all modules, not sorted, and their sums.  Returns 0 or
 * LISTING_MEMORY.
 */
static int
add_listing_rows(struct listing *l)
{
	size_t all = 0;
	int ret = 0;

	for (struct listing_module *m = l->modules; m != NULL; m = m->next)
		all += m->count;
	l->rows = calloc(all + 1, sizeof(struct listing_symbol *));
	if (l->rows == NULL)
		return LISTING_MEMORY;
	for (struct listing_module *m = l->modules; m != NULL; m = m->next)
		for (size_t i = 0; i < m->count && ret == 0; i++)
			ret = add_listing_row(l, &m->symbols[i]);
	return ret;
}

/* Marks the functions whose names appear in the listing twice. */
static void
find_ambiguous(struct listing *l)
{
	struct listing_symbol *last = NULL;

	sort_listing_rows(l, by_name);
	for (size_t i = 0; i < l->row_count; i++) {
		struct listing_symbol *s = l->rows[i];

		if (!listing_shows(l, s))
			continue;
		if (last != NULL && strcmp(last->name, s->name) == 0)
			last->ambiguous = s->ambiguous = true;
		last = s;
	}
}

/*
 * Appends a function to those at its address.  Rows are joined in their order.
 */
static void
join_alias(struct listing_symbol *s)
{
	struct listing_symbol *first = s->first;

	if (first->head == NULL)
		first->head = s;
	else
		first->tail->next = s;
	first->tail = s;
	first->all_ticks += s->ticks;
	first->all_calls += s->calls;
	first->aliases++;
}

int
listing_finish(struct listing *l, struct fault *f)
{
	if (add_listing_rows(l) != 0)
		return listing_no_memory(f);
	if (l->versioned)
		find_ambiguous(l);
	sort_listing_rows(l, order_of[l->options->style][l->options->sort]);
	for (size_t i = 0; i < l->row_count; i++)
		join_alias(l->rows[i]);
	return 0;
}

void
listing_free(struct listing *l)
{
	struct listing_module *next;

	for (struct listing_module *m = l->modules; m != NULL; m = next) {
		next = m->next;
		symtab_free(&m->table);
		free(m->symbols);
		free(m->path);
		free(m);
	}
	free(l->rows);
	free(l->sum);
	arena_free(&l->names);
	memset(l, 0, sizeof(*l));
}
