/*
 * Context: O.  Makes the seeds of the classic corpus: seeds_classic DIRECTORY.
 *
 * Kept beside what it made; the formats will not change any more.
 */
#include "classics.h"

#include <err.h>
#include <stdio.h>

static const struct {
	const char *name;
	void (*make)(struct classics *k, uint64_t low);
	bool narrow;		/* is there one of 32 bits? */
} kinds[] = {
	{ "gmon", classics_gmon, true },
	{ "sprof", classics_sprof, true },
	{ "bsd", classics_bsd, true },
	{ "bsd-old", classics_bsd_old, true },
	{ "monout", classics_monout, true },
	{ "prof", classics_prof, false },
};

int
main(int argc, char **argv)
{
	if (argc != 2)
		errx(2, "usage: seeds_classic DIRECTORY");
	for (size_t i = 0; i < 4 * sizeof(kinds) / sizeof(kinds[0]); i++) {
		bool wide = i % 2 == 0, big = i / 2 % 2 != 0;
		struct classics k;
		char path[4096];
		FILE *f;

		if (!wide && !kinds[i / 4].narrow)
			continue;
		classics_init(&k, wide, big);
		kinds[i / 4].make(&k, 0x1000);
		snprintf(path, sizeof(path), "%s/%s-%d-%s", argv[1],
		    kinds[i / 4].name, wide ? 64 : 32, big ? "big" : "little");
		f = fopen(path, "w");
		if (f == NULL || fwrite(k.bytes, 1, k.size, f) != k.size ||
		    fclose(f) != 0)
			err(1, "%s", path);
	}
	return 0;
}
