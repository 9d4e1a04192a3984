/*
 * Context: S.  Entries of unwind tables: finds the one that holds an address,
 * and reads its header.  cfi.c calls it in a walk that can end by a fault;
 * elf_headers.c for the head of an index, of which it has a copy.
 */
#ifndef CFI_ENTRY_H
#define CFI_ENTRY_H

#include "base/str.h"
#include "unwind/cfi.h"
#include "unwind/leb128.h"

/* A position in a table. */
struct cfi_entry_reader {
	const unsigned char *at, *end;
	uintptr_t moved;	/* run-time address of the bytes, less `at` */
	bool bad;		/* a field was missing or unknown */
};

/* An entry (FDE) and what its common entry (CIE) adds. */
struct cfi_entry {
	uintptr_t begin, end;	/* bounds of the code */
	/* instructions of the CIE, and of the FDE */
	struct cfi_entry_reader first, code;
	uint64_t code_unit;
	int64_t data_unit;
	uint64_t ra;		/* column of the return address */
	unsigned char encoding;
	bool augmented, signal;
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

/* Reads an unsigned LEB128 number.  Sets r->bad if it is missing. */
static inline uint64_t
cfi_entry_uleb(struct cfi_entry_reader *r)
{
	if (r->at == r->end)
		r->bad = true;
	return leb128_read_unsigned(&r->at, r->end);
}

/* Reads a signed LEB128 number.  Sets r->bad if it is missing. */
static inline int64_t
cfi_entry_sleb(struct cfi_entry_reader *r)
{
	if (r->at == r->end)
		r->bad = true;
	return leb128_read_signed(&r->at, r->end);
}

/*
 * Reads a pointer in that encoding (DW_EH_PE_*); some encodings are relative to
 * `index`.  Sets r->bad if the pointer is missing or not understood.
 */
uintptr_t cfi_entry_pointer(struct cfi_entry_reader *r, unsigned char encoding,
    uintptr_t index);

/* The bits of a pointer's encoding that cfi_entry_pointer() understands. */
#define CFI_ENTRY_ENCODING	0x7fu

/*
 * Fills t->entries and t->sorted from `head`, a copy of the first bytes of the
 * index; the index itself lies at t->index.  Returns false if it does not
 * understand them.
 */
bool cfi_entry_read_index(struct cfi_tables *t,
    const unsigned char head[CFI_INDEX_HEAD_BYTES]);

/*
 * Finds the entry that holds pc.  Returns 0; -ENOENT if there is none; -EINVAL
 * if it is not understood; -E2BIG as cfi_find() does.
 */
int cfi_entry_find(const struct cfi_tables *t, uintptr_t pc,
    struct cfi_entry *e);

#endif
