/*
 * Context: O.  Keeps what the unwinder has between samples: the unwind tables
 * of each code file, and for each process an address space of libunwind.
 * perf_unwind.c uses them; address_space.c, address_space_map.c and code_file.c
 * free them.  This file knows no process and no mapping.
 */
#ifndef PERF_UNWIND_STATE_H
#define PERF_UNWIND_STATE_H

#include "elf/elf_file.h"

/* .eh_frame_hdr: bytes of its version, three encodings and two numbers */
#define PERF_UNWIND_HEADER_BYTES 12u
/* bytes of an entry of its binary search table */
#define PERF_UNWIND_ENTRY_BYTES	8u

/* Unwind tables of a file. */
struct perf_unwind_tables {
	struct elf_file file;
	bool open;
	/* address of .eh_frame_hdr in the ELF headers; 0: none */
	uint64_t header;
	uint64_t entries;
};

/*
 * Returns the tables in *tables.  If *tables is NULL, it first receives the
 * tables of the file at `path`; without a path, or if the file cannot be
 * opened, they are empty.  Returns NULL without memory.
 */
const struct perf_unwind_tables *perf_unwind_state_tables(void **tables,
    const char *path);

/* Closes the unwind tables of a file.  NULL is allowed. */
void perf_unwind_state_close(void *tables);

/*
 * Drops what libunwind has cached for the address space `unwinder`, whose
 * mappings have changed.  NULL is allowed.
 */
void perf_unwind_state_forget(void *unwinder);

/* Frees the address space `unwinder`.  NULL is allowed. */
void perf_unwind_state_free(void *unwinder);

#endif
