/*
 * Context: O.  The modules that an export of objects writes, and the names of
 * their files in a directory.  For export.c, with gmon.out, mon.out and
 * prof.out.
 */
#ifndef EXPORT_MODULES_H
#define EXPORT_MODULES_H

#include "base/model.h"

/* Modules of a model, the main one first.  All fields 0: none. */
struct export_modules {
	uint32_t *all;
	size_t count;
};

/*
 * Chooses the modules to write, from those that the user's filter accepts.
 * one: there is one file, which is of the main program unless the user asked
 * for another object; else all modules that have counts are chosen.  callers:
 * modules that only called count as well.  Sets m->met for the filter.  Returns
 * 0 or -ENOMEM; export_modules_free() must be called in either case.
 */
int export_modules_choose(struct export_modules *x, struct model *m, bool one,
    bool callers);
/* Frees the list. */
void export_modules_free(struct export_modules *x);

/*
 * Returns DIRECTORY/NAME and the suffix, such as DIRECTORY/NAME.gmon, or
 * NAME.2.gmon if a module before this one has that name.  It lives as long as
 * the model.  Returns NULL if memory is out.
 */
const char *export_modules_path(const struct export_modules *x,
    struct model *m, const char *directory, size_t index, const char *suffix);

#endif
