/*
 * Context: O.  Names in an object of another machine, by its symbol table
 * alone.  Called by object_resolve() for a file that elf_file.h does not open;
 * see elf_foreign.h.
 */
#include "elf_foreign.h"

#include "elf/elf_layout.h"
#include "symbol/symtab.h"

#include <errno.h>
#include <string.h>

/*
 * Returns whether the file is the one that the profile names.  The file did not
 * run on this machine, so the profile's identity is all there is to compare.
 */
static bool
is_file_of_module(const struct elf_layout *p, const struct object_ref *ref)
{
	if (ref->build_id_bytes != 0)
		return p->build_id_bytes == ref->build_id_bytes &&
		    memcmp(p->build_id, ref->build_id,
		    ref->build_id_bytes) == 0;
	return p->inode == ref->inode && p->device == ref->device &&
	    p->changed <= ref->seen;
}

/* Adds the functions of a table as candidates.  Returns 0 or -ENOMEM. */
static int
add_all_symbols(struct symbol_lookup *set, const struct symtab *t)
{
	int ret = 0;

	for (size_t i = 0; i < t->count && ret == 0; i++) {
		const struct symtab_row *row = &t->rows[i];
		const struct symbol_candidate offer = {
			.value = row->value, .size = row->size,
			.limit = row->limit, .name = row->name,
			.type = row->type, .bind = row->bind,
		};

		ret = symbol_lookup_add(set, &offer);
	}
	return ret;
}

int
elf_foreign_resolve(const struct object_ref *ref, struct symbol *asked,
    size_t count, struct arena *arena, enum object_state *state)
{
	struct symbol_lookup set;
	struct elf_layout p;
	struct symtab t;
	int ret;

	*state = OBJECT_NOT_ELF;
	if (elf_layout_read(&p, ref->path) != 0)
		return 0;
	*state = OBJECT_CHANGED;
	if (!is_file_of_module(&p, ref))
		return 0;
	*state = OBJECT_FOUND;
	ret = symtab_read(&t, ref->path);
	if (ret != 0) {
		*state = OBJECT_NOT_ELF;
		return ret == -ENOMEM ? ret : 0;
	}
	ret = symbol_lookup_begin(&set, asked, count);
	if (ret == 0)
		ret = add_all_symbols(&set, &t);
	if (ret == 0)
		ret = symbol_lookup_resolve(&set, NULL, arena);
	symbol_lookup_end(&set);
	symtab_free(&t);
	return ret;
}
