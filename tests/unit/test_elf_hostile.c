/* Context: O.  core/object on ELF files that lie, at the edge of a page. */
#include "ehframe.h"
#include "plt.h"
#include "symbol.h"

#include "compile.h"
#include "random.h"
#include "tail.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASKED 64

static unsigned char *image;
static size_t image_size;
static uint64_t text;

static void
setup(void)
{
	FILE *in;

	compile_init();
	compile_source("a", ".c", "-O1 -fplt -Wl,-z,lazy",
	    "#include <stdio.h>\n"
	    "static int __attribute__((noinline)) f(int n) {"
	    " return printf(\"%d\", n); }\n"
	    "int main(int c, char **v) { puts(v[0]); return f(c); }\n");
	text = compile_address("a", "_init");
	in = fopen(compile_path("a"), "r");
	image = malloc(1 << 20);
	cr_assert_not_null(in);
	cr_assert_not_null(image);
	image_size = fread(image, 1, 1 << 20, in);
	fclose(in);
	cr_assert_gt(image_size, 4096);
}

static void
teardown(void)
{
	free(image);
	compile_fini();
}

TestSuite(elf_hostile, .init = setup, .fini = teardown, .timeout = 120);

/* Everything that object_resolve() does with one file.  Names it found. */
static unsigned
read_all(const unsigned char *bytes, size_t size)
{
	struct symbol asked[ASKED];
	struct symbol_set set;
	struct ehframe bounds;
	struct ehframe_range range;
	struct arena arena = { 0 };
	struct elf_file f;
	const unsigned char *id;
	unsigned named = 0;

	if (elf_file_view(&f, bytes, size) != 0)
		return 0;
	memset(asked, 0, sizeof(asked));
	for (size_t i = 0; i < ASKED; i++)
		asked[i].address = text + 16 * i;
	elf_file_build_id(&f, &id);
	cr_assert_eq(ehframe_open(&bounds, &f), 0);
	cr_assert_eq(symbol_begin(&set, asked, ASKED), 0);
	cr_assert_eq(plt_name(&f, asked, ASKED, &arena), 0);
	cr_assert_eq(symbol_offer_file(&set, &f), 0);
	cr_assert_eq(symbol_settle(&set, &bounds, &arena), 0);
	for (size_t i = 0; i < ASKED; i++) {
		ehframe_before(&bounds, asked[i].address, &range);
		named += asked[i].name != NULL && asked[i].name[0] != '\0';
	}
	symbol_end(&set);
	ehframe_close(&bounds);
	elf_file_close(&f);
	arena_free(&arena);
	return named;
}

Test(elf_hostile, names_when_nothing_is_wrong)
{
	unsigned char *copy = tail_copy(image, image_size);

	cr_expect_gt(read_all(copy, image_size), 8);
	tail_free(copy, image_size);
}

Test(elf_hostile, survives_every_length)
{
	for (size_t size = 0; size < image_size;
	    size += size < 4096 ? 1 : 61) {
		unsigned char *copy = tail_copy(image, size);

		read_all(copy, size);
		tail_free(copy, size);
	}
}

static void
survives_flips(unsigned flips, size_t first, size_t count)
{
	unsigned char *copy = tail_copy(image, image_size);
	uint64_t state = 1;

	for (unsigned i = 0; i < flips; i++) {
		memcpy(copy, image, image_size);
		for (unsigned j = 0; j < 1 + i % 8; j++) {
			size_t at = first + random_next(&state) % count;
			uint64_t kind = random_next(&state) % 3;

			copy[at] = kind == 0 ? 0xff : kind == 1 ? 0 :
			    (unsigned char)random_next(&state);
		}
		read_all(copy, image_size);
	}
	tail_free(copy, image_size);
}

Test(elf_hostile, survives_changes_anywhere)
{
	survives_flips(4000, 0, image_size);
}

Test(elf_hostile, survives_changes_in_its_headers)
{
	survives_flips(4000, 16, 1024);
	survives_flips(4000, image_size - 2048, 2048);
}
