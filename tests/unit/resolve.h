/* Context: O.  Names of the places of one program made here, for tests. */
#ifndef RESOLVE_H
#define RESOLVE_H

#include "object.h"

#include "compile.h"

#define PROGRAM \
	"static int hidden(int n) __attribute__((noinline));\n" \
	"static int hidden(int n) { return n * 3 + 1; }\n" \
	"int shown(int n) { int s = 0; while (n-- > 0) s += hidden(n);" \
	" return s; }\n" \
	"int main(int c, char **v) { (void)v; return shown(c); }\n"

extern struct arena arena;

/* The debug file that the last state spoke of; NULL = none. */
extern const char *refused;

/* For .init and .fini of a suite. */
void resolve_init(void);
void resolve_fini(void);

/* The identity that a profile would hold of the file. */
struct object_ref ref_of(const char *path);

struct symbol resolve_ref(const struct object_ref *ref, uint64_t address,
    enum object_state *state);

/* Resolves in a file in the directory of compile.h, which must be found. */
struct symbol resolve(const char *name, uint64_t address);

void expect_named(const struct symbol *s, const char *name, uint64_t start);

#endif
