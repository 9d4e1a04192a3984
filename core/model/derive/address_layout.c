/*
 * Context: O.  Gives modules of the input files ranges of addresses of their
 * own, for sample_paths.c; see address_layout.h.
 */
#include "derive/address_layout.h"

#include <stdlib.h>
#include <string.h>

#define PAGE	UINT64_C(4096)
#define MODULE_SPACING	UINT64_C(0x100000000)	/* distance of ranges, bytes */
#define FIRST_ADDRESS	UINT64_C(0x100000000000)
/* number of ranges; modules beyond that use them again from the first */
#define MODULES_MAX	0x6fff

bool
address_layout_read(const struct model_module *module, struct elf_layout *p)
{
	return elf_layout_read(p, module->path) == 0 &&
	    (module->build_id_bytes == 0 ||
	    (p->build_id_bytes == module->build_id_bytes &&
	    memcmp(p->build_id, module->build_id,
	    module->build_id_bytes) == 0));
}

/*
 * Sets start and limit of every module to the bounds of the addresses that its
 * rows have.  They remain for the kernels of input files and for modules whose
 * file is not known.
 */
static void
find_row_bounds(struct address_layout_module *all, const struct model *m)
{
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];
		struct address_layout_module *own = &all[r->module];

		if (r->address == 0)
			continue;
		if (own->limit == 0 || r->address < own->start)
			own->start = r->address;
		if (r->address >= own->limit)
			own->limit = r->address + 1;
	}
}

/* Rounds start and offset down and limit up to whole pages. */
static void
round_module_bounds(struct address_layout_module *own)
{
	own->start &= ~(PAGE - 1);
	own->offset &= ~(PAGE - 1);
	own->limit = own->limit > UINT64_MAX - PAGE ? UINT64_MAX :
	    (own->limit + PAGE - 1) & ~(PAGE - 1);
}

/*
 * Gives a module its range.  own: the bounds from find_row_bounds(), to be
 * replaced.  *number: how many ranges were given out.
 */
static void
put_layout_module(struct address_layout_module *own,
    const struct model_module *module, unsigned *number)
{
	struct elf_layout p;

	if ((module->flags & FORMAT_M_KERNEL) != 0) {
		round_module_bounds(own);
		return;
	}
	/*
	 * A module without link-time addresses, or without its file, gets a
	 * range as long as that of its known addresses.
	 */
	if ((module->flags & FORMAT_M_NO_ELF) == 0 &&
	    address_layout_read(module, &p)) {
		own->start = p.low;
		own->limit = p.high;
		own->offset = p.offset;
	} else {
		own->offset = own->start;
		p.fixed = false;
	}
	round_module_bounds(own);
	if (!p.fixed)
		own->shift =
		    FIRST_ADDRESS + (*number)++ % MODULES_MAX * MODULE_SPACING;
	own->start += own->shift;
	own->limit += own->shift;
}

struct address_layout_module *
address_layout_make(const struct model *m, const bool *used)
{
	struct address_layout_module *all = calloc(m->module_count,
	    sizeof(*all));
	unsigned number = 0;

	if (all == NULL)
		return NULL;
	find_row_bounds(all, m);
	for (uint32_t i = MODEL_MODULES; i < m->module_count; i++)
		if (used[i]) {
			all[i].used = true;
			put_layout_module(&all[i], &m->modules[i], &number);
		}
	return all;
}
