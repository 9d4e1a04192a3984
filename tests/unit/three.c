/* Context: O.  A program of three functions for classic files, for tests. */
#include "three.h"

#include "compile.h"

#include <stdio.h>
#include <stdlib.h>

uint64_t
three_compile(void)
{
	compile_source("prog", ".s", "-nostdlib -static -Wl,-e,first "
	    "-Wl,--build-id=sha1",
	    "	.section .note.GNU-stack, \"\", %progbits\n"
	    "	.text\n"
	    "	.balign 64\n"
	    "	.globl first, second, third\n"
	    "	.type first, %function\n"
	    "	.type second, %function\n"
	    "	.type third, %function\n"
	    "	.zero 64\n"
	    "first:	.zero 16\n"
	    "	.size first, 16\n"
	    "second:	.zero 16\n"
	    "	.size second, 16\n"
	    "third:	.zero 32\n"
	    "	.size third, 32\n");
	return compile_address("prog", "first");
}

void
three_save(const struct classics *k, const char *name)
{
	FILE *out = fopen(compile_path(name), "w");

	if (out == NULL || fwrite(k->bytes, 1, k->size, out) != k->size ||
	    fclose(out) != 0)
		abort();
}

void
three_put(const char *name, three_maker *make, uint64_t low)
{
	struct classics k;

	classics_init(&k, true, false);
	make(&k, low);
	three_save(&k, name);
}
