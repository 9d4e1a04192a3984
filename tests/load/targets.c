/*
 * Context: load.  Prints the address of each jump target that core/entry finds
 * in an ELF file: targets FILE.
 */
#include "load.h"

#include "jump_targets.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>

static void *
map_file(const char *name, size_t *bytes)
{
	struct stat st;
	void *map;
	int fd;

	LOAD_TRY(fd = open(name, O_RDONLY | O_CLOEXEC));
	LOAD_TRY(fstat(fd, &st));
	*bytes = (size_t)st.st_size;
	map = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		load_die("mmap");
	return map;
}

int
main(int argc, char **argv)
{
	struct unwind_functions u;
	struct code_image image;
	struct jump_targets t;
	size_t bytes;
	void *map;

	if (argc != 2)
		load_die("usage: targets FILE");
	map = map_file(argv[1], &bytes);
	if (code_image_open(&image, map, bytes) != CODE_IMAGE_OPEN ||
	    !unwind_functions_open(&u, &image))
		load_die("no table of functions");
	bytes = jump_targets_size(&t, &image);
	map = calloc(1, bytes);
	if (bytes == 0 || map == NULL)
		load_die("no code");
	jump_targets_find(&t, &u, map);
	for (uint64_t i = 0; i < t.bytes; i++)
		if (jump_targets_has(&t, t.start + i))
			printf("%" PRIx64 "\n", t.start + i);
	free(map);
	return 0;
}
