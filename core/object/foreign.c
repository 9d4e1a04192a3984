/* Context: O.  Names in an object of another machine. */
#include "foreign.h"

#include "program.h"
#include "symtab.h"

#include <errno.h>
#include <string.h>

/* Nobody has run it here: where it is, is what the profile says of it. */
static bool
is_same(const struct program *p, const struct object_ref *ref)
{
	if (ref->build_id_bytes != 0)
		return p->build_id_bytes == ref->build_id_bytes &&
		    memcmp(p->build_id, ref->build_id,
		    ref->build_id_bytes) == 0;
	return p->inode == ref->inode && p->device == ref->device &&
	    p->changed <= ref->seen;
}

static int
offer_all(struct symbol_set *set, const struct symtab *t)
{
	int ret = 0;

	for (size_t i = 0; i < t->count && ret == 0; i++) {
		const struct symtab_row *row = &t->rows[i];
		const struct symbol_offer offer = {
			.value = row->value, .size = row->size,
			.limit = row->limit, .name = row->name,
			.type = row->type, .bind = row->bind,
		};

		ret = symbol_offer(set, &offer);
	}
	return ret;
}

int
foreign_resolve(const struct object_ref *ref, struct symbol *asked,
    size_t count, struct arena *arena, enum object_state *state)
{
	struct symbol_set set;
	struct program p;
	struct symtab t;
	int ret;

	*state = OBJECT_NOT_ELF;
	if (program_read(&p, ref->path) != 0)
		return 0;
	*state = OBJECT_CHANGED;
	if (!is_same(&p, ref))
		return 0;
	*state = OBJECT_FOUND;
	ret = symtab_read(&t, ref->path);
	if (ret != 0) {
		*state = OBJECT_NOT_ELF;
		return ret == -ENOMEM ? ret : 0;
	}
	ret = symbol_begin(&set, asked, count);
	if (ret == 0)
		ret = offer_all(&set, &t);
	if (ret == 0)
		ret = symbol_settle(&set, NULL, arena);
	symbol_end(&set);
	symtab_free(&t);
	return ret;
}
