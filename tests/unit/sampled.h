/* Context: O.  Files of tprof made in memory, for tests. */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "tprof_writer.h"

/*
 *	struct sampled s;
 *	sampled_begin(&s, SAMPLED_HEAD);
 *	tprof_writer_event(&s.put, ...); tprof_writer_sample(&s.put, ...); ...
 *	sampled_end(&s);
 *	... s.bytes, s.size, or sampled_save(&s, path) ...
 *	sampled_free(&s);
 *
 * A test that runs out of memory is aborted.
 */
struct sampled {
	struct tprof_writer put;
	FILE *out;
	char *bytes;
	size_t size;
};

/* The head of a file of another boot, at 1000 s of real time. */
#define SAMPLED_HEAD	"backend=kernel\nscope=tree\ncommand=prog x\n" \
	"host=h\nhz=1000\npid_namespace=1\n" \
	"boot_id=01234567-89ab-cdef-0123-456789abcdef\n"
#define SAMPLED_REAL	1000000000000u

#define SAMPLED_MS	1000000u

void sampled_begin(struct sampled *s, const char *head);
void sampled_end(struct sampled *s);
void sampled_save(const struct sampled *s, const char *path);
void sampled_free(struct sampled *s);

/*
 * A bit of all that there is: process 10 of threads main and worker.  Event 0,
 * cpu-clock, has: 2 ms in the library at 0x1123, called at 0x1456, of which no
 * callers are kept; 3 ms in a kernel function, called by another, called by the
 * library; 4 ms in generated code; 5 ms nowhere.  Event 1 has 7 faults.  1 ms
 * each, sampled at 1001 s, 1002 s and so on.
 */
void sampled_all(struct sampled *s, const char *head);

#endif
