/*
 * Context: S.  The objects that were loaded at the start, without the loader's
 * lock; doc/internals.md, section 14.
 *
 * The list is the one for debuggers.  Those that the program was started with
 * stay, and so does their order: the search order of symbols.  What dlopen adds
 * comes behind them.
 */
#ifndef LINK_MAP_H
#define LINK_MAP_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

/* As <link.h> has it, which a header of ours hides. */
struct link_map_object {
	uintptr_t address;	/* run-time address - address in the file */
	const char *name;
	const Elf64_Dyn *dynamic;
	struct link_map_object *next, *previous;
};

/*
 * The loader's structure for debuggers.  From version 2 on it links to other
 * namespaces, which dlmopen(3) makes.
 */
struct link_map_debug {
	int version;
	struct link_map_object *first;
	uintptr_t stop;
	int state;
	uintptr_t loader;
	struct link_map_debug *next;
};

/* NULL: there is none */
extern const struct link_map_debug *link_map_debug;

/* The address of the name that the program was executed by; 0: not known. */
extern uint64_t link_map_program;

/* Returns the address where the program's ELF header is mapped, or 0. */
uint64_t link_map_program_head(void);

/*
 * The program itself, NULL before the constructor; and the last that it was
 * started with.
 */
extern const struct link_map_object *link_map_first, *link_map_last;

/*
 * Finds the loader's list by the program's own headers.  headers, count: the
 * program headers; program: the address of the program's name; the kernel has
 * passed both.
 */
void link_map_init(const Elf64_Phdr *headers, unsigned long count,
    uint64_t program);

/* The object that this code is in. */
bool link_map_is_own(const struct link_map_object *l);

/* Is it linked with a file whose name begins so? */
bool link_map_needs(const struct link_map_object *l, const char *file);

/* What its dynamic section has there, 0 nothing; and as an address. */
uint64_t link_map_dynamic_value(const struct link_map_object *l, int64_t tag);
const void *link_map_dynamic_table(const struct link_map_object *l,
    int64_t tag);

/*
 * Finds a function that l defines: of several versions the default one, as
 * dlsym() does.  Returns NULL if there is none.  Takes no lock.
 */
const Elf64_Sym *link_map_symbol(const struct link_map_object *l,
    const char *name);
void *link_map_function(const struct link_map_object *l, const char *name);

/* Returns the address of a variable that it defines, or NULL. */
void *link_map_variable(const struct link_map_object *l, const char *name);

/* Who comes behind this code's object in the search order; NULL: nobody. */
void *link_map_next_function(const char *name);

/*
 * The first of those that the program was started with who defines it, or NULL.
 */
const struct link_map_object *link_map_find_definer(const char *function);

#endif
