/* Context: O.  The listing of the classic prof(1), by its rules. */
#ifndef LISTING_H
#define LISTING_H

#include "base/model.h"
#include "classic.h"
#include "elf_layout.h"
#include "symtab.h"

#include <stdio.h>
#include <time.h>

enum listing_style {
	LISTING_SVR4,
	LISTING_BSD,		/* 4.2BSD and before */
};

enum listing_sort {
	LISTING_TIME,		/* decreasing */
	LISTING_CALLS,		/* decreasing */
	LISTING_ADDRESS,
	LISTING_NAME,
};

struct listing_options {
	enum listing_style style;
	enum listing_sort sort;
	char address;		/* 'o' or 'x': a column of them; 0 = none */
	bool local;		/* functions that are not global, too */
	bool zero;		/* functions without time and calls, too */
	bool no_header;
	bool statistics;
	bool demangle;
};

/* The manual's exit codes, of all errors. */
enum listing_exit {
	LISTING_GOOD,
	LISTING_SYSTEM,
	LISTING_INPUT,		/* the profile */
	LISTING_ELF,
	LISTING_MEMORY,
};

struct listing_symbol {
	const struct symtab_row *symbol;
	const char *name;	/* as it is shown */
	const struct listing_module *module;
	double ticks;		/* of 10 ms; a part of one where a cell is
				   of several functions */
	uint64_t calls;
	bool ambiguous;		/* another module has one of that name */
	/* Those of one address: of the first, what all have ... */
	struct listing_symbol *first;
	double all_ticks;
	uint64_t all_calls;
	/* ... and in the order of the rows. */
	struct listing_symbol *head, *tail;
	struct listing_symbol *next;
	size_t aliases;
};

struct listing_module {
	char *path;
	unsigned number;	/* from 1, as -s lists them */
	struct symtab table;
	struct listing_symbol *symbols;	/* that qualify, ascending */
	size_t count;
	struct elf_layout program;
	uint64_t start, end;	/* where it was in the run */
	bool active;		/* nothing else is there now */
	bool listed;		/* by a profile */
	int error;		/* it cannot be read: -errno */
	bool changed;		/* it is not what ran any more */
	struct listing_module *next;
};

/* What -s says of a file in the old layout, of several files in all. */
struct listing_cells {
	uint64_t used, all;	/* call counts, up to the last used one */
	long scale;		/* of the last file */
	bool crowded;		/* 5/6 of the first tables: -s on its own */
};

struct listing {
	const struct listing_options *options;
	struct listing_module *modules;	/* the program is the first */
	bool named;		/* by the user, who knows where it is now */
	struct listing_symbol **rows;	/* of all, in the order asked for */
	size_t row_count;
	double ticks;		/* in all, also of no symbol */
	double accounted;	/* of a symbol */
	uint64_t calls;		/* of a symbol */
	bool begun;		/* a file was added */
	bool versioned;		/* of samples, in several modules */
	struct listing_cells cells;
	/* of all files that are not versioned */
	struct classic_range range;
	bool wide, big;		/* ... and how they write numbers */
	uint64_t *sum;		/* BSD: range.bins, of mon.out; or NULL */
	struct arena names;
	time_t written;		/* the profile: what is newer was not in it */
};

/*
 * One file after the other, or what profiles of libmon have, then
 * listing_finish().
 */
struct listing_file {
	const char *path;
	time_t written;
	struct classic classic;
};

/*
 * All of the following: 0, or an enum listing_exit with *f set.  f->file is
 * borrowed, or NULL where it is the file at hand.
 */

/*
 * program NULL: a.out, or where that is not there the first that a versioned
 * file lists.
 */
int listing_begin(struct listing *l, const struct listing_options *o,
    const char *program, struct fault *f);
int listing_add(struct listing *l, const struct listing_file *file,
    struct fault *f);
int listing_add_model(struct listing *l, const struct model *m,
    struct fault *f);
int listing_finish(struct listing *l, struct fault *f);
void listing_free(struct listing *l);

/* Statistics of the old layout go to `notes`, others to `out`, as ever. */
void listing_print(FILE *out, FILE *notes, const struct listing *l);

/* mon.sum, of 4.2BSD. */
int listing_write_sum(const char *path, const struct listing *l,
    struct fault *f);

#endif
