/*
 * Context: O.  Names of places, remembered: who looks again and again asks for
 * those alone that are new.
 */
#ifndef NAME_CACHE_H
#define NAME_CACHE_H

#include "arena.h"
#include "hash_index.h"
#include "kallsyms.h"

#include <stdbool.h>

/* Modules that are there from the start; others have numbers behind these. */
enum {
	NAME_CACHE_KERNEL,
	/* an address of a process, in no mapping */
	NAME_CACHE_NO_MODULE,
	NAME_CACHE_GENERATED,	/* the same, in memory of no file */
	NAME_CACHE_CUT,		/* no address: an enum format_cut */
	/* no address: it was named by who asks */
	NAME_CACHE_KNOWN,
	NAME_CACHE_MODULES,
};

/* No process matters: the address is one of a file, or of the kernel. */
#define NAME_CACHE_ANY_PROCESS	0u

struct name_cache_module {
	const char *path;
	size_t path_bytes;
	unsigned char build_id[32];
	size_t build_id_bytes;
	uint64_t device, inode;
	uint64_t seen;		/* in memory, ns since 1970 */
	uint32_t flags;		/* FORMAT_M_VDSO, FORMAT_M_NO_ELF */
	uint32_t process;	/* that has it mapped; no part of what it is */
};

struct name_cache_process {
	int32_t pid;
	uint32_t uid;
	uint64_t birth;		/* ns since 1970 */
};

struct name_cache_name {
	uint32_t function;	/* places of one function have one number */
	const char *text;	/* "module+0xoffset" of what has no name */
	const char *module;
	bool kernel;
	bool named;		/* by a symbol */
};

struct name_cache_function {
	const char *text, *module;	/* one copy of each */
	uint64_t start;
	bool kernel, named;
};

struct name_cache_place {
	uint32_t module, process;
	uint64_t address;
	uint32_t function;	/* HASH_INDEX_NONE = not looked up yet */
	uint32_t tries;
	uint64_t again;		/* CLOCK_MONOTONIC, ns: not before */
};

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
	uint32_t *waiting;	/* places to look up, now or later */
	size_t wait_count, wait_room;
	struct kallsyms kernel;
	uint64_t kernel_read;	/* when; 0 = never */
	bool out_of_memory;
};

void name_cache_init(struct name_cache *n);
void name_cache_free(struct name_cache *n);

/*
 * Their numbers, the same for the same. name_cache_resolve() says if memory is
 * out.
 */
uint32_t name_cache_add_module(struct name_cache *n,
    const struct name_cache_module *m);
uint32_t name_cache_add_process(struct name_cache *n,
    const struct name_cache_process *p);

/*
 * Of a place: its link-time address; its offset in the file, where
 * FORMAT_M_NO_ELF says that nobody knows that.  A caller is asked for by its
 * call.
 */
uint32_t name_cache_request(struct name_cache *n, uint32_t module,
    uint32_t process, uint64_t address);

/* The place of a function that is known already. */
uint32_t name_cache_add_known(struct name_cache *n, const char *text,
    const char *module, bool kernel);

/*
 * Looks up, at once, all that was asked for and is due: generated code without
 * a name, that a compiler may yet tell, is asked for again.  0 or -ENOMEM.
 */
int name_cache_resolve(struct name_cache *n);

/* Once it was looked up; until then its function is HASH_INDEX_NONE. */
struct name_cache_name name_cache_get(const struct name_cache *n,
    uint32_t place);

/*
 * For name_cache_resolve.c: the only copy of a text, and the number of a
 * function.
 */
const char *name_cache_intern(struct name_cache *n, const char *text);
uint32_t name_cache_add_function(struct name_cache *n,
    const struct name_cache_function *f);

#endif
