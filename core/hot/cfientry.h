/*
 * Context: S.  Entries of unwind tables: where the one is that holds a place,
 * and what it says of itself.
 */
#ifndef CFIENTRY_H
#define CFIENTRY_H

#include "cfi.h"
#include "str.h"

struct cfientry_reader {
	const unsigned char *at, *end;
	uintptr_t moved;	/* where the bytes really are, less here */
	bool bad;		/* something was not there, or unknown */
};

struct cfientry {
	uintptr_t begin, end;	/* of the code */
	struct cfientry_reader first, code;	/* instructions: CIE, FDE */
	uint64_t code_unit;
	int64_t data_unit;
	uint64_t ra;		/* column */
	unsigned char encoding;
	bool augmented, signal;
};

static inline uint64_t
cfientry_number(struct cfientry_reader *r, unsigned bytes)
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

static inline uint64_t
cfientry_uleb(struct cfientry_reader *r)
{
	if (r->at == r->end)
		r->bad = true;
	return cfi_uleb(&r->at, r->end);
}

static inline int64_t
cfientry_sleb(struct cfientry_reader *r)
{
	if (r->at == r->end)
		r->bad = true;
	return cfi_sleb(&r->at, r->end);
}

/*
 * Reads a pointer in that encoding, DW_EH_PE_*; `index` is what some are
 * relative to.  r->bad: it is not there, or not understood.
 */
uintptr_t cfientry_pointer(struct cfientry_reader *r, unsigned char encoding,
    uintptr_t index);

/* How the pointers of an entry are read: no more than is understood. */
#define CFIENTRY_ENCODING	0x7fu

/*
 * The entry that holds pc.  0; -ENOENT: none; -EINVAL: it is not understood;
 * -E2BIG: as of cfi_find().
 */
int cfientry_find(const struct cfi_tables *t, uintptr_t pc,
    struct cfientry *e);

#endif
