/* Context: O.  See listing_files.h. */
#include "listing_files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

uint64_t
listing_compile_six(void)
{
	compile_source("a.out", ".s", "-nostdlib -static -Wl,-e,first",
	    "	.section .note.GNU-stack, \"\", %progbits\n"
	    "	.text\n"
	    "	.balign 64\n"
	    "	.globl first, _Z5thirdi, mcount\n"
	    "	.weak faint\n"
	    "	.type first, %function\n"
	    "	.type hidden, %function\n"
	    "	.type _Z5thirdi, %function\n"
	    "	.type faint, %function\n"
	    "	.type mcount, %function\n"
	    "first:	.zero 16\n"
	    "	.size first, 16\n"
	    "hidden:	.zero 16\n"
	    "	.size hidden, 16\n"
	    "_Z5thirdi:	.zero 16\n"
	    "	.size _Z5thirdi, 16\n"
	    "M.label:	.zero 16\n"
	    "faint:	.zero 16\n"
	    "	.size faint, 16\n"
	    "mcount:	.zero 16\n"
	    "	.size mcount, 16\n");
	return compile_address("a.out", "first");
}

void
listing_cell(struct classics *k, uint64_t address, uint64_t calls)
{
	classics_word(k, address);
	classics_word(k, calls);
}

void
listing_six(struct classics *k, uint64_t low)
{
	static const unsigned char ticks[] = { 5, 7, 11, 2, 1, 4 };

	classics_init(k, true, false);
	classics_word(k, low);
	classics_word(k, low + 96);
	classics_word(k, 5);
	listing_cell(k, low + 5, 3);
	listing_cell(k, low + 16 + 5, 12);
	listing_cell(k, low + 32 + 5, 150);
	listing_cell(k, 0, 0);
	listing_cell(k, 0, 0);
	for (unsigned i = 0; i < 48; i++)
		classics_put(k, i % 8 == 4 ? ticks[i / 8] : 0, 2);
}

void
listing_six_files(const char *name)
{
	struct classics k;

	listing_six(&k, listing_compile_six());
	three_save(&k, name);
}

void
listing_versioned(struct classics *k, uint64_t low, const char *path,
    size_t bytes)
{
	static const unsigned char samples[] = { 4, 4, 20, 36, 200 };

	classics_init(k, true, false);
	classics_text(k, "FORP\1\0\0\0", 8);
	classics_put(k, 16, 8);
	classics_put(k, 3, 4);
	classics_put(k, 1, 4);
	classics_put(k, 24 + 32 + bytes, 8);
	classics_put(k, 24, 8);
	classics_put(k, 0, 8);
	classics_put(k, 56, 8);
	classics_put(k, low & ~(uint64_t)0x1fffff, 8);
	classics_put(k, low + 112, 8);
	classics_text(k, path, bytes);
	classics_put(k, 2, 4);
	classics_put(k, 1, 4);
	classics_put(k, 24 + 48, 8);
	classics_put(k, 24, 8);
	classics_put(k, 0, 8);
	classics_put(k, 0, 8);
	classics_put(k, low, 8);
	classics_put(k, low + 33, 8);
	classics_put(k, 8, 8);
	classics_put(k, 0, 8);
	classics_put(k, 1, 4);
	classics_put(k, 1, 4);
	classics_put(k, 32 + 8 * sizeof(samples), 8);
	classics_put(k, 32, 8);
	classics_put(k, sizeof(samples), 8);
	for (size_t i = 0; i < sizeof(samples); i++)
		classics_put(k, low + samples[i], 8);
}
