/* Context: O.  Makes the seeds of the tprof corpus: seeds_tprof DIRECTORY. */
#include "sampled.h"

#include <err.h>
#include <stdio.h>

static const char *directory;

static void
save(const char *name, const void *bytes, size_t size)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = fopen(path, "w");
	if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
		err(1, "%s", path);
}

static void
netbsd(void)
{
	static const struct tprof_record records[] = {
		{ 7, 8, 0, TPROF_F_KERNEL, 0xffffffff80000010 },
		{ 7, 9, 1, 0, 0x400010 },
		{ 7, 9, 1, 1u << TPROF_KIND_SHIFT, 0x400010 },
	};
	static const uint64_t counters[] = {
		0xffffffff80000010, 0xffffffff80000020, 0xffffffff80000010,
	};
	unsigned char bytes[sizeof(records)];

	for (size_t i = 0; i < 3; i++)
		tprof_put_record(bytes + i * TPROF_RECORD, &records[i]);
	save("netbsd", bytes, sizeof(bytes));
	save("counters", counters, sizeof(counters));
}

int
main(int argc, char **argv)
{
	struct sampled s;

	if (argc != 2)
		errx(2, "usage: seeds_tprof DIRECTORY");
	directory = argv[1];
	sampled_all(&s, SAMPLED_HEAD);
	save("all", s.bytes, s.size);
	save("cut", s.bytes, s.size / 2);
	sampled_free(&s);
	sampled_begin(&s, "");
	sampled_end(&s);
	save("empty", s.bytes, s.size);
	sampled_free(&s);
	netbsd();
	return 0;
}
