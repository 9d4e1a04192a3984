/* Context: S.  Which mapped object holds a program counter. */
#ifndef MODULES_H
#define MODULES_H

#include "base/state.h"

struct module_hit {
	uint32_t record;	/* in the file; 0: none, address is absolute */
	uint64_t address;	/* pc less bias */
	uintptr_t text, text_end; /* readable while a thread is at pc, or 0 */
	bool known;		/* pc lies in a range of the table that is
				   not unrecorded */
	bool unrecorded;	/* pc lies in a range of an object that the
				   file had no room to name */
	bool watched;		/* it is to be told apart: module_filter.h */
	bool soon;		/* not yet: another thread reads the map */
};

/* What unwinding wants of the mapping that holds pc.  False: none is known. */
struct module_text {
	uintptr_t start, end;
	bool readable;
	bool object;		/* of a file; else it was made at run time */
	struct cfi_tables tables;
};

bool modules_find_text(uintptr_t pc, struct module_text *t);

/* Looks pc up; reads the map again, at a limited rate, when it is not known. */
void modules_find(uintptr_t pc, struct module_hit *hit);

/* The same by what is known now, without a system call. */
bool modules_find_known(uintptr_t pc, struct module_hit *hit);

/* Read the map now unless somebody is at it.  The store must be ready. */
void modules_refresh(void);

/*
 * Around what may unmap text, from T code.  Between the two, and until the map
 * is read again, nobody reads unwind tables; who was at it is waited for.
 */
void modules_unload_begin(void);
void modules_unloaded(bool gone);	/* was any? */

/*
 * Returns whether every object of the table is still where the table says.
 * Returns false from the start of a dlclose(3) that unmaps text until the map
 * has been read again.  When the map is read for another reason, it differs
 * from the table only by new objects.
 */
bool modules_are_current(void);

/* The kinds of code that the table knows in a range of addresses. */
enum modules_code_kind {
	MODULES_NO_CODE,		/* no code */
	/* code that was made at run time, and no other */
	MODULES_GENERATED,
	MODULES_OBJECT		/* text of an object */
};

/*
 * Returns what the table has in the n bytes at `at`.  Makes no system call; may
 * be called where nothing is profiled.
 */
enum modules_code_kind modules_code_kind_in(uintptr_t at, size_t n);

/*
 * Says that code was unmapped.  object: it was an object's.  Then the next tick
 * reads the map again, and stacks that were remembered are not used any more.
 * After generated code, which some programs unmap all the time, both happen at
 * the next look-up that the table answers with generated code, but not within
 * 10 ms of the last time that the map was read.
 */
void modules_note_code_gone(bool object);

/* From T code that changed mappings: the next tick looks again. */
void modules_mark_stale(void);

/* All records belong to a file that is gone. */
void modules_reset(void);

#endif
