/* Context: O.  Tests of prof --write=pprof, as protobuf-c reads it. */
#include "command.h"

#include <criterion/criterion.h>
#include <pprof.pb-c.h>
#include <string.h>
#include <zlib.h>

static Pprof__Profile *p;
static unsigned char bytes[1 << 20];

static void
teardown(void)
{
	if (p != NULL)
		pprof__profile__free_unpacked(p, NULL);
	compile_fini();
}

TestSuite(prof_pprof, .init = command_init, .fini = teardown);

static void
read_profile(const char *name)
{
	gzFile in = gzopen(compile_path(name), "rb");
	int n;

	cr_assert_not_null(in);
	n = gzread(in, bytes, sizeof(bytes));
	cr_assert_gt(n, 0);
	cr_assert_lt(n, (int)sizeof(bytes));
	cr_assert_eq(gzclose(in), Z_OK);
	p = pprof__profile__unpack(NULL, (size_t)n, bytes);
	cr_assert_not_null(p);
}

static const char *
text(int64_t number)
{
	cr_assert(number >= 0 && (size_t)number < p->n_string_table);
	return p->string_table[number];
}

static const Pprof__Location *
location(uint64_t id)
{
	for (size_t i = 0; i < p->n_location; i++)
		if (p->location[i]->id == id)
			return p->location[i];
	cr_assert(false, "no location %ju", (uintmax_t)id);
	return NULL;
}

static const Pprof__Function *
function(uint64_t id)
{
	for (size_t i = 0; i < p->n_function; i++)
		if (p->function[i]->id == id)
			return p->function[i];
	cr_assert(false, "no function %ju", (uintmax_t)id);
	return NULL;
}

static const Pprof__Mapping *
mapping(uint64_t id)
{
	for (size_t i = 0; i < p->n_mapping; i++)
		if (p->mapping[i]->id == id)
			return p->mapping[i];
	cr_assert(false, "no mapping %ju", (uintmax_t)id);
	return NULL;
}

/* "leaf;caller": of a sample. */
static const char *
path(const Pprof__Sample *s)
{
	static char room[1024];

	room[0] = '\0';
	for (size_t i = 0; i < s->n_location_id; i++) {
		const Pprof__Location *l = location(s->location_id[i]);

		for (size_t k = 0; k < l->n_line; k++) {
			strcat(room, room[0] != '\0' ? ";" : "");
			strcat(room, text(function(
			    l->line[k]->function_id)->name));
		}
	}
	return room;
}

static const Pprof__Sample *
sample(const char *wanted, const char *thread)
{
	for (size_t i = 0; i < p->n_sample; i++) {
		const Pprof__Sample *s = p->sample[i];

		for (size_t k = 0; k < s->n_label; k++)
			if (strcmp(text(s->label[k]->key), "thread") == 0 &&
			    strcmp(text(s->label[k]->str), thread) == 0 &&
			    strcmp(path(s), wanted) == 0)
				return s;
	}
	return NULL;
}

/* Two threads; main calls leaf. */
static void
save(const char *name, const char *thread)
{
	struct build b;
	uint32_t m, root, top;

	build_init(&b);
	m = build_module(&b, "/nowhere/prog", 0x7000, 0x10000);
	for (int tid = 1; tid <= 2; tid++) {
		root = build_root(&b, build_thread(&b, tid,
		    tid == 1 ? "main" : thread));
		top = build_node(&b, root, FORMAT_FRAME, m, 0x101, 0, 0);
		build_node(&b, top, FORMAT_USER, m, 0x400, 60u * (unsigned)tid,
		    600 * MS * (unsigned)tid);
		build_node(&b, root, FORMAT_USER, m, 0x100, 5, 50 * MS);
	}
	build_header(&b)->cpu_ns = 1900 * MS;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

Test(prof_pprof, has_every_sample)
{
	const Pprof__Sample *s;

	save("mon.out", "worker");
	cr_assert_eq(prof("--write=pprof -o out.pb.gz mon.out"), 0, "%s", err);
	read_profile("out.pb.gz");
	cr_expect_str_eq(text(0), "");
	cr_assert_eq(p->n_sample_type, 2);
	cr_expect_str_eq(text(p->sample_type[0]->type), "samples");
	cr_expect_str_eq(text(p->sample_type[0]->unit), "count");
	cr_expect_str_eq(text(p->sample_type[1]->type), "cpu");
	cr_expect_str_eq(text(p->sample_type[1]->unit), "nanoseconds");
	cr_expect_eq(p->n_sample, 4);
	s = sample("prog+0x400;prog+0x100", "main");
	cr_assert_not_null(s);
	cr_expect_eq(s->value[0], 60);
	cr_expect_eq(s->value[1], 600 * MS);
	s = sample("prog+0x400;prog+0x100", "worker");
	cr_assert_not_null(s);
	cr_expect_eq(s->value[0], 120);
	cr_expect_eq(s->value[1], 1200 * MS);
	cr_expect_not_null(sample("prog+0x100", "worker"));
}

/* The call of a caller and a sample at that very place are one location. */
Test(prof_pprof, has_each_place_once)
{
	const Pprof__Mapping *m;

	save("mon.out", "worker");
	cr_assert_eq(prof("--write=pprof -o out.pb.gz mon.out"), 0, "%s", err);
	read_profile("out.pb.gz");
	cr_assert_eq(p->n_location, 2);
	cr_assert_eq(p->n_mapping, 1);
	cr_assert_eq(p->n_function, 2);
	m = mapping(p->location[0]->mapping_id);
	cr_expect_str_eq(text(m->filename), "/nowhere/prog");
	for (size_t i = 0; i < 2; i++) {
		cr_expect_geq(p->location[i]->address, m->memory_start);
		cr_expect_lt(p->location[i]->address, m->memory_limit);
	}
	cr_expect_eq(p->location[0]->address ^ p->location[1]->address,
	    0x400 ^ 0x100);
}

Test(prof_pprof, is_of_what_was_picked)
{
	save("mon.out", "worker");
	cr_assert_eq(prof("--write=pprof -o out.pb.gz --thread=worker "
	    "--focus='*400'"), 0, "%s", err);
	read_profile("out.pb.gz");
	cr_assert_eq(p->n_sample, 1);
	cr_expect_not_null(sample("prog+0x400;prog+0x100", "worker"));
}

/* protobuf's texts are UTF-8, names of threads need not be. */
Test(prof_pprof, texts_are_utf8)
{
	save("mon.out", "a\xff\xc3\xa9");
	cr_assert_eq(prof("--write=pprof -o out.pb.gz mon.out"), 0, "%s", err);
	read_profile("out.pb.gz");
	cr_expect_not_null(sample("prog+0x100", "a\xef\xbf\xbd\xc3\xa9"));
}
