/* Context: S.  Which mapped object holds a program counter. */
#ifndef MODULES_H
#define MODULES_H

#include "state.h"

struct module_hit {
	uint32_t record;	/* in the file; 0: none, address is absolute */
	uint64_t address;	/* pc less bias */
	uintptr_t text, text_end; /* readable while a thread is at pc, or 0 */
	bool known;		/* pc lies in a range of the table */
	bool soon;		/* not yet: another thread reads the map */
};

/* Looks pc up; reads the map again, at a limited rate, when it is not known. */
void modules_find(uintptr_t pc, struct module_hit *hit);

/* Read the map now unless somebody is at it.  The store must be ready. */
void modules_refresh(void);

/* From T code that changed mappings: the next tick looks again. */
void modules_stale(void);

/* All records belong to a file that is gone. */
void modules_forget(void);

#endif
