/* Context: O.  Modules that the files of other profilers tell. */
#ifndef TOLD_MODULE_H
#define TOLD_MODULE_H

#include "program.h"
#include "told.h"

struct told_module {
	const char *path;
	bool kernel;
	uint32_t told;		/* in the model, for what the file names ... */
	uint32_t real;		/* ... and for what it does not; 0 = no yet */
	struct program program;	/* that is there now, and is the one: */
	bool known;
};

/* That of a frame; NULL: no memory. */
struct told_module *told_module(struct told *t,
    const struct import_module *module);

/*
 * Where the address of a run is in the module's own file.  0 or -ENOMEM; 1: it
 * is in no file.
 */
int told_mapped(struct told *t, struct told_module *own,
    const struct import_module *module, uint64_t address,
    struct told_place *place);

/* The number of a key, made when it is not there; UINT32_MAX: no memory. */
uint32_t told_key(struct told_keys *k, uint64_t a, uint64_t b, uint64_t c);

/* The number of a text, of none 0; UINT32_MAX: no memory. */
uint32_t told_number(struct told *t, struct text text);

#endif
