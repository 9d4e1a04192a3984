/* Context: O.  Code that the harnesses share. */
#include "fuzz.h"

#include "random.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
fuzz_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
	abort();
}

/* A true file: readers refuse the links of /proc/self/fd. */
const char *
fuzz_file(const uint8_t *data, size_t size)
{
	static const char path[] = "fuzz-input";
	static int fd = -1;

	if (fd < 0)
		fd = open(path, O_CREAT | O_CLOEXEC | O_RDWR, 0600);
	FUZZ_MUST(fd >= 0 && ftruncate(fd, 0) == 0);
	FUZZ_MUST(pwrite(fd, data, size, 0) == (ssize_t)size);
	return path;
}

size_t
fuzz_mutate_bytes(uint8_t *data, size_t size, size_t room, uint64_t *random)
{
	uint32_t at = random_below(random, (uint32_t)size + 1);
	uint32_t count = random_below(random, 32);

	switch (random_below(random, 5)) {
	case 0:					/* a bit */
		if (at < size)
			data[at] ^= (uint8_t)(1u << random_below(random, 8));
		return size;
	case 1:					/* a byte */
		if (at < size)
			data[at] = (uint8_t)random_next(random);
		return size;
	case 2:					/* cut off */
		return at;
	case 3:					/* taken out */
		if (count > size - at)
			count = (uint32_t)size - at;
		memmove(data + at, data + at + count, size - at - count);
		return size - count;
	default:				/* doubled */
		if (count > size - at || count > room - size)
			return size;
		memmove(data + at + count, data + at, size - at);
		return size + count;
	}
}

size_t
fuzz_mutate(uint8_t *data, size_t size, size_t room, unsigned int seed,
    uint32_t own, fuzz_change *change)
{
	uint64_t random = ((uint64_t)seed + 1) * 0x9e3779b97f4a7c15u;
	uint32_t changes = 1 + random_below(&random, 4);

	if (LLVMFuzzerMutate != NULL && random_below(&random, own) == 0)
		return LLVMFuzzerMutate(data, size, room);
	while (changes-- > 0)
		size = change(data, size, room, &random);
	return size;
}
