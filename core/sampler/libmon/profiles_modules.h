/*
 * Context: O.  Maps the modules of one profile, which its nodes name by their
 * records, to the modules of all profiles.  profiles.c has one map while it
 * reads a profile.
 */
#ifndef PROFILES_MODULES_H
#define PROFILES_MODULES_H

#include "libmon/profiles.h"

/* A module of the profile. */
struct profiles_known {
	uint32_t record;	/* its record in the profile */
	/* 1 + index in profiles.modules; 0: none */
	uint32_t module;
	uint64_t bias;
};

/* The modules of a profile, ascending by record.  Zeroed at first. */
struct profiles_modules {
	struct profiles_known *all;
	size_t count, room;
	/* 1 + index of the module for nodes whose own module was truncated */
	uint32_t lost;
};

/*
 * Reads the modules of the profile `from` into *l, and adds those that are new
 * to *to.  The caller frees *l in any case.  Returns 0, or -errno with *f set.
 */
int profiles_modules_read(struct profiles_modules *l, struct profiles *to,
    struct decode *from, struct fault *f);

/*
 * Returns the module of a record: without a module and a bias for record 0,
 * and the module `lost` for a record that the profile does not have.
 */
struct profiles_known profiles_modules_find(const struct profiles_modules *l,
    uint32_t record);

/* Frees *l. */
void profiles_modules_free(struct profiles_modules *l);

#endif
