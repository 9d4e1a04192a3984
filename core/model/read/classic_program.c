/*
 * Context: O.  Reads and checks the program of a classic profile, for
 * read_classic.c; see classic_program.h.
 */
#include "read/classic_program.h"

#include "read/process_image.h"

#include <stdlib.h>
#include <string.h>

int
classic_program_open(struct read_classic *x)
{
	const char *name = x->file->program != NULL ? x->file->program :
	    READ_CLASSIC_PROGRAM;
	int ret = elf_layout_read(&x->program, name);

	x->known = ret == 0;
	if (x->known) {
		x->path = realpath(name, NULL);
		return x->path != NULL ? 0 : fault_set_no_memory(x->fault);
	}
	memset(&x->program, 0, sizeof(x->program));
	/* Until the format is recognized, assumes words of 64 bits. */
	x->program.wide = true;
	return 0;
}

int
classic_program_check(struct read_classic *x)
{
	int ret = 0;

	if (!x->known && !classic_reader_has_modules(x)) {
		ret = fault_set(x->fault, x->file->program != NULL ?
		    "is a profile of a program that cannot be read" :
		    "is a profile of a program that is not named, and there is "
		    "no a.out here", FAULT_NO_OFFSET, 0);
		x->fault->remedy = "name it: prof PROGRAM FILE";
	} else if (x->known && !classic_reader_has_modules(x) &&
	    (x->classic.wide != x->program.wide ||
	    x->classic.bytes.big != x->program.big)) {
		ret = fault_set(x->fault, "has another word size or byte order "
		    "than the program", 0, 0);
		x->fault->remedy = CLASSIC_PROGRAM_REMEDY;
	}
	return ret;
}

bool
classic_program_is_selected(const struct read_classic *x)
{
	struct model *m = x->model;

	if (filter_is_on(m->filter, FILTER_PID) ||
	    filter_is_on(m->filter, FILTER_THREAD))
		return false;
	if (classic_reader_has_modules(x) ?
	    filter_is_on(m->filter, FILTER_PROGRAM) :
	    !filter_match_text(m->filter, FILTER_PROGRAM,
	    process_image_basename(x->path)))
		return false;
	m->met[FILTER_PROGRAM] = true;
	return true;
}
