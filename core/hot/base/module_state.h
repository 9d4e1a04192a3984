/*
 * Context: S.  The table of executable mappings.  The thread that has
 * mon->module_busy writes it; core/hot/module reads it.  Part of state.h.
 */
#ifndef MODULE_STATE_H
#define MODULE_STATE_H

#include "unwind/cfi.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One executable mapping. */
struct module_range {
	uint64_t start, end;	/* its addresses */
	uint64_t bias;		/* load bias of its object */
	/* its file, and the offset in that file at which it begins */
	uint64_t device, inode, offset;
	uint64_t head;		/* address of the object's ELF header, or 0 */
	struct cfi_tables tables;	/* unwind tables of the object */
	/*
	 * index of the object's record; 0: generated code, or unrecorded;
	 * addresses stay absolute
	 */
	uint32_t record;
	/* the file had no room for the object's record */
	bool unrecorded;
	bool readable;		/* its code may be read */
	bool watched;		/* module_filter.h selects it */
};

#define MODULE_MAX	8192
/* most objects that are read from the loader's list */
#define LINK_MAP_MOST	2048
/*
 * The executable mappings of the process, by ascending address, at most
 * MODULE_MAX.
 */
struct module_table {
	_Atomic uint32_t sequence;	/* odd while being written */
	uint32_t count;		/* ranges in use */
	struct module_range range[MODULE_MAX];
};

#endif
