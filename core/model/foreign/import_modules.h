/* Context: O.  Modules that the files of other profilers tell. */
#ifndef IMPORT_MODULES_H
#define IMPORT_MODULES_H

#include "elf_layout.h"
#include "foreign/import_places.h"

struct import_modules_entry {
	const char *path;
	bool kernel;
	uint32_t told;		/* in the model, for what the file names ... */
	uint32_t real;		/* ... and for what it does not; 0 = no yet */
	struct elf_layout program;	/* that is there now, and is the one: */
	bool known;
};

/* That of a frame; NULL: no memory. */
struct import_modules_entry *import_modules_entry(struct import_places *t,
    const struct import_module *module);

/*
 * Where the address of a run is in the module's own file.  0 or -ENOMEM; 1: it
 * is in no file.
 */
int import_modules_locate(struct import_places *t,
    struct import_modules_entry *own, const struct import_module *module,
    uint64_t address, struct import_place *place);

/* The number of a key, made when it is not there; UINT32_MAX: no memory. */
uint32_t import_modules_intern_key(struct import_places_keys *k, uint64_t a,
    uint64_t b, uint64_t c);

/* The number of a text, of none 0; UINT32_MAX: no memory. */
uint32_t import_modules_intern(struct import_places *t, struct text text);

#endif
