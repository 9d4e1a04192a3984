/* Context: O.  For tests of import of pprof: makes the bytes of a profile. */
#ifndef PPROF_BYTES_H
#define PPROF_BYTES_H

#include "imports.h"
#include "base/wire.h"

#include <errno.h>
#include <zlib.h>

extern unsigned char bytes[8192];
extern size_t size;
extern struct import x;
extern struct fault f;

void pprof_bytes_number(unsigned field, uint64_t value);

/*
 * Begins a field below 128 bytes; returns where pprof_bytes_end() puts its
 * length.
 */
size_t pprof_bytes_begin(unsigned field);

void pprof_bytes_end(size_t at);

void pprof_bytes_string(const char *text);

void pprof_bytes_pair(unsigned field, uint64_t first, uint64_t second);

void pprof_bytes_function(uint64_t id, uint64_t name, uint64_t system,
    uint64_t file);

void pprof_bytes_mapping(void);

/* A line for each function that is not 0. */
void pprof_bytes_location(uint64_t id, uint64_t address, uint64_t inner,
    uint64_t outer);

void pprof_bytes_packed(unsigned field, unsigned first, unsigned second);

void pprof_bytes_label(uint64_t key, uint64_t text, uint64_t value);

void pprof_bytes_samples(void);

/* Samples stand before what they are of: that has to be no matter. */
void pprof_bytes_profile(void);

const char *pprof_bytes_reads(enum import_format asked, const char *choice);

#define CPU "3 of 30: inner a.c:11 (/bin/a 1000-2000 at 300 0aff) " \
	"~_Zouter :12 (/bin/a 1000-2000 at 300 0aff) " \
	"<0x1020 (/bin/a 1000-2000 at 300 0aff) by 77/-1 prog\n" \
	"1 of 10: 0x1020 (/bin/a 1000-2000 at 300 0aff)\n"

void pprof_bytes_wrong(const char *what);

void pprof_bytes_left(const char *wanted, const char *what);

#endif
