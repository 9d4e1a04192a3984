/*
 * Context: O.  Adds profiles of libmon to the classic listing: what a versioned
 * mon.out of the process would have, but with modules that are known by more
 * than their path.  cmd/classic/classic_list.c calls it once, with the model of
 * all profiles of the command line.
 */
#include "listing_parts.h"

#include "derive/object_profile.h"
#include "foreign/provenance.h"
#include "read/process_image.h"
#include "ticks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A model that is being added. */
struct from_model {
	struct listing *listing;
	const struct model *model;
	struct ticks clock;
	struct fault *fault;
};

/*
 * Returns whether the ELF file is the module that ran, as object.c decides: by
 * build-id; without one the file must be the same and unchanged.
 */
static bool
is_program_that_ran(const struct elf_layout *p, const struct model_module *own)
{
	if (own->build_id_bytes != 0)
		return p->build_id_bytes == own->build_id_bytes &&
		    memcmp(p->build_id, own->build_id, p->build_id_bytes) == 0;
	return p->inode == own->inode && p->device == own->device &&
	    p->changed <= own->seen;
}

/* Returns whether the module is the program that the user has named. */
static bool
is_named_program(const struct listing *l, const struct model_module *own)
{
	const struct listing_module *m = l->modules;

	return l->named && !m->listed && m->error == 0 &&
	    (is_program_that_ran(&m->program, own) ||
	    ((own->flags & FORMAT_M_MAIN) != 0 &&
	    strcmp(process_image_basename(m->path), own->name) == 0));
}

/*
 * Finds the listing's module for a module of the model, or adds one.  If the
 * user has named no program, the first module takes its place.
 */
static int
find_listing_module(struct from_model *x, const struct model_module *own,
    struct listing_module **m)
{
	struct listing *l = x->listing;
	int ret = 0;

	*m = l->modules;
	if (!is_named_program(l, own)) {
		ret = l->named || (*m)->listed ? listing_module_add(l,
		    own->path, m, x->fault) : listing_module_read(*m,
		    own->path, x->fault);
	}
	if (ret != 0)
		return ret;
	(*m)->listed = true;
	(*m)->changed = (*m)->error == 0 && !is_program_that_ran(&(*m)->program,
	    own);
	/* No table of symbols is better than a wrong one. */
	if ((*m)->changed)
		symtab_free(&(*m)->table);
	return listing_qualify(l, *m, 0, UINT64_MAX) == 0 ? 0 :
	    listing_no_memory(x->fault);
}

/*
 * Adds the CPU time of a module, in whole histogram counts: the clock keeps
 * what is left for the next address.
 */
static void
add_module_times(struct from_model *x, struct listing_module *m,
    const struct object_profile *e)
{
	for (size_t i = 0; i < e->time_count; i++) {
		const double ticks = (double)ticks_whole(&x->clock,
		    e->times[i].ns);
		struct listing_symbol *s = listing_symbol_below(m,
		    e->times[i].address);

		x->listing->ticks += ticks;
		if (s != NULL)
			s->ticks += ticks;
	}
}

static void
add_module_calls(struct listing_module *m, const struct object_profile *e)
{
	for (size_t i = 0; i < e->call_count; i++) {
		struct listing_symbol *s = listing_function_at(m,
		    e->calls[i].self);

		if (s != NULL)
			s->calls += e->calls[i].count;
	}
}

/* Adds a module of the model to the listing if it has time or calls. */
static int
add_model_module(struct from_model *x, uint32_t index)
{
	struct listing_module *m;
	struct object_profile e;
	int ret;

	if (object_profile_make(&e, x->model, index) != 0)
		return listing_no_memory(x->fault);
	ret = e.time_count == 0 && e.call_count == 0 ? 0 :
	    find_listing_module(x, &x->model->modules[index], &m);
	if (ret == 0 && (e.time_count != 0 || e.call_count != 0)) {
		add_module_times(x, m, &e);
		add_module_calls(m, &e);
	}
	object_profile_free(&e);
	return ret;
}

/*
 * Returns whether a versioned mon.out would have the module: it has code of its
 * own, in a file.
 */
static bool
is_listable_module(const struct model_module *own)
{
	return (own->flags & (FORMAT_M_KERNEL | FORMAT_M_VDSO |
	    FORMAT_M_NO_ELF)) == 0;
}

int
listing_add_model(struct listing *l, const struct model *m, struct fault *f)
{
	struct from_model x = {
		.listing = l, .model = m, .fault = f,
		.clock = ticks_at(PROVENANCE_RATE),
	};
	int ret = l->named ? listing_check_program(l, f) : 0;

	l->versioned = true;
	for (unsigned turn = 0; turn < 2; turn++)
		for (uint32_t i = MODEL_MODULES; i < m->module_count &&
		    ret == 0; i++) {
			const struct model_module *own = &m->modules[i];

			if (is_listable_module(own) && (turn == 0) ==
			    ((own->flags & FORMAT_M_MAIN) != 0))
				ret = add_model_module(&x, i);
		}
	if (ret != 0 || !l->named || l->modules->listed)
		return ret;
	ret = listing_fault(f, LISTING_INPUT, "is none of the modules of the "
	    "profile", FAULT_NO_OFFSET);
	f->file = l->modules->path;
	f->remedy = "name the program that was profiled";
	return ret;
}
