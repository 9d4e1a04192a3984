/* Context: O.  profile.proto but its samples: what those refer to by number. */
#ifndef PPROF_TABLES_H
#define PPROF_TABLES_H

#include "hash_index.h"
#include "import.h"
#include "wire.h"

/* Fields of a Profile, as core/model/pprof.proto has them. */
enum {
	PPROF_SAMPLE_TYPE = 1, PPROF_SAMPLE, PPROF_MAPPING, PPROF_LOCATION,
	PPROF_FUNCTION, PPROF_STRING, PPROF_PERIOD_TYPE = 11, PPROF_PERIOD,
	PPROF_DEFAULT_TYPE = 14,
};

struct pprof_type {
	uint64_t type, unit;	/* strings, as all such numbers here */
};

struct pprof_mapping {
	uint64_t id, start, limit, offset, file, build_id;
};

struct pprof_function {
	uint64_t id, name, system_name, file;
};

struct pprof_location {
	uint64_t id, mapping, address;
	struct wire body;	/* with its lines */
};

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
 * 0; -EINVAL: it is no such message, *at is where; or -ENOMEM.  What is read
 * until then is there, too: pprof_tables_free() in any case.
 */
int pprof_tables_read(struct pprof_tables *t, struct wire all,
    const unsigned char **at);
void pprof_tables_free(struct pprof_tables *t);

/* By its number; NULL: none. */
const struct pprof_mapping *pprof_mapping(const struct pprof_tables *t,
    uint64_t id);
const struct pprof_function *pprof_function(const struct pprof_tables *t,
    uint64_t id);
const struct pprof_location *pprof_location(const struct pprof_tables *t,
    uint64_t id);

/* Not told where it is none, or empty. */
struct text pprof_text(const struct pprof_tables *t, uint64_t string);

#endif
