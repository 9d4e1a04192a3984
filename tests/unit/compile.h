/* Context: O.  Programs made by the compiler under test's eyes. */
#ifndef COMPILE_H
#define COMPILE_H

#include <stdint.h>

/* A fresh directory, removed by compile_fini(). */
void compile_init(void);
void compile_fini(void);

/* DIRECTORY/name, in a buffer of the next call but three. */
const char *compile_path(const char *name);

/* Write source to a file and run "$CC -o name FLAGS source"; aborts on errors.
 * The suffix (".c", ".cc", ".s") picks the language. */
void compile_source(const char *name, const char *suffix, const char *flags,
    const char *source);

/* Run a shell command in the directory; its status. */
int compile_run(const char *command);

/* The value of a symbol by $NM, also of a dynamic one; aborts without. */
uint64_t compile_address(const char *name, const char *symbol);

#endif
