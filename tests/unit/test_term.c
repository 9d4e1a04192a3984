/* Context: O.  Tests of core/view/base/term.c. */
#define _GNU_SOURCE		/* posix_openpt */
#include "base/term.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static char *text;
static size_t bytes;

static const char *
shown(const char *in, int width)
{
	struct term t = { .out = open_memstream(&text, &bytes) };

	cr_assert_not_null(t.out);
	term_text(&t, in, width);
	fclose(t.out);
	return text;
}

Test(term, cuts_the_middle_of_what_is_too_wide)
{
	cr_expect_str_eq(shown("abcdefghij", 10), "abcdefghij");
	cr_expect_str_eq(shown("abcdefghijk", 10), "abc...hijk");
	cr_expect_str_eq(shown("abcdefghijk", 0), "abcdefghijk");
}

Test(term, counts_characters_not_bytes)
{
	cr_expect_eq(term_columns("gr\303\266\303\237e"), 5);
	cr_expect_str_eq(shown("gr\303\266\303\237e", 5),
	    "gr\303\266\303\237e");
	cr_expect_str_eq(shown("\303\266\303\266\303\266\303\266\303\266", 4),
	    "...\303\266");
}

/* Two columns each, and an accent that is drawn over the letter before it. */
#define WIDE "\346\227\245"
#define EMOJI "\360\237\230\200"
#define OVER "\314\201"

static void
need_utf8(void)
{
	if (newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0) == (locale_t)0)
		cr_skip("no C.UTF-8");
}

Test(term, counts_columns_not_characters)
{
	need_utf8();
	cr_expect_eq(term_columns(WIDE WIDE), 4);
	cr_expect_eq(term_columns("a" EMOJI "b"), 4);
	cr_expect_eq(term_columns("e" OVER "e" OVER), 2);
	cr_expect_str_eq(shown(WIDE WIDE WIDE, 6), WIDE WIDE WIDE);
	cr_expect_str_eq(shown("e" OVER "fg", 3), "e" OVER "fg");
}

/* No half character, no accent without its letter, and no column too many. */
Test(term, cuts_between_characters)
{
	struct term t = { .out = fopen("/dev/null", "w") };

	need_utf8();
	cr_expect_str_eq(shown(WIDE WIDE WIDE WIDE WIDE WIDE, 10),
	    WIDE "..." WIDE WIDE);
	cr_expect_str_eq(shown("a" WIDE "bcdef" WIDE "g", 9),
	    "a" WIDE "..." WIDE "g");
	cr_expect_str_eq(shown("abe" OVER "cdefe" OVER "gh", 8),
	    "ab...e" OVER "gh");
	cr_expect_str_eq(shown("ae" OVER "bcdeg" OVER "hi", 7),
	    "ae" OVER "...hi");
	cr_assert_not_null(t.out);
	for (int width = 8; width < 18; width++) {
		int put = term_text(&t, WIDE "a" WIDE WIDE "b" OVER WIDE WIDE
		    WIDE "c" WIDE "d", width);

		cr_expect(put == width || put == width - 1, "%d: %d", width,
		    put);
	}
	fclose(t.out);
}

/* The C locale says nothing of names, which are what a file has. */
Test(term, asks_no_locale)
{
	need_utf8();
	for (int i = 0; i < 3; i++) {
		setenv("LC_ALL", i == 0 ? "C" : i == 1 ? "none" : "C.UTF-8",
		    1);
		setlocale(LC_ALL, "");
		cr_expect_eq(term_columns(WIDE EMOJI "e" OVER), 5);
		cr_expect_str_eq(shown(WIDE "\377", 0), WIDE "?");
	}
}

/* Names come from files: they must not command the terminal. */
Test(term, passes_no_control_character)
{
	cr_expect_str_eq(shown("a\033[31mb\nc\177", 0), "a?[31mb?c?");
	/* CSI in UTF-8 and in Latin-1, a lone lead, a cut and a lone tail. */
	cr_expect_str_eq(shown("a\302\23331mb\302\240", 0), "a?31mb\302\240");
	cr_expect_str_eq(shown("\23331m\377\303x\340\244", 0), "?31m??x??");
	cr_expect_str_eq(shown("\342\202\254\360\237\230\200", 0),
	    "\342\202\254\360\237\230\200");
	cr_expect_eq(term_columns("\302\233\342\202\254\377"), 3);
	/* Spelled too long: ESC and CSI; half of a pair; past the last. */
	cr_expect_str_eq(shown("\300\233\340\202\233\360\200\202\233", 0),
	    "?????????");
	cr_expect_str_eq(shown("\355\240\200\364\220\200\200", 0), "???????");
}

static FILE *
terminal(int columns)
{
	struct winsize size = { .ws_row = 20 };
	int master = posix_openpt(O_RDWR | O_NOCTTY);

	size.ws_col = (unsigned short)columns;
	cr_assert_geq(master, 0);
	cr_assert_eq(grantpt(master), 0);
	cr_assert_eq(unlockpt(master), 0);
	cr_assert_eq(ioctl(master, TIOCSWINSZ, &size), 0);
	return fopen(ptsname(master), "w");
}

Test(term, has_width_and_colour_on_a_terminal)
{
	FILE *out = terminal(97);
	struct term t;

	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	term_init(&t, out);
	cr_expect_eq(t.width, 97);
	cr_expect(t.colour);
	cr_expect_str_neq(term_on(&t, TERM_HEAD), "");
	setenv("NO_COLOR", "1", 1);
	term_init(&t, out);
	cr_expect_not(t.colour);
	cr_expect_str_eq(term_on(&t, TERM_HEAD), "");
	setenv("NO_COLOR", "", 1);
	term_init(&t, out);
	cr_expect(t.colour);
	setenv("TERM", "dumb", 1);
	term_init(&t, out);
	cr_expect_not(t.colour);
	fclose(out);
}

Test(term, is_plain_in_a_pipe)
{
	FILE *out = tmpfile();
	struct term t;

	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	term_init(&t, out);
	cr_expect_eq(t.width, 0);
	cr_expect_not(t.colour);
	fclose(out);
}
