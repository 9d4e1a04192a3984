/*
 * Context: P.  The modules of a profile and texts, which libmon.so writes, and
 * the names of places in modules, which prof --embed adds.  Part of format.h.
 */
#ifndef FORMAT_MODULE_H
#define FORMAT_MODULE_H

#include <stdint.h>

/* An object whose code is or was mapped. */
struct format_module {
	uint32_t next;
	uint32_t path;		/* text */
	/* Bounds of its executable mappings in memory */
	uint64_t start;
	uint64_t end;
	/* Load bias: address in memory less address in its ELF headers */
	uint64_t bias;
	uint64_t device;
	uint64_t inode;
	uint64_t load_mono;	/* time when it was first seen */
	/* Time when it was seen gone; 0: there to the end, or again */
	uint64_t unload_mono;
	uint32_t flags;		/* FORMAT_M_* */
	uint32_t build_id_bytes; /* 0: it has none, or it could not be read */
	uint8_t build_id[32];
	uint64_t pad;
};

/* Bits of the flags of a module. */
#define FORMAT_M_MAIN	1u	/* the executable */
#define FORMAT_M_VDSO	2u
#define FORMAT_M_DELETED 4u	/* its file was deleted when first seen */
#define FORMAT_M_KERNEL	8u	/* the kernel; only readers set it */
/* Load bias not known: `bias` is start less file offset */
#define FORMAT_M_NO_ELF	16u
#define FORMAT_M_OURS	32u	/* libmon.so */

/*
 * Names of places, for readers that cannot look them up any more.  prof --embed
 * adds them, never while the process runs.  The places follow, then their
 * scopes.
 */
struct format_names {
	uint32_t next;
	uint32_t module;	/* 0: addresses are absolute */
	uint32_t places;
	uint32_t scopes;
};

/* A place that has names. */
struct format_place {
	/* Address to look up: of a caller, that of its call */
	uint64_t address;
	uint64_t start;		/* start of its function */
	uint32_t name;		/* text, as in the symbol table; 0: none */
	uint32_t first;		/* number in the block of its first scope */
	uint32_t scopes;	/* number of scopes, the innermost first */
	uint32_t pad;
};

/* A function at a place, and its line there. */
struct format_scope {
	uint32_t function;	/* text; 0 (last scope only): the place's own */
	uint32_t file;		/* text; 0: not known */
	uint32_t line;		/* 0: not known */
	uint32_t pad;
};

/*
 * A text.  The bytes follow; they are not ended by NUL unless the bytes include
 * one.
 */
struct format_text {
	uint32_t bytes;
	char text[];
};

_Static_assert(sizeof(struct format_module) == 112, "module");
_Static_assert(sizeof(struct format_names) == 16, "names");
_Static_assert(sizeof(struct format_place) == 32, "place");
_Static_assert(sizeof(struct format_scope) == 16, "scope");

#endif
