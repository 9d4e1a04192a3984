/*
 * Context: O.  Reads an object and chooses its functions as the classic prof(1)
 * does; finds functions by address.  The other files of this folder call it,
 * see listing_parts.h.
 */
#include "listing_parts.h"

#include "base/compare.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool
is_qualified_symbol(const struct listing *l, const struct symtab_row *row)
{
	/*
	 * Weak functions count as global: executables of today have them, for
	 * example from C++ templates.
	 */
	return l->options->local || row->bind != STB_LOCAL;
}

/*
 * Returns whether symbol `a` is to replace symbol `than` at the same address.
 * The versioned listing has one for each address: a label loses, then a weak
 * symbol; else the first one stays.
 */
static bool
is_better_symbol(const struct symtab_row *a, const struct symtab_row *than)
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
		    !is_qualified_symbol(l, row))
			continue;
		if (last == NULL || !l->versioned ||
		    last->symbol->value != row->value)
			last = &m->symbols[m->count++];
		else if (!is_better_symbol(row, last->symbol))
			continue;
		last->symbol = row;
		last->name = row->name;
		last->module = m;
		last->first = last > m->symbols &&
		    last[-1].symbol->value == row->value ? last[-1].first :
		    last;
	}
	return 0;
}

struct listing_symbol *
listing_symbol_below(const struct listing_module *m, uint64_t address)
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

/*
 * Returns whether the functions [first, next), which begin at one address,
 * contain `address`.  The longest one says where they end; without sizes they
 * end at the next function.  All functions take part, also those that are not
 * in the listing.
 */
static bool
symbols_hold_address(const struct symtab *t, size_t first, size_t next,
    uint64_t address)
{
	uint64_t size = 0;

	for (size_t i = first; i < next; i++)
		if (t->rows[i].size > size)
			size = t->rows[i].size;
	if (size != 0)
		return address - t->rows[first].value < size;
	return next == t->count || address < t->rows[next].value;
}

/* Returns how many symbols do not begin above the address. */
static size_t
count_symbols_below(const struct symtab *t, uint64_t address)
{
	return compare_upper_bound(t->rows, t->count, sizeof(*t->rows),
	    offsetof(struct symtab_row, value), address);
}

struct listing_symbol *
listing_function_at(const struct listing_module *m, uint64_t address)
{
	const struct symtab *t = &m->table;
	size_t next = count_symbols_below(t, address), nearest = next;

	while (next != 0) {
		const uint64_t value = t->rows[next - 1].value;
		size_t first = next - 1;
		struct listing_symbol *s;

		if (nearest != next && address - value >= t->longest)
			return NULL;
		while (first != 0 && t->rows[first - 1].value == value)
			first--;
		if (symbols_hold_address(t, first, next, address)) {
			s = listing_symbol_below(m, value);
			return s != NULL && s->symbol->value == value ? s :
			    NULL;
		}
		next = first;
	}
	return NULL;
}

int
listing_module_read(struct listing_module *m, const char *path,
    struct fault *f)
{
	int ret = elf_layout_read(&m->program, path);

	free(m->path);
	m->path = strdup(path);
	if (m->path == NULL)
		return listing_no_memory(f);
	symtab_free(&m->table);
	if (ret == 0)
		ret = symtab_read(&m->table, path);
	m->error = ret;
	return ret == -ENOMEM ? listing_no_memory(f) : 0;
}

int
listing_module_add(struct listing *l, const char *path,
    struct listing_module **module, struct fault *f)
{
	struct listing_module **at = &l->modules, *m = calloc(1, sizeof(*m));
	unsigned number = 1;

	if (m == NULL)
		return listing_no_memory(f);
	for (; *at != NULL; at = &(*at)->next)
		number++;
	*at = *module = m;
	m->number = number;
	return listing_module_read(m, path, f);
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
