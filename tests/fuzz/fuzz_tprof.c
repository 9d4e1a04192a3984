/* Context: O.  Fuzzes the reader of tprof.out, prof behind it, and tpfmt. */
#include "fuzz.h"

#include "random.h"

#include "derive/calltree.h"
#include "export.h"
#include "findings/findings.h"
#include "names/symbolize.h"
#include "read/read_inputs.h"
#include "report/bracket_names.h"
#include "report/footer.h"
#include "report/report_head.h"
#include "report/tprof_analysis.h"
#include "stack/graphview.h"
#include "table/disambiguate.h"
#include "table/flat_data.h"
#include "classic/tprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *nowhere;

/* The items that an item refers to came before it. */
static void
look_at(const struct tprof_reader *r, const struct tprof_item *i)
{
	struct tprof_module m;

	FUZZ_MUST(i->offset < r->size && r->at <= r->size);
	if (!i->note)
		return;
	FUZZ_MUST(i->text == NULL || i->text[i->text_bytes] == '\0');
	switch (tprof_kind(i->n.flags)) {
	case TPROF_N_NODE:
		FUZZ_MUST(i->n.a < r->nodes && i->n.b <= r->modules);
		break;
	case TPROF_N_PLACE:
		FUZZ_MUST(i->n.a <= r->nodes);
		break;
	case TPROF_N_MODULE:
		if (tprof_module_get(&m, i->text, i->text_bytes))
			FUZZ_MUST(m.path + m.path_bytes ==
			    i->text + i->text_bytes);
	}
}

/* The samples that there are. */
static uint64_t
decode(const uint8_t *data, size_t size, bool *good)
{
	static struct tprof_item item;
	struct tprof_reader r;
	struct fault f = { .what = NULL };
	uint64_t samples = 0;
	int ret = tprof_open(&r, data, size, &f);

	while (ret == 0 && (ret = tprof_next(&r, &item, &f)) == 1) {
		look_at(&r, &item);
		samples += !item.note;
		ret = 0;
	}
	FUZZ_MUST((ret == 0) == (f.what == NULL) && samples <= size / 8);
	FUZZ_MUST(ret == 0 || f.offset == FAULT_NO_OFFSET || f.offset < size);
	*good = ret == 0;
	/* Cut where it says, it can be read. */
	if (ret != 0 && f.offset >= TPROF_RECORD &&
	    f.offset != FAULT_NO_OFFSET) {
		bool cut;

		FUZZ_MUST(decode(data, f.offset, &cut) == samples && cut);
	}
	return samples;
}

static void
ignore_fault(void *arg, const struct fault *f)
{
	(void)arg;
	FUZZ_MUST(f->what != NULL && f->file != NULL && f->errnum == 0);
}

static void
show(struct model *m, unsigned by)
{
	const struct group_options o = { .by = by, .callers = true };
	const struct graph_options all = { .sort = GROUP_SORT_TIME };
	struct calltree tree;
	struct graph graph;
	struct group g;
	struct term term;

	term_init(&term, nowhere);
	FUZZ_MUST(group_make(&g, m, &o) == 0);
	FUZZ_MUST(disambiguate_names(m, &g) == 0);
	flat_data_print(nowhere, DATA_TABLE_JSON, m, &g, o.by, true);
	report_head_print(&term, m, &g);
	FUZZ_MUST(findings_print(&term, m, g.total_ns, true) == 0);
	bracket_names_print(&term, m);
	footer_print(&term, m, &g, true);
	FUZZ_MUST(calltree_make(&tree, m, CALLTREE_TOP_DOWN) == 0);
	FUZZ_MUST(graph_make(&graph, m, &tree, &all) == 0);
	graphview_data(nowhere, DATA_TABLE_CSV, m, &graph, false);
	graph_free(&graph);
	calltree_free(&tree);
	group_free(&g);
}

/*
 * Checks that all samples of a readable file are in the model or belong to
 * others; of a damaged file, those before the damage.
 */
static void
check_sums(const struct model *m, uint64_t samples, bool good)
{
	uint64_t count = 0;

	for (size_t i = 0; i < m->row_count; i++)
		count += m->rows[i].count;
	if (m->sampling_count == 0) {
		FUZZ_MUST(count == 0);
		return;
	}
	FUZZ_MUST(m->samplings->samples == count);
	FUZZ_MUST(m->left_count == 0 ?
	    count + m->samplings->others == samples :
	    count + m->samplings->others <= samples);
	FUZZ_MUST(good || m->left_count == 1);
}

