/*
 * Context: S.  The objects that were loaded at the start, without the loader's
 * lock; doc/internals.md, section 14.
 *
 * The list is the one for debuggers.  Those that the program was started with
 * stay, and so does their order: the search order of symbols.  What dlopen adds
 * comes behind them.
 */
#ifndef LOADED_H
#define LOADED_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

/* As <link.h> has it, which a header of ours hides. */
struct loaded {
	uintptr_t address;	/* run-time address - address in the file */
	const char *name;
	const Elf64_Dyn *dynamic;
	struct loaded *next, *previous;
};

/*
 * The loader's structure for debuggers.  From version 2 on it links to other
 * namespaces, which dlmopen(3) makes.
 */
struct loaded_debug {
	int version;
	struct loaded *first;
	uintptr_t stop;
	int state;
	uintptr_t loader;
	struct loaded_debug *next;
};

extern const struct loaded_debug *loaded_debug;	/* NULL: there is none */

/* The address of the name that the program was executed by; 0: not known. */
extern uint64_t loaded_program;

/* Returns the address where the program's ELF header is mapped, or 0. */
uint64_t loaded_head(void);

/*
 * The program itself, NULL before the constructor; and the last that it was
 * started with.
 */
extern const struct loaded *loaded_first, *loaded_last;

/*
 * Finds the loader's list by the program's own headers.  headers, count: the
 * program headers; program: the address of the program's name; the kernel has
 * passed both.
 */
void loaded_begin(const Elf64_Phdr *headers, unsigned long count,
    uint64_t program);

/* The object that this code is in. */
bool loaded_is_own(const struct loaded *l);

/* Is it linked with a file whose name begins so? */
bool loaded_needs(const struct loaded *l, const char *file);

/* What its dynamic section has there, 0 nothing; and as an address. */
uint64_t loaded_value(const struct loaded *l, int64_t tag);
const void *loaded_table(const struct loaded *l, int64_t tag);

/*
 * Finds a function that l defines: of several versions the default one, as
 * dlsym() does.  Returns NULL if there is none.  Takes no lock.
 */
const Elf64_Sym *loaded_symbol(const struct loaded *l, const char *name);
void *loaded_function(const struct loaded *l, const char *name);

/* Returns the address of a variable that it defines, or NULL. */
void *loaded_object(const struct loaded *l, const char *name);

/* Who comes behind this code's object in the search order; NULL: nobody. */
void *loaded_function_behind(const char *name);

/*
 * The first of those that the program was started with who defines it, or NULL.
 */
const struct loaded *loaded_first_with(const char *function);

#endif
