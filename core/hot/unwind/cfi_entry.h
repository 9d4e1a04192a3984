/*
 * Context: S.  Finds the entry of the unwind tables that holds an address, and
 * reads its header.  cfi.c calls cfi_entry_find() in a walk, which a memory
 * fault can end, and reads the entry's instructions by the small readers here.
 * elf_headers.c passes its copy of the head of an index when it examines an
 * object that is mapped.
 */
#ifndef CFI_ENTRY_H
#define CFI_ENTRY_H

#include "base/str.h"
#include "unwind/cfi.h"
#include "unwind/leb128.h"

/* A position in a table. */
struct cfi_entry_reader {
	const unsigned char *at, *end;
	/* run-time address of a byte, less its address here; 0: not a copy */
	uintptr_t to_run_time;
	bool bad;		/* a field was missing or unknown */
};

/* An entry (FDE) and what its common entry (CIE) adds. */
struct cfi_entry {
	uintptr_t begin, end;	/* bounds of the code */
	/* instructions of the CIE, which come first, and of the FDE */
	struct cfi_entry_reader cie_code, fde_code;
	uint64_t code_unit;	/* bytes that an advance of 1 stands for */
	int64_t data_unit;	/* bytes that an offset of 1 stands for */
	uint64_t ra;		/* column of the return address */
	unsigned char encoding;	/* DW_EH_PE_*, of the FDE's addresses */
	bool augmented;		/* 'z': CIE and FDE have augmentation data */
	bool signal;		/* 'S': a signal handler returns to it */
};

/*
 * Reads a little-endian number of `bytes` bytes, at most 8.  Returns 0 and sets
 * r->bad if it is missing.
 */
static inline uint64_t
cfi_entry_number(struct cfi_entry_reader *r, unsigned bytes)
{
	uint64_t n = 0;

	if ((size_t)(r->end - r->at) < bytes) {
		r->bad = true;
		r->at = r->end;
		return 0;
	}
	mem_copy(&n, r->at, bytes);
	r->at += bytes;
	return n;
}

/*
 * Reads an unsigned LEB128 number.  Sets r->bad if no byte is left; a number
 * that breaks off at the end is read as far as it goes.
 */
static inline uint64_t
cfi_entry_uleb(struct cfi_entry_reader *r)
{
	if (r->at == r->end)
		r->bad = true;
	return leb128_read_unsigned(&r->at, r->end);
}

/* Reads a signed LEB128 number in the same way. */
static inline int64_t
cfi_entry_sleb(struct cfi_entry_reader *r)
{
	if (r->at == r->end)
		r->bad = true;
	return leb128_read_signed(&r->at, r->end);
}

/*
 * Reads a pointer that is stored in `encoding` (DW_EH_PE_*).  index: run-time
 * address of .eh_frame_hdr, to which some encodings are relative.  Sets r->bad
 * if the pointer is missing or not understood.
 */
uintptr_t cfi_entry_pointer(struct cfi_entry_reader *r, unsigned char encoding,
    uintptr_t index);

/* The bits of an encoding that it looks at: all but DW_EH_PE_indirect. */
#define CFI_ENTRY_ENCODING	0x7fu

/*
 * Fills t->entries and t->sorted from `head`, a copy of the first bytes of the
 * index; the index itself lies at t->index.  Returns false if the head is not
 * understood.
 */
bool cfi_entry_read_index(struct cfi_tables *t,
    const unsigned char head[CFI_INDEX_HEAD_BYTES]);

/*
 * Finds the entry that holds pc, and fills *e.  Returns 0; or, with *e
 * undefined, -ENOENT if there is none; -EINVAL if it is not understood; -E2BIG
 * if the index cannot be searched, and pc is in none of the entries in the
 * first CFI_UNSORTED_BYTES bytes, but more follow.
 */
int cfi_entry_find(const struct cfi_tables *t, uintptr_t pc,
    struct cfi_entry *e);

#endif
