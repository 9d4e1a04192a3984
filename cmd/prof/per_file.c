/*
 * Context: O.  Checks, describes or embeds each file by itself, for run_prof()
 * of prof.c; see per_file.h.
 */
#include "prof/per_file.h"

#include "base/term.h"
#include "embed.h"
#include "load.h"
#include "report/check.h"
#include "report/info.h"

#include <inttypes.h>

size_t
per_file_print(const struct per_file *x, FILE *out)
{
	struct data_table s;
	size_t good = 0;

	data_table_init(&s, out, x->set->form);
	data_table_column(&s, "file");
	data_table_column(&s, "key");
	data_table_column(&s, "value");
	for (size_t i = 0; i < x->in->count; i++) {
		const struct input_file *file = &x->in->files[i];
		struct fault f = { 0 };
		int ret = x->set->check ? check_file(out, file->path, &f) :
		    info_file(out, s.form == DATA_TABLE_NONE ? NULL : &s,
		    file->path, &f);

		good += ret == 0;
		if (ret < 0 || (ret == LOAD_OTHER && file->named))
			x->fault(x->arg, &f);
	}
	if (s.form != DATA_TABLE_NONE)
		data_table_end(&s);
	return good;
}

size_t
per_file_embed(const struct per_file *x)
{
	/* Standard output may be the destination of the profile. */
	const struct term out = {
		.out = x->set->output != NULL ? stderr : stdout,
	};
	size_t good = 0;

	for (size_t i = 0; i < x->in->count; i++) {
		const struct input_file *file = &x->in->files[i];
		struct embed_sum sum;
		struct fault f = { 0 };
		int ret;

		if (x->set->output != NULL && x->in->count > 1)
			ret = fault_set(&f, "is one of several profiles, and "
			    "--output takes one", FAULT_NO_OFFSET, 0);
		else
			ret = embed(file->path, x->set->output, &sum, &f);
		good += ret == 0;
		if (ret < 0 || (ret == LOAD_OTHER && file->named)) {
			if (f.file == NULL)
				f.file = file->path;
			x->fault(x->arg, &f);
		}
		if (ret != 0)
			continue;
		term_text(&out, file->path, 0);
		fprintf(out.out, ": names of %" PRIu64 " of %" PRIu64
		    " places, %" PRIu64 " bytes\n", sum.named, sum.places,
		    sum.bytes);
	}
	return good;
}
