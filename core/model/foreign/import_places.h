/*
 * Context: O.  Converts the places that files of other profilers name to places
 * of the model, for read_import.c.
 *
 * A place with a name is put into a module without an ELF file
 * (FORMAT_M_NO_ELF, for the kernel FORMAT_M_KERNEL), as its address is not an
 * address of an ELF file.  The address is the one with which the place was read
 * first; it is an arbitrary number if the file has none or if two names have
 * one address.  A function is identified by module, name and home (see
 * import.h).  A place without a name belongs to the file that is mapped there;
 * its name is looked up as usual.
 */
#ifndef IMPORT_PLACES_H
#define IMPORT_PLACES_H

#include "base/key_table.h"
#include "base/model.h"
#include "base/string_pool.h"
#include "import.h"

/* A place in the model. */
struct import_place {
	uint32_t module;
	uint64_t address;
	bool kernel;
};

/*
 * State for all files that are read into one model; read_inputs() owns it, and
 * sets `program` before each file.
 */
struct import_places {
	struct model *model;
	/* path of the program that the user named for the next file; or NULL */
	const char *program;
	struct string_pool texts;
	struct key_table modules, functions, scopes, places, taken;
	struct import_modules_entry *module;	/* by number in `modules` */
	/* start address of each function, by number in `functions` */
	uint64_t *start;
	struct import_place *place;	/* by number in `places` */
	size_t module_room, start_room, place_room;
	uint64_t made;		/* last address that was made up */
};

/*
 * import_places_init() begins an empty state for a model; import_places_free()
 * frees it.  Texts stay in the model.
 */
void import_places_init(struct import_places *t, struct model *m);
void import_places_free(struct import_places *t);

/*
 * Sets *place to the place of frames[count - 1], a compiled function; the
 * frames before it are the functions that are inlined there, innermost first.
 * Adds modules and names to the model, so call it before symbolize_all().
 * Returns 0 or -ENOMEM.
 */
int import_places_find(struct import_places *t,
    const struct import_frame *frames, size_t count,
    struct import_place *place);

#endif
