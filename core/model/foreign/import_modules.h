/*
 * Context: O.  Finds the modules that files of other profilers name, and keeps
 * the texts of these files.  For import_places.c, whose state it uses.
 */
#ifndef IMPORT_MODULES_H
#define IMPORT_MODULES_H

#include "elf/elf_layout.h"
#include "foreign/import_places.h"

/* A module of such a file. */
struct import_modules_entry {
	const char *path;
	bool kernel;
	/* module of the model for places that the file names */
	uint32_t module;
	/*
	 * module of the model for places that it does not name; 0 = not added
	 * yet
	 */
	uint32_t real;
	/* layout of the file that is at the path now; set with `real` */
	struct elf_layout program;
	bool known;		/* that file is the one that ran */
};

/*
 * Returns the entry of the module of a frame, which is made if it is missing.
 * The pointer is valid until the next call.  Returns NULL if memory is out.
 */
struct import_modules_entry *import_modules_entry(struct import_places *t,
    const struct import_module *module);

/*
 * Sets *place to the address in the module's own file of `address` in the
 * recorded process.  Returns 0; 1 if the module is no file or its mapping is
 * not known, and then *place is not changed; or -ENOMEM.
 */
int import_modules_locate(struct import_places *t,
    struct import_modules_entry *own, const struct import_module *module,
    uint64_t address, struct import_place *place);

/*
 * Returns 1 + the number of a text in t->texts, to which a copy is added if it
 * is missing; 0 if text.at is NULL.  The copy is cut at MODEL_TEXT_MAX bytes,
 * and its NULs are replaced.  Returns UINT32_MAX if memory is out.
 */
uint32_t import_modules_intern(struct import_places *t, struct text text);

/*
 * Returns a copy of the text that lives as long as the model, the same for
 * equal texts; "" if text.at is NULL.  Returns NULL if memory is out.
 */
const char *import_modules_text(struct import_places *t,
    struct text text);

#endif
