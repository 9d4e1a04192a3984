/* Context: S.  An object's ELF headers, read from memory that may vanish. */
#ifndef ELFMEM_H
#define ELFMEM_H

#include "cfi.h"
#include "sys.h"

struct elfmem {
	uint64_t bias;		/* run-time address - address in the headers */
	uint32_t build_id_bytes;
	uint8_t build_id[32];
	struct cfi_tables tables;	/* where they are mapped, all of them */
};

/*
 * The object whose first page is mapped at `head` (0: open `path` instead), of
 * which the file bytes from `offset` on are mapped at `start`.  0 or -errno;
 * ASIDE_AGAIN where the file is to be opened and must not be here.
 */
int elfmem_read(struct elfmem *e, uint64_t head, const char *path,
    uint64_t start, uint64_t offset);

#endif
