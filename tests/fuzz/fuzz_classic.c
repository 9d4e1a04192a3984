/* Context: O.  Fuzzes the readers of classic files, and prof behind them. */
#include "fuzz.h"


#include "export.h"
#include "names/symbolize.h"
#include "read/read_inputs.h"
#include "stack/graphview.h"
#include "table/flat_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct seen {
	uint64_t size;
	uint64_t modules, others;
};

static int
on_bin(void *arg, const struct classic_bin *bin)
{
	struct seen *s = arg;

	FUZZ_MUST(bin->count != 0 && bin->low != bin->high);
	FUZZ_MUST(bin->offset + 2 <= s->size);
	s->others++;
	return 0;
}

static int
on_arc(void *arg, const struct classic_arc *arc)
{
	struct seen *s = arg;

	FUZZ_MUST(arc->count != 0 && arc->offset < s->size);
	s->others++;
	return 0;
}

static int
on_module(void *arg, const struct classic_module *m)
{
	struct seen *s = arg;

	FUZZ_MUST(m->end >= m->start);
	FUZZ_MUST(memchr(m->path, '\0', m->path_bytes + 1) ==
	    m->path + m->path_bytes);
	s->modules++;
	return 0;
}

/* A file that the open has checked can be read, and is bounded by the file. */
static void
decode(const uint8_t *data, size_t size, bool wide, bool big)
{
	struct seen s = { .size = size };
	const struct classic_sink sink = { &s, on_bin, on_arc, on_module };
	struct fault f = { 0 };
	struct classic c;
	const struct classic_program program = { wide, big, 0x1000, 0x9000 };
	int ret = classic_open(&c, data, size, &program, &f);

	FUZZ_MUST(ret == 0 || ret == CLASSIC_OTHER || ret < 0);
	FUZZ_MUST(ret >= 0 || (f.what != NULL && f.offset <= size));
	if (ret != 0)
		return;
	FUZZ_MUST(classic_name(c.kind) != NULL);
	FUZZ_MUST(classic_read(&c, &sink, &f) == 0);
	FUZZ_MUST(s.others <= size && s.modules <= size);
}

/* 64 KiB of code at 0x1000, and nothing else: the seeds are of it. */
static const char *
program(void)
{
	static const char path[] = "fuzz-program";
	static const Elf64_Ehdr e = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = 1,
		.e_entry = 0x1000, .e_phoff = sizeof(Elf64_Ehdr),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
	};
	static const Elf64_Phdr p = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x1000,
		.p_filesz = sizeof(e) + sizeof(p), .p_memsz = 0x10000,
	};
	static bool made;
	FILE *out;

	if (made)
		return path;
	out = fopen(path, "w");
	FUZZ_MUST(out != NULL && fwrite(&e, sizeof(e), 1, out) == 1 &&
	    fwrite(&p, sizeof(p), 1, out) == 1 && fclose(out) == 0);
	made = true;
	return path;
}

static void
ignore_fault(void *arg, const struct fault *f)
{
	(void)arg;
	FUZZ_MUST(f->what != NULL && f->file != NULL && f->errnum == 0);
}

static void
ignore_progress(void *arg, size_t done, size_t all, const char *what)
{
	(void)arg;
	FUZZ_MUST(done <= all && what != NULL);
}

static void
show(struct model *m, FILE *nowhere)
{
	const struct group_options o = { .by = 1u << GROUP_ADDRESS,
		.callers = true };
	const struct graph_options all = { .sort = GROUP_SORT_TIME };
	struct calltree tree;
	struct graph graph;
	struct group g;

	FUZZ_MUST(group_make(&g, m, &o) == 0);
	flat_data_print(nowhere, DATA_TABLE_JSON, m, &g, o.by, true);
	FUZZ_MUST(calltree_make(&tree, m, CALLTREE_TOP_DOWN) == 0);
	FUZZ_MUST(graph_make(&graph, m, &tree, &all) == 0);
	graphview_data(nowhere, DATA_TABLE_CSV, m, &graph, false);
	graph_free(&graph);
	calltree_free(&tree);
	group_free(&g);
}

/* Read, shown, and written in each format. */
static void
report(const struct input *in, FILE *nowhere)
{
	struct filter filter = { 0 };
	struct fault f = { 0 };
	struct model m;

	FUZZ_MUST(model_init(&m, &filter, MODEL_KEEP_ARCS, DEMANGLE_SHORT)
	    == 0);
	FUZZ_MUST(read_inputs(&m, in, ignore_fault, ignore_progress, NULL)
	    == 0);
	FUZZ_MUST(symbolize_all(&m, NULL, NULL) == 0);
	show(&m, nowhere);
	for (unsigned i = EXPORT_NONE + 1; i < EXPORT_FORMATS; i++)
		FUZZ_MUST(export_write(&m, NULL, NULL, (enum export_format)i,
		    "/dev/null", &f) == 0 || (f.what != NULL &&
		    f.file != NULL));
	model_free(&m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *nowhere;
	char *programs[] = { strdup(program()) };
	struct input_file file = { .path = strdup(fuzz_file(data, size)),
		.named = true };
	struct input in = { .files = &file, .count = 1, .room = 1,
		.programs = programs, .program_count = 1 };

	if (nowhere == NULL)
		nowhere = fopen("/dev/null", "w");
	FUZZ_MUST(nowhere != NULL && file.path != NULL && programs[0] != NULL);
	for (unsigned i = 0; i < 4; i++)
		decode(data, size, i % 2 != 0, i / 2 != 0);
	report(&in, nowhere);
	free(file.path);
	free(programs[0]);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
    unsigned int seed)
{
	return fuzz_mutate(data, size, room, seed, 2, fuzz_mutate_bytes);
}
