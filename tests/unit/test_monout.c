/* Context: O.  Tests of core/format/classic/monout.c: golden files. */
#include "classic/bins.h"
#include "classics.h"
#include "classic/monout.h"

#include <criterion/criterion.h>
#include <string.h>

static struct classics k;
static struct classic c;
static struct fault f;

static void
monout(bool wide, bool big)
{
	classics_init(&k, wide, big);
	classics_monout(&k, 0x1000);
}

/* Three words, two cells of two words (one unused), 16 bins. */
Test(monout, reads_every_layout)
{
	for (unsigned i = 0; i < 4; i++) {
		const char *text;

		monout(i % 2 != 0, i / 2 != 0);
		text = classics_read(&k, &c, &f);
		cr_assert_not_null(text, "%u: %s", i, f.what);
		cr_expect_eq(c.kind, CLASSIC_MONOUT);
		cr_expect_eq(c.wide, k.wide);
		cr_expect_eq(c.bytes.big, k.big);
		cr_expect_str_eq(text, k.wide ?
		    "->1020 3 at 24\n"
		    "1004-1008 5 at 58 of 0\n"
		    "1038-103c 7 at 84 of 0\n" :
		    "->1020 3 at 12\n"
		    "1004-1008 5 at 30 of 0\n"
		    "1038-103c 7 at 56 of 0\n");
	}
}

Test(monout, reads_what_it_writes)
{
	unsigned char head[MONOUT_HEADER_BYTES], cell[MONOUT_CELL_BYTES];

	monout_put_header(head, 0x1000, 0x1040, 2);
	monout_put_cell(cell, 0x1021, 3);
	monout(true, false);
	cr_expect_arr_eq(k.bytes, head, sizeof(head));
	cr_expect_arr_eq(k.bytes + 24, cell, sizeof(cell));
}

/* A buffer may be longer than two bytes of it for two of the range. */
Test(monout, keeps_bins_of_two_bytes_apart)
{
	monout(true, false);
	k.bytes[8] = 0x08;		/* high: 16 bins for 8 bytes */
	k.bytes[16] = 0;		/* no cells, so the bins are more */
	memmove(k.bytes + 24, k.bytes + 56, 32);
	k.size = 56;
	cr_expect_str_eq(classics_read(&k, &c, &f),
	    "1004-1006 5 at 26 of 0\n"
	    "101e-1020 7 at 52 of 0\n");
}

/* Bins are where profil(2) has put the ticks, to the byte. */
Test(monout, has_the_bounds_of_profil)
{
	static const uint64_t texts[] = {1, 2, 3, 1000, 65535, 65536, 200003};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (uint64_t bins = texts[i] / 5 + 1; bins <= texts[i];
		    bins += texts[i] / 3 + 1) {
			const uint32_t scale = monout_scale(bins, texts[i]);
			const struct classic_range r = {
				.low = 0x1000, .scale = scale,
			};
			const struct bins b = { 0x1000, scale, bins, 2 };

			for (uint64_t n = 0; n < bins; n++) {
				uint64_t low = classic_bound(&r, n);
				uint64_t high = classic_bound(&r, n + 1);

				cr_assert_lt(low, high);
				cr_assert_eq(bins_slot(&b, low), n);
				cr_assert_eq(bins_slot(&b, high - 1), n);
				cr_assert_neq(bins_slot(&b, high), n);
			}
		}
}

static void
none(const char *what)
{
	cr_expect_null(classics_read(&k, &c, &f), "%s", what);
	cr_expect_null(f.what, "%s", what);
}

/* Such calls are of a library, say. */
Test(monout, tells_calls_of_other_places)
{
	const char *text;

	monout(true, false);
	monout_put_cell(k.bytes + 40, 0x7f0000001021, 9);
	text = classics_read(&k, &c, &f);
	cr_assert_not_null(text, "%s", f.what);
	cr_expect_str_eq(text, "->1020 3 at 24\n->7f0000001020? 9 at 40\n"
	    "1004-1008 5 at 58 of 0\n1038-103c 7 at 84 of 0\n");
}

Test(monout, takes_nothing_else_for_one)
{
	monout(true, false);
	k.size -= 1;
	none("half a bin");
	k.size = 50;
	none("cells that are not there");
	monout(true, false);
	k.bytes[25] = 0x20;
	none("a call outside of the range");
	monout(true, false);
	k.bytes[9] = 0x0f;
	none("a range that ends before its start");
	classics_init(&k, true, false);
	none("nothing");
	classics_text(&k, "Most text files are none, whatever is in them.\n",
	    47);
	none("text");
	classics_init(&k, true, false);
	classics_zero(&k, 4096);
	none("zeros");
}

Test(monout, survives_damage)
{
	monout(true, false);
	classics_hurt(&k);
	monout(false, true);
	classics_hurt(&k);
}
