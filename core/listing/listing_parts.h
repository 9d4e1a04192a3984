/* Context: O.  What the parts of the classic listing have in common. */
#ifndef LISTING_PARTS_H
#define LISTING_PARTS_H

#include "fault.h"
#include "listing.h"

/* *f and the exit code of it. */
int listing_fault(struct fault *f, enum listing_exit code, const char *what,
    uint64_t offset);
int listing_no_memory(struct fault *f);

/* A row by itself; where names share a line it is of them all. */
static inline bool
listing_shows(const struct listing *l, const struct listing_symbol *s)
{
	return l->options->zero || s->ticks != 0 || s->calls != 0;
}

/* What is in that file; nothing qualifies yet.  What cannot be read says so. */
int listing_module_read(struct listing_module *m, const char *path,
    struct fault *f);

/* A module more, behind all others. */
int listing_module_add(struct listing *l, const char *path,
    struct listing_module **module, struct fault *f);

/* Was the program there?  A versioned file can do without. */
int listing_check_program(const struct listing *l, struct fault *f);

/* Take those that qualify, of [low, high).  0 or LISTING_MEMORY. */
int listing_qualify(struct listing *l, struct listing_module *m, uint64_t low,
    uint64_t high);

/* The last symbol that is not above the address; NULL: all are. */
struct listing_symbol *listing_symbol_below(const struct listing_module *m,
    uint64_t address);

/*
 * The closest function that holds it, by its size; NULL where that does not
 * qualify: its calls are of no other.
 */
struct listing_symbol *listing_function_at(const struct listing_module *m,
    uint64_t address);

/* A file of ranges, in one object. */
int listing_add_cells(struct listing *l, const struct listing_file *file,
    struct fault *f);

/* A versioned mon.out: samples, in several objects. */
int listing_add_samples(struct listing *l, const struct listing_file *file,
    struct fault *f);

/* To the sum, where the style may want one. */
int listing_add_sum(struct listing *l, const struct classic *c,
    const struct classic_range *r, struct fault *f);

#endif
