/*
 * Context: O.  Names functions, modules and programs of several runs so that
 * what is the same in two runs has one name: another build of a program may
 * have other copies of a function, be named differently, or be gone, so that
 * its functions have no names.  For the table of prof --diff
 * (core/view/diff/diff.c) and its page (html_tree.c).
 */
#ifndef COMMON_NAMES_H
#define COMMON_NAMES_H

#include "base/arena.h"
#include "base/model.h"
#include "base/string_pool.h"

/* The sides of a comparison. */
enum common_names_side { COMMON_NAMES_BEFORE, COMMON_NAMES_NOW,
    COMMON_NAMES_SIDES };

/* A module by its file name, in all runs. */
struct common_names_module {
	const struct model_module *first;	/* that of the first run */
	bool lost;	/* a run names none, as the object was not found */
	/* the module of a run that names none of its functions, or NULL */
	const struct model_module *nameless;
	bool named;		/* a run names a function */
	bool builds;		/* two runs have different builds */
};

/* The names.  All fields 0: no run was added. */
struct common_names {
	struct string_pool names;	/* of modules, in order of `modules` */
	struct common_names_module *modules;
	size_t module_room;
	struct string_pool programs;
	unsigned *program_sides;	/* by program: 1u << side of its runs */
	size_t program_room;
	struct string_pool functions;	/* named functions of programs */
	unsigned *function_sides;
	size_t function_room;
	/*
	 * the program of either side that is one with that of the other side,
	 * under another name; NULL: there is none
	 */
	const char *renamed[COMMON_NAMES_SIDES];
	/* a file stores names as they are shown, so these are compared */
	bool spoken;
	struct arena texts;
};

/*
 * Adds a run, whose model has been through symbolize_all() and outlives *c.
 * Returns 0 or -ENOMEM.
 */
int common_names_add(struct common_names *c, const struct model *m,
    enum common_names_side side);

/*
 * Finds out, once all runs are added, whether a program was renamed: each side
 * has one that the other lacks, and half of the named functions of the one with
 * fewer are in the other, too, or one of them has no names at all.
 */
void common_names_finish(struct common_names *c);

/*
 * Both return the name of a program or of a module in all runs: that of now if
 * it was renamed, else its own, which is a text of the caller or the model.
 */
const char *common_names_program(const struct common_names *c,
    const char *program);
const char *common_names_module(const struct common_names *c,
    const struct model *m, uint32_t module);

/*
 * Returns the text that identifies a function within its module in all runs:
 * its stored name without the mark of a compiler's copy and, if runs have other
 * builds, without the lines of lambda expressions.  Functions that cannot be
 * told apart in all runs have one text together: all of a module that a run has
 * no names for, and unnamed ones of a module that runs have other builds of.
 * *shown receives the text to show.  Both are the model's or live until
 * common_names_free().  Returns NULL if memory is out.
 */
const char *common_names_function(struct common_names *c, struct model *m,
    uint32_t function, const char **shown);

/*
 * Returns whether a function has one text with others, so that its addresses
 * and lines cannot be compared either.
 */
bool common_names_is_joined(const struct common_names *c,
    const struct model *m, uint32_t function);

/*
 * Returns the next module from *at on whose functions are one in the
 * comparison, that of a run that names none; NULL after the last.  *at is 0 at
 * first.
 */
const struct model_module *common_names_nameless(const struct common_names *c,
    size_t *at);

/* Frees the names and texts, and empties *c. */
void common_names_free(struct common_names *c);

#endif
