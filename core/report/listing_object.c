/* Context: O.  The functions of one object, as the classic prof(1) has them. */
#include "listing_parts.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool
qualifies(const struct listing *l, const struct symtab_row *row)
{
	/* An executable of today has weak functions, as of C++ templates. */
	return l->options->local || row->bind != STB_LOCAL;
}

/*
 * Of those at one address the versioned listing has one: not a label, and not
 * a weak one; the first of what is left.
 */
static bool
is_better(const struct symtab_row *a, const struct symtab_row *than)
{
	const bool label = a->type == STT_NOTYPE;

	if (label != (than->type == STT_NOTYPE))
		return !label;
	return a->type == than->type && a->bind != than->bind &&
	    than->bind == STB_WEAK;
}

int
listing_qualify(struct listing *l, struct listing_module *m, uint64_t low,
    uint64_t high)
{
	m->symbols = calloc(m->table.count + 1, sizeof(*m->symbols));
	if (m->symbols == NULL)
		return LISTING_MEMORY;
	for (size_t i = 0; i < m->table.count; i++) {
		const struct symtab_row *row = &m->table.rows[i];
		struct listing_symbol *last = m->count != 0 ?
		    &m->symbols[m->count - 1] : NULL;

		if (row->value < low || row->value >= high ||
		    !qualifies(l, row))
			continue;
		if (last == NULL || !l->versioned ||
		    last->symbol->value != row->value)
			last = &m->symbols[m->count++];
		else if (!is_better(row, last->symbol))
			continue;
		last->symbol = row;
		last->name = row->name;
		last->module = m;
	}
	return 0;
}

struct listing_symbol *
listing_before(const struct listing_module *m, uint64_t address)
{
	size_t low = 0, high = m->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->symbols[middle].symbol->value <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? NULL : &m->symbols[low - 1];
}

/* One without a size reaches up to the next, wherever the last ends. */
static bool
holds(const struct listing_module *m, const struct listing_symbol *s,
    uint64_t address)
{
	const struct listing_symbol *end = m->symbols + m->count, *next = s + 1;

	if (s->symbol->size != 0)
		return address - s->symbol->value < s->symbol->size;
	while (next < end && next->symbol->value == s->symbol->value)
		next++;
	return next == end || address < next->symbol->value;
}

/* One without a size holds nothing behind the next symbol. */
static bool
may_hold(const struct listing_module *m, const struct listing_symbol *s,
    const struct listing_symbol *nearest, uint64_t address)
{
	return s >= m->symbols &&
	    (s->symbol->value == nearest->symbol->value ||
	    address - s->symbol->value < m->table.longest);
}

struct listing_symbol *
listing_holder(const struct listing_module *m, uint64_t address)
{
	struct listing_symbol *nearest = listing_before(m, address), *s;

	for (s = nearest; s != NULL && may_hold(m, s, nearest, address); s--)
		if (holds(m, s, address))
			return s;
	return NULL;
}

int
listing_module_add(struct listing *l, const char *path,
    struct listing_module **module, struct fault *f)
{
	struct listing_module **at = &l->modules, *m = calloc(1, sizeof(*m));
	unsigned number = 1;
	int ret;

	if (m == NULL)
		return listing_memory(f);
	for (; *at != NULL; at = &(*at)->next)
		number++;
	*at = *module = m;
	m->number = number;
	m->path = strdup(path);
	if (m->path == NULL)
		return listing_memory(f);
	ret = program_read(&m->program, path);
	if (ret == 0)
		ret = symtab_read(&m->table, path);
	if (ret == -ENOMEM)
		return listing_memory(f);
	m->error = ret;
	return 0;
}

int
listing_check_program(const struct listing *l, struct fault *f)
{
	const struct listing_module *m = l->modules;
	const bool other = m->error == -ENOEXEC;

	if (m->error == 0)
		return 0;
	fault_set(f, other ? "is no program" : "cannot be opened",
	    FAULT_NO_OFFSET, other ? 0 : -m->error);
	f->file = m->path;
	f->remedy = "name the program that wrote the profile";
	return other ? LISTING_ELF : LISTING_SYSTEM;
}
