/* Context: O.  Finds the profiles that prof(1) reads; see prof_input.h. */
#include "prof/prof_input.h"

#include "defaults_file.h"

void
prof_input_find(struct prof_state *p, struct input *in, const char **names,
    size_t count)
{
	struct fault f = { 0 };

	for (size_t i = 0; i < count; i++)
		if (input_add(in, names[i], &f) != 0)
			prof_state_report(p, &f);
	/* A program alone does not say where its profile is. */
	if (in->program_count == count && input_add_default(in, &f) != 0)
		prof_state_report(p, &f);
}

static bool
has_stop_default(const char *directory)
{
	struct format_defaults o;
	struct fault f;

	return defaults_file_read(directory, &o, &f) == 0 &&
	    (o.what & FORMAT_D_STATE) != 0 && o.stop != 0;
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
		f.remedy = "run the program with LD_PRELOAD=libmon.so, or "
		    "name a file";
		prof_state_report(p, &f);
	}
	for (size_t i = 0; i < count; i++) {
		fault_set(&f, "no profile in it", FAULT_NO_OFFSET, 0);
		f.file = names[i];
		f.remedy = has_stop_default(names[i]) ? "processes there have "
		    "the order to count nothing; prof --control DIRECTORY "
		    "start ends it" :
		    "a process that counted nothing leaves none";
		prof_state_report(p, &f);
	}
}
