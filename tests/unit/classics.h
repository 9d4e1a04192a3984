/* Context: O.  Files of classic profilers, byte by byte, for tests. */
#ifndef CLASSICS_H
#define CLASSICS_H

#include "classic/classic.h"

/*
 *	struct classics k;
 *	classics_init(&k, true, false);		64 bits, little-endian
 *	classics_text(&k, "gmon", 4);
 *	classics_put(&k, 1, 4);
 *	read(k.bytes, k.size);
 */
struct classics {
	bool wide, big;
	size_t size;
	unsigned char bytes[8192];
};

void classics_init(struct classics *k, bool wide, bool big);
void classics_text(struct classics *k, const void *text, size_t bytes);
void classics_put(struct classics *k, uint64_t value, unsigned width);
void classics_zero(struct classics *k, size_t bytes);

/* An address or a long, of 4 or 8 bytes. */
void classics_word(struct classics *k, uint64_t value);

/*
 * Each of them: bins of 4 bytes from `low`, of which the second has 5 ticks and
 * the last but one 7, at 100 Hz where there is a rate; and three calls from
 * low + 16 to low + 32, or of low + 32.  Bins: 16.
 */
void classics_gmon(struct classics *k, uint64_t low);
void classics_sprof(struct classics *k, uint64_t low);
void classics_bsd(struct classics *k, uint64_t low);
void classics_bsd_old(struct classics *k, uint64_t low);
void classics_monout(struct classics *k, uint64_t low);

/* Two modules, "/none/prog" at `low` and "/none/lib.so" at low + 0x1000. */
void classics_prof(struct classics *k, uint64_t low);

/*
 * Returns what classic_open() reads of the file in words: a line for each bin,
 * call and module.  It reads a copy that ends at an unmapped page.  NULL: *f
 * says why not, or, where its text is NULL, it is no such file.
 */
const char *classics_read(const struct classics *k, struct classic *c,
    struct fault *f);

/* Each shorter file is refused or read, and each changed byte; no crash. */
void classics_hurt(const struct classics *k);

#endif
