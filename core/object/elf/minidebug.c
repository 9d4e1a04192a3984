/*
 * Context: O.  Unpacks .gnu_debugdata in bounded memory, for object_files.c;
 * see minidebug.h.
 */
#include "elf/minidebug.h"

#include <errno.h>
#include <stdlib.h>

#include <lzma.h>

/*
 * Most bytes that a packed byte may give.  The size that the bytes state for
 * themselves is not trusted, and 45 KB can hold 300 MB of zeros.  Symbol tables
 * shrink to a sixth at best (libc, python, C++ and Rust programs, November
 * 2026).
 */
#define MINIDEBUG_RATIO	64
/* xz -9 asks for 65 MiB; no more of it is touched than is unpacked. */
#define MINIDEBUG_DICTIONARY	(80u << 20)

/*
 * Unpacks the bytes; the result is malloced.  Returns NULL if they are damaged
 * or too large.
 */
static unsigned char *
minidebug_unpack(const unsigned char *packed, size_t bytes, size_t *size)
{
	uint64_t dictionary = MINIDEBUG_DICTIONARY;
	size_t room, taken = 0;
	unsigned char *image;

	if (bytes > SIZE_MAX / MINIDEBUG_RATIO)
		return NULL;
	room = bytes * MINIDEBUG_RATIO;
	image = malloc(room);
	*size = 0;
	if (image != NULL && lzma_stream_buffer_decode(&dictionary, 0, NULL,
	    packed, &taken, bytes, image, size, room) == LZMA_OK)
		return image;
	free(image);
	return NULL;
}

int
minidebug_open(struct elf_file *mini, const struct elf_file *f)
{
	size_t bytes, size;
	const unsigned char *packed = elf_file_bytes(f,
	    elf_file_section(f, ".gnu_debugdata"), &bytes);
	unsigned char *image;

	if (packed == NULL)
		return -ENOENT;
	image = minidebug_unpack(packed, bytes, &size);
	return image != NULL && elf_file_open_owned(mini, image, size) == 0 ?
	    0 : -EINVAL;
}
