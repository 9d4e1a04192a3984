/*
 * Context: O.  Finds the profiles that prof(1) reads, and says why there are
 * none, for prof.c and prof_diff.c; see prof_input.h.
 */
#include "prof/prof_input.h"

#include "defaults_file.h"
#include "decode/foreign_magic.h"
#include "elf/elf_layout.h"
#include "prof/prof_words.h"
#include "read_file.h"

#include <elf.h>
#include <limits.h>
#include <unistd.h>

/* Returns whether a file is a core dump, which is an ELF file, too. */
static bool
is_core_dump(const char *path)
{
	Elf64_Ehdr e = { 0 };

	return elf_layout_is_elf(path) && read_file_head(path,
	    (unsigned char *)&e, sizeof(e)) >= EI_NIDENT + sizeof(e.e_type) &&
	    e.e_type == ET_CORE;
}

void
prof_input_find(struct prof_state *p, struct input *in, const char **names,
    size_t count)
{
	struct fault f = { 0 };

	for (size_t i = 0; i < count; i++)
		if (prof_words_explain(names[i], &f) ||
		    (is_core_dump(names[i]) ? input_add_files :
		    input_add)(in, names[i], &f) != 0)
			prof_state_report(p, &f);
	/* A program alone does not say where its profile is. */
	if (in->program_count == count && input_add_default(in, &f) != 0)
		prof_state_report(p, &f);
}

void
prof_input_print_empty(FILE *out, const char **names, size_t count)
{
	const char *directory = input_profdir();
	char here[PATH_MAX] = "the current directory";

	fputs("nothing has been counted yet in ", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i == 0 ? "" : ", ", names[i]);
	if (count == 0 && directory != NULL)
		fprintf(out, "%s (PROFDIR)", directory);
	if (count == 0 && directory == NULL)
		fputs(getcwd(here, sizeof(here)) != NULL ? here :
		    "the current directory", out);
	fputs("\nprof looks there each second; Ctrl-C ends it.  prof record "
	    "COMMAND starts a program\nthat counts, and tprof top PID shows "
	    "any process.\n", out);
}

/* Returns whether the directory defaults make new processes count nothing. */
static bool
has_stop_default(const char *directory)
{
	struct format_defaults o;
	struct fault f;

	return defaults_file_read(directory, &o, &f) == 0 &&
	    (o.what & FORMAT_D_STATE) != 0 && o.stop != 0;
}

/*
 * Returns whether a file is of a known kind that is no profile.  Sets *f to
 * that if so.
 */
static bool
is_foreign_file(const char *path, struct fault *f)
{
	unsigned char first[32];

	return foreign_magic_refuse(first, read_file_head(path, first,
	    sizeof(first)), f) != 0;
}

void
prof_input_report_none(struct prof_state *p, const char **names, size_t count)
{
	const char *directory = input_profdir();
	struct fault f;

	if (p->status != EXIT_GOOD)
		return;
	if (count == 0 && directory != NULL) {
		names = &directory;
		count = 1;
	}
	if (count == 0) {
		fault_set(&f, "no profile found", FAULT_NO_OFFSET, 0);
		f.remedy = access(INPUT_RECORD_DIRECTORY ".old", F_OK) == 0 ?
		    "the run before is in "
		    INPUT_RECORD_DIRECTORY ".old" :
		    access("tprof.out", F_OK) == 0 ? "tprof has written "
		    "tprof.out: prof tprof.out" :
		    "prof record COMMAND runs and records one; or name a file";
		prof_state_report(p, &f);
	}
	for (size_t i = 0; i < count; i++) {
		if (is_foreign_file(names[i], &f)) {
			f.file = names[i];
			prof_state_report(p, &f);
			continue;
		}
		fault_set(&f, "no profile in it", FAULT_NO_OFFSET, 0);
		f.file = names[i];
		f.remedy = has_stop_default(names[i]) ? "processes there have "
		    "the order to count nothing; prof --control DIRECTORY "
		    "start ends it" :
		    "static and setuid programs, and those that ran for a "
		    "few ms, leave none; prof record COMMAND says so";
		prof_state_report(p, &f);
	}
}
