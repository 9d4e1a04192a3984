/* Context: O.  See addr2line.h. */
#include "addr2line.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const SOURCE =
	"#include <stdlib.h>\n"
	"static inline int third(int n)\n"
	"{\n"
	"	int s = 0;\n"
	"	for (int i = 0; i < n; i++) {\n"
	"		int k = i * n;\n"
	"		s += k ^ (s >> 3);\n"
	"	}\n"
	"	return s;\n"
	"}\n"
	"static inline int second(int n)\n"
	"{\n"
	"	return third(n + 1) *\n"
	"	    third(n + 2);\n"
	"}\n"
	"static inline int first(int n) { return second(n) + 1; }\n"
	"int *table;\n"
	"__attribute__((noinline)) int alone(int n)\n"
	"{\n"
	"	if (__builtin_expect(n == 12345, 0))\n"
	"		abort();\n"
	"	return first(n) +\n"
	"	    table[first(n + 3) & 7];\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	(void)argv;\n"
	"	table = calloc(8, sizeof *table);\n"
	"	return alone(argc) + first(argc) == 77;\n"
	"}\n";

bool is_cxx;

bool
lines_next(struct told *t)
{
	t->ended = fgets(t->line, sizeof t->line, t->list) == NULL;
	if (!t->ended)
		t->line[strcspn(t->line, "\n")] = '\0';
	return !t->ended;
}

bool
lines_is_address(const struct told *t)
{
	return t->ended || strncmp(t->line, "0x", 2) == 0;
}

bool
lines_same_line(const struct lines_frame *f, const char *told)
{
	const char *colon = strrchr(told, ':');
	unsigned long line = colon == NULL ? 0 : strtoul(colon + 1, NULL, 10);
	size_t bytes = colon == NULL ? 0 : (size_t)(colon - told);

	if (f->line != line)
		return false;
	/* Lines that this file has not: it takes one for another. */
	if (line > SOURCE_LINES && bytes > 8 &&
	    strncmp(colon - 8, "/prog.cc", 8) == 0)
		return true;
	return line == 0 || (f->file != NULL && strlen(f->file) == bytes &&
	    strncmp(f->file, told, bytes) == 0);
}

bool
lines_same_name(const struct lines_frame *f, const char *told)
{
	return f->function == NULL || strcmp(f->function, told) == 0 ||
	    (is_cxx && strncmp(f->function, "_Z", 2) != 0);
}

bool
lines_same_place(const struct lines *l, size_t i, struct told *t)
{
	const struct lines_place *p = &l->places[i];
	bool same = true;
	unsigned k;

	for (k = 0; lines_next(t) && !lines_is_address(t); k++) {
		bool name;

		if (k == p->count) {
			/* It knows a name, of the symbol table, and no line. */
			lines_next(t);
			same &= p->count == 0 &&
			    strcspn(t->line, "?") < strlen(t->line);
			continue;
		}
		name = lines_same_name(&l->frames[p->first + k], t->line);
		lines_next(t);
		same &= name && lines_same_line(&l->frames[p->first + k],
		    t->line);
	}
	return same && (k == p->count || p->count == 0);
}

size_t
lines_ask(struct symbol *asked, const struct elf_file *f, const char *name)
{
	FILE *list = fopen(compile_path("asked"), "w");
	Elf64_Shdr text;
	size_t count;

	cr_assert(elf_file_header(elf_file_section(f, name), &text));
	count = text.sh_size < ASKED_MOST ? text.sh_size : ASKED_MOST;
	for (size_t i = 0; i < count; i++) {
		asked[i].address = text.sh_addr + i;
		fprintf(list, "%#jx\n", (uintmax_t)asked[i].address);
	}
	fclose(list);
	return count;
}

void
lines_hold_against(const char *name, const char *reference, const char *what)
{
	struct symbol *asked = calloc(ASKED_MOST, sizeof *asked);
	struct told t = { .list = NULL };
	struct arena arena = { .chunk = NULL };
	struct elf_file f;
	struct lines l;
	char command[256];
	size_t count, different = 0, inlined = 0, known = 0;

	cr_assert_eq(elf_file_open(&f, compile_path(name)), 0);
	count = lines_ask(asked, &f, ".text");
	snprintf(command, sizeof command, "addr2line -afi -e %s <asked >told",
	    reference);
	cr_assert_eq(compile_run(command), 0);
	t.list = fopen(compile_path("told"), "r");
	cr_assert(lines_next(&t));
	cr_assert_eq(lines_read(&l, &f, NULL, asked, count, &arena), 0);
	for (size_t i = 0; i < count; i++) {
		cr_assert_eq(strtoull(t.line, NULL, 16), asked[i].address);
		different += !lines_same_place(&l, i, &t);
		known += l.places[i].count != 0;
		inlined += l.places[i].count > 1;
	}
	cr_expect(different == 0, "%s: %zu of %zu differ", what, different,
	    count);
	cr_expect_gt(known, count / 3, "%s: %zu of %zu known", what, known,
	    count);
	cr_expect(strstr(what, "-O0") != NULL || inlined > 20,
	    "%s: %zu inlined", what, inlined);
	fclose(t.list);
	lines_free(&l);
	arena_free(&arena);
	elf_file_close(&f);
	free(asked);
}

void
lines_by_flags(const char *flags)
{
	compile_source("prog", ".c", flags, SOURCE);
	lines_hold_against("prog", "prog", flags);
}