static void
report(const struct input *in, uint64_t samples, bool good, bool write)
{
	struct filter filter = { 0 };
	struct fault f = { 0 };
	struct model m;

	FUZZ_MUST(model_init(&m, &filter, MODEL_KEEP_STACKS |
	    MODEL_KEEP_LINES | MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD |
	    MODEL_KEEP_MOMENTS, DEMANGLE_SHORT) == 0);
	FUZZ_MUST(read_inputs(&m, in, ignore_fault, NULL, NULL) == 0);
	check_sums(&m, samples, good);
	FUZZ_MUST(symbolize_all(&m, NULL, NULL) == 0);
	show(&m, 1u << GROUP_FUNCTION);
	show(&m, (1u << GROUP_COUNT) - 1);
	for (unsigned i = EXPORT_NONE + 1; i < EXPORT_FORMATS; i++)
		if (write && export_has_stacks((enum export_format)i))
			FUZZ_MUST(export_write(&m, NULL, NULL,
			    (enum export_format)i, "/dev/null", &f) == 0 ||
			    f.what != NULL);
	model_free(&m);
}

static void
list(const uint8_t *data, size_t size, bool good)
{
	const struct tprof_analysis_file file = { "f", data, size };
	struct tprof_analysis_options o = { .symbols = false };

	for (unsigned i = 0; i < 2; i++) {
		struct fault f = { .what = NULL };
		bool cut;
		int ret = tprof_analysis_print(nowhere, &file, &o, &cut, &f);

		FUZZ_MUST(ret == 0 || f.what != NULL);
		FUZZ_MUST(good || f.what != NULL);
		o.symbols = o.merge_cpus = o.merge_lwps =
		    o.merge_processes = true;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input_file file = { .path = strdup(fuzz_file(data, size)),
		.named = true };
	struct input in = { .files = &file, .count = 1, .room = 1,
		.read = IMPORT_TPROF };
	uint64_t samples;
	bool good;

	if (nowhere == NULL)
		nowhere = fopen("/dev/null", "w");
	FUZZ_MUST(nowhere != NULL && file.path != NULL);
	samples = decode(data, size, &good);
	report(&in, samples, good, size % 16 == 8);
	list(data, size, good);
	free(file.path);
	return 0;
}

/* Records keep what they are, but for what a bit or a field says. */
static size_t
mutate_records(uint8_t *data, size_t size, size_t room, uint64_t *random)
{
	const uint32_t count = (uint32_t)(size / TPROF_RECORD);
	uint8_t *at = count == 0 ? data : data + (size_t)TPROF_RECORD *
	    random_below(random, count);
	const uint8_t *other = count == 0 ? data : data +
	    (size_t)TPROF_RECORD * random_below(random, count);
	const size_t after = size - (size_t)(at - data);

	if (count == 0)
		return fuzz_mutate_bytes(data, size, room, random);
	switch (random_below(random, 5)) {
	case 0:					/* a field is small */
		memset(at + 4 * random_below(random, 6), 0, 4);
		at[4 * random_below(random, 6)] =
		    (uint8_t)random_below(random, 16);
		return size;
	case 1:					/* or is another item's */
		memcpy(at, other, 4 + 4 * random_below(random, 6));
		return size;
	case 2:					/* taken out */
		memmove(at, at + TPROF_RECORD, after - TPROF_RECORD);
		return size - TPROF_RECORD;
	case 3:					/* doubled */
		if (room - size < TPROF_RECORD)
			return size;
		memmove(at + TPROF_RECORD, at, after);
		return size + TPROF_RECORD;
	default:				/* another kind */
		at[15] = (uint8_t)random_below(random, 16);
		at[12] = (uint8_t)random_below(random, 16);
		return size;
	}
}

/* Changes records, and now and then bytes. */
static size_t
change_tprof(uint8_t *data, size_t size, size_t room, uint64_t *random)
{
	return random_below(random, 4) == 0 ?
	    fuzz_mutate_bytes(data, size, room, random) :
	    mutate_records(data, size, room, random);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
    unsigned int seed)
{
	return fuzz_mutate(data, size, room, seed, 4, change_tprof);
}
