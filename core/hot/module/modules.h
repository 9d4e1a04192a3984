/*
 * Context: S.  Finds the mapped object that holds a program counter, in a table
 * that is read from the memory map when it does not hold a pc, or when it may
 * be out of date.  Ticks, counted calls, allocations and walks of the stack
 * ask, in any thread and any signal handler; the hooks that unmap code
 * (hook_dlclose.c, code_unmap.c) say that it is out of date.
 */
#ifndef MODULES_H
#define MODULES_H

#include "base/state.h"

/* The answer of modules_find(). */
struct module_hit {
	uint32_t record;	/* in the file; 0: none, address is absolute */
	uint64_t address;	/* pc less bias */
	uintptr_t text, text_end; /* readable while a thread is at pc, or 0 */
	/* pc lies in a range of the table that is not unrecorded */
	bool known;
	/* pc lies in a range of an object that the file had no room to name */
	bool unrecorded;
	bool watched;		/* the list of module_filter.h selects it */
	/* not found yet: another thread reads the map */
	bool soon;
};

/* The mapping that holds a pc, as far as unwinding needs it. */
struct module_text {
	uintptr_t start, end;
	bool readable;
	bool object;		/* from a file; else it was made at run time */
	struct cfi_tables tables;
};

/*
 * Fills *t with the mapping that holds pc.  Returns false, with *t undefined,
 * if the table has none, or if it was being written at each of several tries.
 * Makes no system call.
 */
bool modules_find_text(uintptr_t pc, struct module_text *t);

/*
 * Looks pc up.  Reads the memory map again first if the table may be out of
 * date, and, at a limited rate, if it does not hold pc.  Always fills *hit.
 * The store must be ready.  Any thread and any signal handler may call it.
 */
void modules_find(uintptr_t pc, struct module_hit *hit);

/*
 * Looks pc up as modules_find() does, but in the table as it is and without a
 * system call.  Returns false, with *hit undefined, if the table may be out of
 * date or does not know pc.
 */
bool modules_find_known(uintptr_t pc, struct module_hit *hit);

/*
 * Reads the map now, by private_fds_run(), unless another thread is reading it
 * or the process is frozen.  The store must be ready.  A read that fails is
 * counted as a loss.
 */
void modules_refresh(void);

/*
 * Waits until no other thread reads the map, 100 sleeps of 0.1 ms at most; not
 * in a frozen process.  For the helper of clock=wall, which may sleep: what it
 * looks up meanwhile would not be found.
 */
void modules_await(void);

/*
 * Begins a dlclose(3), from T code: waits for ticks that may be reading unwind
 * tables, 10 ms each at most.  Until modules_unloaded(), and until the map is
 * read again if text was unmapped, no tick reads unwind tables.
 */
void modules_unload_begin(void);

/*
 * Ends a call that modules_unload_begin() has begun.  gone: it has unmapped
 * text.
 */
void modules_unloaded(bool gone);

/*
 * Returns whether every object of the table is still where the table says.
 * Returns false during a dlclose(3), and from a call that has unmapped an
 * object's text until the map has been read again.  When the map is read for
 * another reason, it differs from the table only by new objects.
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
 * Returns the kind of code that the table has in the n bytes at `at`;
 * MODULES_OBJECT if another thread writes the table meanwhile.  Makes no system
 * call; may be called in a process that is not profiled.
 */
enum modules_code_kind modules_code_kind_in(uintptr_t at, size_t n);

/*
 * Notes that code was unmapped.  object: the code was that of an object.  Then
 * the next modules_find() reads the map again, and cached unwind rules are no
 * longer used.  After generated code, which some programs unmap all the time,
 * both happen at the next look-up that the table answers with generated code,
 * but not within 10 ms of the last time that the map was read.
 */
void modules_note_code_gone(bool object);

/*
 * Empties the table, because all its records belong to a file that is gone.
 * The thread that makes the store calls it.
 */
void modules_reset(void);

#endif
