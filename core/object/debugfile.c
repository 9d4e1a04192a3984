/* Context: O.  Where a distribution keeps the symbols of a stripped file. */
#include "debugfile.h"

#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define DEBUGFILE_ROOT "/usr/lib/debug"
#define DEBUGFILE_ID_MAX 64	/* SHA-1 has 20; room for what may come */

/* Closed unless whole: what it has lost would be missed without a word. */
static int
debugfile_take(struct elf_file *debug)
{
	if (!elf_file_lacks_sections(debug))
		return 0;
	elf_file_close(debug);
	return -EINVAL;
}

int
debugfile_by_id(struct elf_file *debug, const unsigned char *id, size_t bytes)
{
	char path[sizeof(DEBUGFILE_ROOT "/.build-id/xx/.debug") +
	    2 * DEBUGFILE_ID_MAX];
	int at;

	if (bytes < 2 || bytes > DEBUGFILE_ID_MAX)
		return -ENOENT;
	at = sprintf(path, DEBUGFILE_ROOT "/.build-id/%02x/", id[0]);
	for (size_t i = 1; i < bytes; i++)
		at += sprintf(path + at, "%02x", id[i]);
	strcpy(path + at, ".debug");
	if (elf_file_open(debug, path) != 0)
		return -ENOENT;
	if (elf_file_is(debug, id, bytes))
		return debugfile_take(debug);
	elf_file_close(debug);
	return -ENOENT;
}

/* The CRC of .gnu_debuglink is that of ISO 3309, as in gzip. */
static uint32_t
debugfile_crc(const unsigned char *bytes, size_t size)
{
	uint32_t table[256];
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^
			    ((table[i] & 1) != 0 ? 0xedb88320u : 0);
	}
	for (size_t i = 0; i < size; i++)
		crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
	return ~crc;
}

static bool
debugfile_matches(const struct elf_file *debug, const struct elf_file *f,
    uint32_t crc)
{
	const unsigned char *id;
	size_t bytes = elf_file_build_id(f, &id);

	if (debug->device == f->device && debug->inode == f->inode)
		return false;		/* it names itself */
	if (bytes != 0)
		return elf_file_is(debug, id, bytes);
	return debugfile_crc(elf_file_all(debug), debug->size) == crc;
}

int
debugfile_by_link(struct elf_file *debug, const struct elf_file *f,
    const char *path)
{
	static const char *const place[] = {
		"%.*s/%s", "%.*s/.debug/%s", DEBUGFILE_ROOT "%.*s/%s",
	};
	size_t bytes, name;
	const char *link = (const char *)elf_file_bytes(f,
	    elf_file_section(f, ".gnu_debuglink"), &bytes);
	const char *slash = strrchr(path, '/');
	char try[PATH_MAX];
	uint32_t crc;
	int ret = -ENOENT;

	if (link == NULL || slash == NULL)
		return -ENOENT;
	name = strnlen(link, bytes) + 1;
	name += -name & 3;		/* the CRC is aligned */
	if (bytes < sizeof(crc) || name > bytes - sizeof(crc) ||
	    strchr(link, '/') != NULL)
		return -ENOENT;
	memcpy(&crc, link + name, sizeof(crc));
	for (size_t i = 0; i < sizeof(place) / sizeof(place[0]); i++) {
		int n = snprintf(try, sizeof(try), place[i],
		    (int)(slash - path), path, link);

		if (n < 0 || (size_t)n >= sizeof(try) ||
		    elf_file_open(debug, try) != 0)
			continue;
		if (!debugfile_matches(debug, f, le32toh(crc)))
			elf_file_close(debug);
		else if ((ret = debugfile_take(debug)) == 0)
			return 0;
	}
	return ret;
}
