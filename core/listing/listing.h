/*
 * Context: O.  Makes and prints the listing of the classic prof(1), by its
 * rules.  cmd/classic/classic_list.c alone uses it, for a command line of
 * System V or BSD.  Call listing_begin(), then listing_add() for each file or
 * listing_add_model() once, then listing_finish(), then listing_print().
 */
#ifndef LISTING_H
#define LISTING_H

#include "base/model.h"
#include "classic/classic.h"
#include "elf/elf_layout.h"
#include "symbol/symtab.h"

#include <stdio.h>
#include <time.h>

/* Version of prof(1) to follow. */
enum listing_style {
	LISTING_SVR4,
	LISTING_BSD,		/* prof(1) of the BSDs */
};

/* Order of the rows. */
enum listing_sort {
	LISTING_TIME,		/* decreasing time */
	LISTING_CALLS,		/* decreasing number of calls */
	LISTING_ADDRESS,
	LISTING_NAME,
};

/* Options of the user. */
struct listing_options {
	enum listing_style style;
	enum listing_sort sort;
	/* 'o' or 'x': print addresses in this base; 0: no addresses */
	char address;
	bool local;		/* functions that are not global as well */
	bool zero;		/* functions without time and calls as well */
	bool no_header;
	bool statistics;
	bool demangle;
};

/* Exit codes of the manual page; all faults have one of these. */
enum listing_exit {
	LISTING_GOOD,
	LISTING_SYSTEM,
	LISTING_INPUT,		/* a fault of the profile */
	LISTING_ELF,
	LISTING_MEMORY,
};

/* A function of the listing.  Functions at one address are linked. */
struct listing_symbol {
	const struct symtab_row *symbol;
	const char *name;	/* name as it is printed */
	const struct listing_module *module;
	/*
	 * histogram counts of 10 ms; has a fraction if a bin covers several
	 * functions
	 */
	double ticks;
	uint64_t calls;
	bool ambiguous;		/* another row has this name */
	/*
	 * First function at this address, which holds the sums over all of
	 * them.
	 */
	struct listing_symbol *first;
	double all_ticks;
	uint64_t all_calls;
	/*
	 * Functions at this address in the order of the rows.  `head`, `tail`
	 * and `aliases` are set in the first one.
	 */
	struct listing_symbol *head, *tail;
	struct listing_symbol *next;
	size_t aliases;
};

/* An object: the program or a library. */
struct listing_module {
	char *path;
	unsigned number;	/* from 1 on, as -s lists them */
	struct symtab table;
	/* functions of the listing, ascending by address */
	struct listing_symbol *symbols;
	size_t count;
	struct elf_layout program;
	uint64_t start, end;	/* addresses in the run */
	bool active;		/* no other module is there now */
	bool listed;		/* a profile names it */
	int error;		/* -errno if it cannot be read, else 0 */
	bool changed;		/* it is not the object that ran any more */
	struct listing_module *next;
};

/*
 * Statistics that -s prints of files in the old layout, summed over all files.
 */
struct listing_cells {
	/* call counts up to the last used one, and all */
	uint64_t used, all;
	long scale;		/* scale of profil(2) in the last file */
	/* many call counts are used: print these statistics without -s */
	bool crowded;
};

/* A listing. */
struct listing {
	const struct listing_options *options;
	/* modules; the first one is the program */
	struct listing_module *modules;
	bool named;	/* the user named the program */
	/* rows of all modules, in the order asked for */
	struct listing_symbol **rows;
	size_t row_count;
	/* all histogram counts, also those of no function */
	double ticks;
	double accounted;	/* those of functions */
	uint64_t calls;		/* calls of functions */
	bool begun;		/* listing_add() has added a file */
	bool versioned;		/* files of samples in several modules */
	struct listing_cells cells;
	/* range of all files that are not versioned */
	struct classic_range range;
	bool wide, big;		/* word size and byte order of those files */
	/* BSD: sums of the cells of mon.out, range.bins of them; or NULL */
	uint64_t *sum;
	struct arena names;
	time_t written;	/* of the last file: newer objects did not run then */
};

/* A file of a classic profiler, for listing_add(). */
struct listing_file {
	const char *path;
	time_t written;
	struct classic classic;
};

/*
 * The functions below that return int return 0, or an enum listing_exit with *f
 * set.  f->file is then borrowed from the listing or the model, or NULL: the
 * file that is being added, which the caller names.
 */

/*
 * Begins a listing.  program: path of the program, which is read at once; NULL:
 * a.out.  If that cannot be read, the first object that a versioned file names
 * stands for it; listing_add_model() always puts the program that ran there.
 * *o must live as long as *l.  The caller calls listing_free() in either case.
 */
int listing_begin(struct listing *l, const struct listing_options *o,
    const char *program, struct fault *f);

/*
 * Adds a file, which may be closed afterwards.  Versioned and other files
 * cannot be mixed.
 */
int listing_add(struct listing *l, const struct listing_file *file,
    struct fault *f);

/*
 * Adds the CPU time and the calls of a model, which must keep arcs and need not
 * outlive the call.  Not together with listing_add(); call it once.
 */
int listing_add_model(struct listing *l, const struct model *m,
    struct fault *f);

/* Makes the sorted rows.  Call it once, after all files. */
int listing_finish(struct listing *l, struct fault *f);

/* Frees the listing. */
void listing_free(struct listing *l);

/*
 * Prints the listing to `out`, after listing_finish().  Statistics of the old
 * layout go to `notes`, as in the original; those of versioned files go to
 * `out`.
 */
void listing_print(FILE *out, FILE *notes, const struct listing *l);

/*
 * Writes mon.sum as 4.2BSD does: the sum of several mon.out files in one file,
 * at `path`.  Needs LISTING_BSD with statistics; returns LISTING_INPUT if no
 * mon.out was added or a sum does not fit in its 16 bits.
 */
int listing_write_sum(const char *path, const struct listing *l,
    struct fault *f);

#endif
