/*
 * Context: O.  Declares what the parts of the classic listing share; for the
 * files of this layer only.
 */
#ifndef LISTING_PARTS_H
#define LISTING_PARTS_H

#include "fault.h"
#include "listing.h"

/*
 * Both set *f, with no file in it, and return its exit code: `code`, or
 * LISTING_MEMORY (listing_no_memory).
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
 * m->path, and m->error if it cannot be read.  An old m->table is freed.
 * Returns 0, or LISTING_MEMORY with *f set.
 */
int listing_module_read(struct listing_module *m, const char *path,
    struct fault *f);

/*
 * Appends a module, read from `path`, which belongs to the listing, and stores
 * it in *module.  Returns 0, also if `path` cannot be read, or LISTING_MEMORY
 * with *f set.
 */
int listing_module_add(struct listing *l, const char *path,
    struct listing_module **module, struct fault *f);

/*
 * Returns 0 if the program could be read, else an exit code with *f set.  A
 * versioned file can do without the program.
 */
int listing_check_program(const struct listing *l, struct fault *f);

/*
 * Sets m->symbols to the functions of *m with addresses in [low, high) that the
 * options admit.  Call it once for each module, after l->versioned is set.
 * Returns 0 or LISTING_MEMORY; does not set a fault.
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

/*
 * Adds a file of any kind but CLASSIC_PROF: histogram counts in ranges of one
 * object.
 */
int listing_add_cells(struct listing *l, const struct listing_file *file,
    struct fault *f);

/*
 * Adds a file of kind CLASSIC_PROF, a versioned mon.out with samples in several
 * objects.
 */
int listing_add_samples(struct listing *l, const struct listing_file *file,
    struct fault *f);

/*
 * Adds the bins of a mon.out, which has the range *r, to l->sum if the options
 * ask for mon.sum.  Returns 0, or an exit code with *f set if the files differ
 * in their number of bins or memory is out.
 */
int listing_add_sum(struct listing *l, const struct classic *c,
    const struct classic_range *r, struct fault *f);

#endif
