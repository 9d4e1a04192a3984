/*
 * Context: O.  Names of places, remembered: who looks again and again asks for
 * those alone that are new.
 */
#ifndef NAMER_H
#define NAMER_H

#include "arena.h"
#include "finder.h"
#include "kallsyms.h"

#include <stdbool.h>

/* Modules that are there from the start; others have numbers behind these. */
enum {
	NAMER_KERNEL,
	NAMER_NOWHERE,		/* an address of a process, in no mapping */
	NAMER_GENERATED,	/* the same, in memory of no file */
	NAMER_CUT,		/* no address: an enum format_cut */
	NAMER_KNOWN,		/* no address: it was named by who asks */
	NAMER_MODULES,
};

/* No process matters: the address is one of a file, or of the kernel. */
#define NAMER_ANY	0u

struct namer_module {
	const char *path;
	size_t path_bytes;
	unsigned char build_id[32];
	size_t build_id_bytes;
	uint64_t device, inode;
	uint64_t seen;		/* in memory, ns since 1970 */
	uint32_t flags;		/* FORMAT_M_VDSO, FORMAT_M_NO_ELF */
	uint32_t process;	/* that has it mapped; no part of what it is */
};

struct namer_process {
	int32_t pid;
	uint32_t uid;
	uint64_t birth;		/* ns since 1970 */
};

struct namer_name {
	uint32_t function;	/* places of one function have one number */
	const char *text;	/* "module+0xoffset" of what has no name */
	const char *module;
	bool kernel;
	bool named;		/* by a symbol */
};

struct namer_function {
	const char *text, *module;	/* one copy of each */
	uint64_t start;
	bool kernel, named;
};

struct namer_place {
	uint32_t module, process;
	uint64_t address;
	uint32_t function;	/* FINDER_NONE = not looked up yet */
	uint32_t tries;
	uint64_t again;		/* CLOCK_MONOTONIC, ns: not before */
};

struct namer {
	struct arena arena;
	struct finder by_text, by_module, by_process, by_place, by_function;
	const char **texts;
	struct namer_module *modules;
	struct namer_process *processes;
	struct namer_place *places;
	struct namer_function *functions;
	size_t text_count, text_room, module_count, module_room;
	size_t process_count, process_room, place_count, place_room;
	size_t function_count, function_room;
	uint32_t *waiting;	/* places to look up, now or later */
	size_t wait_count, wait_room;
	struct kallsyms kernel;
	uint64_t kernel_read;	/* when; 0 = never */
	bool out_of_memory;
};

void namer_init(struct namer *n);
void namer_free(struct namer *n);

/* Their numbers, the same for the same.  namer_run() says if memory is out. */
uint32_t namer_module(struct namer *n, const struct namer_module *m);
uint32_t namer_process(struct namer *n, const struct namer_process *p);

/*
 * Of a place: its link-time address; its offset in the file, where
 * FORMAT_M_NO_ELF says that nobody knows that.  A caller is asked for by its
 * call.
 */
uint32_t namer_ask(struct namer *n, uint32_t module, uint32_t process,
    uint64_t address);

/* The place of a function that is known already. */
uint32_t namer_known(struct namer *n, const char *text, const char *module,
    bool kernel);

/*
 * Looks up, at once, all that was asked for and is due: generated code without
 * a name, that a compiler may yet tell, is asked for again.  0 or -ENOMEM.
 */
int namer_run(struct namer *n);

/* Once it was looked up; until then its function is FINDER_NONE. */
struct namer_name namer_name(const struct namer *n, uint32_t place);

/* For naming.c: the only copy of a text, and the number of a function. */
const char *namer_text(struct namer *n, const char *text);
uint32_t namer_function(struct namer *n, const struct namer_function *f);

#endif
