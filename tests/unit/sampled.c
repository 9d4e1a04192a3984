/* Context: O.  Files of tprof made in memory, for tests. */
#include "sampled.h"

#include "format.h"

#include <stdlib.h>
#include <string.h>

static void
must(bool holds)
{
	if (!holds)
		abort();
}

void
sampled_begin(struct sampled *s, const char *head)
{
	s->out = open_memstream(&s->bytes, &s->size);
	must(s->out != NULL);
	tprof_writer_begin(&s->put, s->out, head, SAMPLED_REAL);
}

void
sampled_end(struct sampled *s)
{
	struct fault f;

	must(tprof_writer_end(&s->put, 0, 99 * 1000000000ull, &f) == 0);
	must(fclose(s->out) == 0);
	tprof_writer_free(&s->put);
}

void
sampled_save(const struct sampled *s, const char *path)
{
	FILE *out = fopen(path, "w");

	must(out != NULL && fwrite(s->bytes, 1, s->size, out) == s->size &&
	    fclose(out) == 0);
}

void
sampled_free(struct sampled *s)
{
	free(s->bytes);
}

static void
times(struct sampled *s, const struct tprof_writer_sample *sample,
    unsigned count)
{
	static uint64_t second;

	/* The head is written once a file. */
	if (s->put.stats[TPROF_S_SAMPLE] == 0)
		second = 0;
	for (unsigned i = 0; i < count; i++) {
		struct tprof_writer_sample own = *sample;

		own.time = ++second * 1000000000u;
		own.weight = own.event == 0 ? SAMPLED_MS : 1;
		s->put.stats[TPROF_S_SAMPLE]++;
		tprof_writer_sample(&s->put, &own);
	}
}

static uint32_t
modules(struct sampled *s)
{
	struct tprof_module own = {
		.build_id = { 0xab, 0xcd }, .build_id_bytes = 2,
		.device = 8ull << 32 | 1, .inode = 77,
		.seen = SAMPLED_REAL, .path = "/none/lib.so",
	};

	own.path_bytes = (uint32_t)strlen(own.path);
	return tprof_writer_module(&s->put, &own, TPROF_M_BIASED, 0x1000);
}

static void
samples(struct sampled *s, uint32_t lib)
{
	const struct tprof_writer_frame user[] = {
		{ lib, 0, 0x123 }, { lib, TPROF_F_CALLER, 0x456 },
		{ 0, TPROF_F_CUT, FORMAT_CUT_DEPTH },
	};
	const struct tprof_writer_frame kernel[] = {
		{ 0, TPROF_F_KERNEL, 0xffffffff81000010 },
		{ 0, TPROF_F_KERNEL | TPROF_F_CALLER, 0xffffffff81000120 },
		{ lib, TPROF_F_CALLER, 0x456 },
	};
	const struct tprof_writer_frame made[] = { { 0, 0, 0x5000 } };
	struct tprof_writer_sample own = { .pid = 10, .tid = 10, .cpu = 1 };

	own.pc = 0x7f0000000123;
	own.frames = user;
	own.depth = 3;
	times(s, &own, 2);
	own.tid = 11;
	own.kernel = true;
	own.pc = kernel->address;
	own.frames = kernel;
	times(s, &own, 3);
	own.kernel = false;
	own.pc = made->address;
	own.frames = made;
	own.depth = 1;
	times(s, &own, 4);
	own.cpu = TPROF_CPU_UNKNOWN;
	own.pc = 0x6000;
	own.depth = 0;
	times(s, &own, 5);
	own.cpu = 0;
	own.tid = 10;
	own.event = 1;
	own.pc = 0x7f0000000123;
	own.frames = user;
	own.depth = 3;
	times(s, &own, 7);
}

void
sampled_all(struct sampled *s, const char *head)
{
	sampled_begin(s, head);
	tprof_writer_event(&s->put, 0, "cpu-clock", true, SAMPLED_MS);
	tprof_writer_event(&s->put, 1, "faults:u", false, 1);
	tprof_writer_process(&s->put, 10, 1000, SAMPLED_REAL, "/bin/prog");
	tprof_writer_thread(&s->put, 10, 10, "main");
	tprof_writer_thread(&s->put, 10, 11, "worker");
	tprof_writer_name(&s->put, 0xffffffff81000000, 0x100, "inner");
	tprof_writer_name(&s->put, 0xffffffff81000100, 0x20, "outer");
	samples(s, modules(s));
	tprof_writer_count(&s->put, 0, 1, 21 * SAMPLED_MS);
	tprof_writer_loss(&s->put, 6, "the program wrote over it");
	tprof_writer_loss(&s->put, 1, "moments: no room");
	s->put.stats[TPROF_S_OVERFLOW] = 8;
	sampled_end(s);
}
