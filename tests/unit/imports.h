/* Context: O.  Says in words what readers of other profilers' files find. */
#ifndef IMPORTS_H
#define IMPORTS_H

#include "import.h"

/*
 * A line for each sample and call, from a copy that ends at an unmapped page:
 *
 *	2 of 500: inner+4 <main (/bin/a) by 12/13 name
 *
 * names from the inside out, '<' before a caller and '~' before what it is
 * inlined in, where no name is known its address, then FILE:LINE.  NULL: *f
 * says why not, or, where its text is NULL, it is no such file.
 */
const char *imports_read(const void *bytes, size_t size,
    enum import_format asked, const char *choice, struct import *x,
    struct fault *f);

const char *imports_text(const char *text, enum import_format asked,
    const char *choice, struct import *x, struct fault *f);

/* The file and the fault of the last one of the three functions below. */
extern struct import imports_x;
extern struct fault imports_f;

/* Expects that a text is of that format and read as `wanted`. */
void imports_is(enum import_format format, const char *text,
    const char *wanted);

/* Expects that a text is refused, for that reason and in that line. */
void imports_wrong(enum import_format asked, const char *text,
    const char *what, uint64_t line);

/*
 * Expects what is read, and what is left out: the reason, the first line, how
 * many.
 */
void imports_left(enum import_format asked, const char *text,
    const char *wanted, const char *what, uint64_t line, uint64_t count);

/* Each shorter file, and each changed byte, is refused or read; no crash. */
void imports_hurt(const void *bytes, size_t size, enum import_format asked);

#endif
