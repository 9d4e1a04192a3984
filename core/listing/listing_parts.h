/*
 * Context: O.  Declares what the parts of the classic listing share; for the
 * files of this layer only.
 */
#ifndef LISTING_PARTS_H
#define LISTING_PARTS_H

#include "fault.h"
#include "listing.h"

/*
 * Sets *f and returns its exit code: `code`, or LISTING_MEMORY
 * (listing_no_memory).
 */
int listing_fault(struct fault *f, enum listing_exit code, const char *what,
    uint64_t offset);
int listing_no_memory(struct fault *f);

/*
 * Returns whether a function is listed, looked at by itself.  Where several
 * names share a line, the line stands for all of them.
 */
static inline bool
listing_shows(const struct listing *l, const struct listing_symbol *s)
{
	return l->options->zero || s->ticks != 0 || s->calls != 0;
}

/*
 * Reads the object `path` into *m; no function is in the listing yet.  Sets
 * m->error if it cannot be read.  Returns 0, or LISTING_MEMORY.
 */
int listing_module_read(struct listing_module *m, const char *path,
    struct fault *f);

/*
 * Appends a module, read from `path`, and stores it in *module.  Returns 0, or
 * LISTING_MEMORY.
 */
int listing_module_add(struct listing *l, const char *path,
    struct listing_module **module, struct fault *f);

/*
 * Returns 0 if the program could be read, else an exit code with *f set.  A
 * versioned file can do without the program.
 */
int listing_check_program(const struct listing *l, struct fault *f);

/*
 * Takes into the listing the functions of *m with addresses in [low, high) that
 * the options admit.  Call it once for each module.  Returns 0 or
 * LISTING_MEMORY; does not set a fault.
 */
int listing_qualify(struct listing *l, struct listing_module *m, uint64_t low,
    uint64_t high);

/*
 * Returns the last function that does not begin above the address; NULL if all
 * begin above it.
 */
struct listing_symbol *listing_symbol_below(const struct listing_module *m,
    uint64_t address);

/*
 * Returns the closest function that contains the address by its size.  Returns
 * NULL if that function is not in the listing: its calls belong to no other
 * function.
 */
struct listing_symbol *listing_function_at(const struct listing_module *m,
    uint64_t address);

/* Adds a file with ticks in ranges of one object. */
int listing_add_cells(struct listing *l, const struct listing_file *file,
    struct fault *f);

/* Adds a versioned mon.out with samples in several objects. */
int listing_add_samples(struct listing *l, const struct listing_file *file,
    struct fault *f);

/* Adds a mon.out to the sum for mon.sum, if the options ask for one. */
int listing_add_sum(struct listing *l, const struct classic *c,
    const struct classic_range *r, struct fault *f);

#endif
