/*
 * Context: O.  Remembers names of places.  tprof top, which looks up names
 * again and again, only has new places looked up.  Add modules and processes,
 * request places, then call name_cache_resolve() and name_cache_get().  One
 * thread at a time may use a cache.
 */
#ifndef NAME_CACHE_H
#define NAME_CACHE_H

#include "base/arena.h"
#include "base/hash_index.h"
#include "symbol/kallsyms.h"

#include <stdbool.h>

/* Modules that exist from the start; other modules have higher numbers. */
enum {
	NAME_CACHE_KERNEL,
	/* address of a process, in no mapping */
	NAME_CACHE_NO_MODULE,
	NAME_CACHE_GENERATED,	/* address of a process, in memory of no file */
	NAME_CACHE_CUT,		/* the address is an enum format_cut */
	/* the caller has named the place itself */
	NAME_CACHE_KNOWN,
	NAME_CACHE_MODULES,
};

/*
 * Process of an address in a file or in the kernel, where the process does not
 * matter.
 */
#define NAME_CACHE_ANY_PROCESS	0u

/* Identity of a module, for name_cache_add_module(). */
struct name_cache_module {
	const char *path;
	size_t path_bytes;
	unsigned char build_id[32];
	size_t build_id_bytes;
	uint64_t device, inode;
	uint64_t seen;		/* when it was in memory, ns since 1970 */
	uint32_t flags;		/* FORMAT_M_VDSO, FORMAT_M_NO_ELF */
	/* a process that has it mapped; not part of the identity */
	uint32_t process;
};

/* Identity of a process. */
struct name_cache_process {
	int32_t pid;
	uint32_t uid;
	uint64_t birth;		/* ns since 1970 */
};

/* The name of a place, as name_cache_get() returns it. */
struct name_cache_name {
	/* number of the function; all places of a function have the same */
	uint32_t function;
	const char *text;	/* "module+0xoffset" where no symbol is known */
	const char *module;
	bool kernel;
	bool named;		/* a symbol contains the place */
};

/* A function, by number. */
struct name_cache_function {
	/* single copies: pointers can be compared */
	const char *text, *module;
	uint64_t start;
	bool kernel, named;
};

/* A requested place.  Its key is module, process and address. */
struct name_cache_place {
	uint32_t module, process;
	uint64_t address;
	uint32_t function;	/* HASH_INDEX_NONE = not looked up yet */
	uint32_t tries;		/* look-ups that found no name */
	uint64_t again;	/* not to be looked up before, CLOCK_MONOTONIC, ns */
};

/*
 * All modules, processes, places and functions, by number.  name_cache_init()
 * begins it.
 */
struct name_cache {
	struct arena arena;
	struct hash_index by_text, by_module, by_process, by_place, by_function;
	const char **texts;
	struct name_cache_module *modules;
	struct name_cache_process *processes;
	struct name_cache_place *places;
	struct name_cache_function *functions;
	size_t text_count, text_room, module_count, module_room;
	size_t process_count, process_room, place_count, place_room;
	size_t function_count, function_room;
	/* places that are to be looked up, now or later */
	uint32_t *waiting;
	size_t wait_count, wait_room;
	struct kallsyms kernel;
	/* when `kernel` was read, CLOCK_MONOTONIC, ns; 0 = never */
	uint64_t kernel_read;
	bool out_of_memory;	/* reported by name_cache_resolve() */
};

/*
 * name_cache_init() begins an empty cache; if memory is out,
 * name_cache_resolve() reports it.  name_cache_free() frees the cache and all
 * texts that it has returned.
 */
void name_cache_init(struct name_cache *n);
void name_cache_free(struct name_cache *n);

/*
 * name_cache_add_module() and name_cache_add_process() return the number of a
 * module or a process, the same for the same identity.  *m is copied with its
 * path.  If memory is out, they return NAME_CACHE_NO_MODULE or
 * NAME_CACHE_ANY_PROCESS, and name_cache_resolve() reports it.
 */
uint32_t name_cache_add_module(struct name_cache *n,
    const struct name_cache_module *m);
uint32_t name_cache_add_process(struct name_cache *n,
    const struct name_cache_process *p);

/*
 * Requests the name of a place and returns the place's number, the same for the
 * same place.  `address` is a link-time address, or the offset in the file
 * where the module has FORMAT_M_NO_ELF, as no link-time address is known; for a
 * caller, an address inside its call.  Returns HASH_INDEX_NONE if memory is
 * out.
 */
uint32_t name_cache_request(struct name_cache *n, uint32_t module,
    uint32_t process, uint64_t address);

/*
 * Returns the number of a place whose function the caller has already named; it
 * needs no look-up.  The texts are copied.  Returns HASH_INDEX_NONE if memory
 * is out.
 */
uint32_t name_cache_add_known(struct name_cache *n, const char *text,
    const char *module, bool kernel);

/*
 * Looks up all requested places that are due, in one go; opens objects, and
 * reads kallsyms and maps of compilers, which may take long.  Addresses in no
 * module that have no name are looked up again later, a few times, as their
 * compiler may name them yet.  Returns 0, or -ENOMEM, also if memory ran out in
 * an earlier call.
 */
int name_cache_resolve(struct name_cache *n);

/*
 * Returns the name of a place; its texts live as long as the cache.  Before the
 * place was looked up, and for a number that no place has, its function is
 * HASH_INDEX_NONE.
 */
struct name_cache_name name_cache_get(const struct name_cache *n,
    uint32_t place);

/*
 * Only for name_cache_resolve.c.  name_cache_intern() returns the only copy of
 * a text, "" if memory is out; name_cache_add_function() returns the number of
 * a function, HASH_INDEX_NONE if memory is out.
 */
const char *name_cache_intern(struct name_cache *n, const char *text);
uint32_t name_cache_add_function(struct name_cache *n,
    const struct name_cache_function *f);

#endif
