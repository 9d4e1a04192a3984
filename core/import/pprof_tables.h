/*
 * Context: O.  The tables of profile.proto: all that its samples refer to by
 * number.  For the reader (pprof.c) and pprof_values.c.  Texts and messages lie
 * in the bytes of the file; the arrays are allocated.
 */
#ifndef PPROF_TABLES_H
#define PPROF_TABLES_H

#include "base/hash_index.h"
#include "import.h"
#include "base/wire.h"

/* Fields of a Profile, as core/export/pprof.proto has them. */
enum {
	PPROF_SAMPLE_TYPE = 1, PPROF_SAMPLE, PPROF_MAPPING, PPROF_LOCATION,
	PPROF_FUNCTION, PPROF_STRING, PPROF_PERIOD_TYPE = 11, PPROF_PERIOD,
	PPROF_DEFAULT_TYPE = 14,
};

/* Kind and unit of a value. */
struct pprof_type {
	/* Numbers of strings, as all such fields here */
	uint64_t type, unit;
};

/* A mapping; `limit` is its end, file and build_id are numbers of strings. */
struct pprof_mapping {
	uint64_t id, start, limit, offset, file, build_id;
};

/*
 * A function.  name, system_name and file are numbers of strings; system_name
 * is the name in the object, mangled.
 */
struct pprof_function {
	uint64_t id, name, system_name, file;
};

/* An address and the functions there. */
struct pprof_location {
	uint64_t id, mapping, address;
	struct wire body;	/* the whole message, with its lines */
};

/* The tables of a profile. */
struct pprof_tables {
	struct pprof_type *types, period_type;
	struct pprof_mapping *mappings;
	struct pprof_function *functions;
	struct pprof_location *locations;
	struct text *strings;
	size_t type_count, type_room, mapping_count, mapping_room,
	    function_count, function_room, location_count, location_room,
	    string_count, string_room;
	struct hash_index mapping_of, function_of, location_of;
	uint64_t period, default_type;
};

/*
 * Reads the tables of the message `all` into *t, which must be all 0.  Returns
 * 0; -EINVAL with *at set to the place of the fault if it is no such message;
 * or -ENOMEM.  Also after an error *t has what was read until then, and
 * pprof_tables_free() must be called.
 */
int pprof_tables_read(struct pprof_tables *t, struct wire all,
    const unsigned char **at);
/* Frees the tables. */
void pprof_tables_free(struct pprof_tables *t);

/*
 * Return the mapping, function or location with that id, the first one if
 * several have it, or NULL.
 */
const struct pprof_mapping *pprof_mapping(const struct pprof_tables *t,
    uint64_t id);
const struct pprof_function *pprof_function(const struct pprof_tables *t,
    uint64_t id);
const struct pprof_location *pprof_location(const struct pprof_tables *t,
    uint64_t id);

/*
 * Returns a string by its number.  Its `at` is NULL if there is no such string,
 * or an empty one.
 */
struct text pprof_text(const struct pprof_tables *t, uint64_t string);
/* Returns whether the string of that number is `word`, which is not empty. */
bool pprof_text_is(const struct pprof_tables *t, uint64_t string,
    const char *word);

#endif
