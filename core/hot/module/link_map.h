/*
 * Context: S.  Reads the loader's list of objects, and finds symbols in them,
 * without the loader's lock; doc/design/calls.md.  The start calls
 * link_map_init(); after that, hooks, the stubs' C side, options, got_patch.c
 * and the table of modules find functions and objects, in any thread and any
 * signal handler.
 *
 * The list is the one that the loader keeps for debuggers.  The objects that
 * the program was started with stay in the list in the same order, which is the
 * search order of symbols.  Objects that dlopen adds come after them.
 */
#ifndef LINK_MAP_H
#define LINK_MAP_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

/* An entry of the list, laid out as struct link_map of <link.h>. */
struct link_map_object {
	uintptr_t address;	/* run-time address - address in the file */
	const char *name;
	const Elf64_Dyn *dynamic;
	struct link_map_object *next, *previous;
};

/*
 * The loader's structure for debuggers (r_debug).  From version 2 on it links
 * to the lists of other namespaces, which dlmopen(3) makes.
 */
struct link_map_debug {
	int version;
	struct link_map_object *first;
	uintptr_t stop;
	int state;
	uintptr_t loader;
	struct link_map_debug *next;
};

/* The loader's structure of the program's namespace; NULL: there is none. */
extern const struct link_map_debug *link_map_debug;

/* Address of the name that the program was executed by; 0: not known. */
extern uint64_t link_map_program;

/* Returns the address where the program's ELF header is mapped, or 0. */
uint64_t link_map_program_head(void);

/*
 * The program itself, or an empty entry if there is no list; and the last
 * object that the program was started with.  NULL before link_map_init().
 */
extern const struct link_map_object *link_map_first, *link_map_last;

/*
 * Finds the loader's list by the program's own headers.  headers, count: the
 * program headers; program: the address of the program's name, or 0: not known.
 * The kernel has passed all three.  The first hook that needs a real function
 * calls it, perhaps before libmon.so is relocated, and the start once more.
 */
void link_map_init(const Elf64_Phdr *headers, unsigned long count,
    uint64_t program);

/* Returns whether l is the object that this code is in. */
bool link_map_is_own(const struct link_map_object *l);

/*
 * Returns whether l is linked (DT_NEEDED) with a file whose name, without
 * directories, begins with `file`.  This and the functions below load from the
 * object without a check: l must stay loaded.
 */
bool link_map_needs(const struct link_map_object *l, const char *file);

/* Returns the value of the first entry `tag` of l's dynamic section, or 0. */
uint64_t link_map_dynamic_value(const struct link_map_object *l, int64_t tag);

/*
 * Returns the run-time address that the first entry `tag` of l's dynamic
 * section holds, or NULL.
 */
const void *link_map_dynamic_table(const struct link_map_object *l,
    int64_t tag);

/*
 * Returns the symbol of the function `name` that l defines, or NULL.  Among
 * several versions, prefers the default one, as dlsym() does.  Takes no lock.
 */
const Elf64_Sym *link_map_symbol(const struct link_map_object *l,
    const char *name);

/*
 * Returns the run-time address of the function `name` that l defines, or NULL;
 * otherwise as link_map_symbol().
 */
void *link_map_function(const struct link_map_object *l, const char *name);

/* Returns the address of the variable `name` that l defines, or NULL. */
void *link_map_variable(const struct link_map_object *l, const char *name);

/*
 * Returns the function `name` of the first object that defines it and follows
 * this code's object in the list, or NULL.
 */
void *link_map_next_function(const char *name);

/*
 * Returns the first of the objects that the program was started with that
 * defines the function, or NULL.
 */
const struct link_map_object *link_map_find_definer(const char *function);

#endif
