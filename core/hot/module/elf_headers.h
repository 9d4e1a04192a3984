/*
 * Context: S.  Reads an object's ELF headers from memory that may vanish, or
 * from its file.  mapped_object.c and link_map_list.c use it.
 */
#ifndef ELF_HEADERS_H
#define ELF_HEADERS_H

#include "base/sys.h"
#include "unwind/cfi.h"

/*
 * Facts about a mapped object, filled by elf_headers_read().  `start` is the
 * address that was passed to it.
 */
struct elf_headers {
	uint64_t bias;		/* run-time address - address in the headers */
	/* `start` lies in executable text of the object at `head` */
	bool own;
	bool readable;		/* the segment that holds `start` is readable */
	uint64_t until;		/* end of that segment, or 0 */
	uint64_t next;		/* start of the next executable segment, or 0 */
	uint64_t low, high;	/* bounds of all segments */
	uint64_t dynamic;	/* run-time address of PT_DYNAMIC, or 0 */
	uint32_t build_id_bytes;
	uint8_t build_id[32];
	struct cfi_tables tables;	/* all mapped, or all 0 */
};

/* An `offset` for elf_headers_read(): none is known. */
#define ELF_HEADERS_NO_OFFSET	UINT64_MAX

/*
 * Reads the headers of the object whose first page is mapped at `head`, or of
 * the file `path` if `head` is 0 (not known) or cannot be read.
 *
 * An object has one bias.  The address of its first page gives it: if an
 * executable segment holds `start` with that bias, e->own is true.  Otherwise,
 * the bias is the one that places the file's bytes from `offset` on at `start`.
 * With ELF_HEADERS_NO_OFFSET the bias is that of the first page.
 *
 * Returns 0; -ENOEXEC if no segment holds those bytes, or if the object is no
 * 64-bit ELF object; PRIVATE_FDS_RETRY if the caller must repeat the call by
 * private_fds_run(), because the file has to be opened; another -errno if
 * neither memory nor the file can be read.  Only the thread that reads the
 * memory map may call this: it overwrites mon->module_bytes.
 */
int elf_headers_read(struct elf_headers *e, uint64_t head, const char *path,
    uint64_t start, uint64_t offset);

#endif
