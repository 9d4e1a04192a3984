/* Context: O.  For tests of line tables: compares them with addr2line. */
#ifndef ADDR2LINE_H
#define ADDR2LINE_H

#include "compile.h"
#include "dwarf/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ASKED_MOST	6000
#define SOURCE_LINES	60	/* none of these has as many */

/* Inlined three deep, in a loop's block, and a part that hardly ever runs. */
extern const char *const SOURCE;

extern bool is_cxx;

struct told {
	FILE *list;		/* what addr2line printed */
	char line[8192];
	bool ended;
};

bool lines_next(struct told *t);

bool lines_is_address(const struct told *t);

/* "FILE:LINE", "FILE:LINE (discriminator N)", "??:0", "FILE:?". */
bool lines_same_line(const struct lines_frame *f, const char *told);

/* It gives the symbol's name to C++ functions that have no linkage name. */
bool lines_same_name(const struct lines_frame *f, const char *told);

/* Frame by frame; as many as there are. */
bool lines_same_place(const struct lines *l, size_t i, struct told *t);

size_t lines_ask(struct symbol *asked, const struct elf_file *f,
    const char *name);

/* Compares the lines of `name` with those of `reference`, which has the same
 * code. */
void lines_hold_against(const char *name, const char *reference,
    const char *what);

void lines_by_flags(const char *flags);

#endif
