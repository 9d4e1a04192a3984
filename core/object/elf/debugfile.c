/*
 * Context: O.  Finds separate debug files where distributions keep them, and
 * checks them, for object_files.c, symtab.c, dwarf_file.c and
 * remote_debuginfod.c; see debugfile.h.
 */
#include "elf/debugfile.h"

#include "hex.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DEBUGFILE_ROOT "/usr/lib/debug"
/* SHA-1 has 20; there is room for longer ones */
#define DEBUGFILE_ID_MAX 64

/* Notes a file that is of no use, unless one was noted before. */
static void
debugfile_refuse(struct debugfile_refused *refused, const char *path,
    enum debugfile_fault fault)
{
	if (refused->fault != DEBUGFILE_OK)
		return;
	refused->fault = fault;
	snprintf(refused->path, sizeof(refused->path), "%s", path);
}

/* Opens a file, and notes a fault of it.  Returns as elf_file_open(). */
static int
debugfile_open(struct elf_file *debug, const char *path,
    struct debugfile_refused *refused)
{
	int ret = elf_file_open(debug, path);

	if (ret == -ENOEXEC)
		debugfile_refuse(refused, path, DEBUGFILE_NOT_ELF);
	if (ret == -EACCES || ret == -EPERM)
		debugfile_refuse(refused, path, DEBUGFILE_NO_PERMISSION);
	return ret;
}

/*
 * Accepts a debug file or closes it.  A truncated file is refused, as its
 * missing part would go unnoticed.
 */
static int
debugfile_accept(struct elf_file *debug, const char *path,
    enum debugfile_fault fault, struct debugfile_refused *refused)
{
	if (fault == DEBUGFILE_OK && elf_file_lacks_sections(debug))
		fault = DEBUGFILE_TRUNCATED;
	if (fault == DEBUGFILE_OK)
		return 0;
	elf_file_close(debug);
	debugfile_refuse(refused, path, fault);
	return -ENOENT;
}

int
debugfile_open_at(struct elf_file *debug, const char *path,
    const unsigned char *id, size_t bytes, struct debugfile_refused *refused)
{
	if (debugfile_open(debug, path, refused) != 0)
		return -ENOENT;
	return debugfile_accept(debug, path, elf_file_has_build_id(debug, id,
	    bytes) ? DEBUGFILE_OK : DEBUGFILE_WRONG_BUILD_ID, refused);
}

int
debugfile_by_build_id(struct elf_file *debug, const unsigned char *id,
    size_t bytes, struct debugfile_refused *refused)
{
	char path[sizeof(DEBUGFILE_ROOT "/.build-id/xx/.debug") +
	    2 * DEBUGFILE_ID_MAX];
	char *at;

	if (bytes < 2 || bytes > DEBUGFILE_ID_MAX)
		return -ENOENT;
	at = hex_put(stpcpy(path, DEBUGFILE_ROOT "/.build-id/"), id, 1);
	*at++ = '/';
	strcpy(hex_put(at, id + 1, bytes - 1), ".debug");
	return debugfile_open_at(debug, path, id, bytes, refused);
}

/* Returns the CRC of .gnu_debuglink, that of ISO 3309, as in gzip. */
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
debugfile_is_same_file(const struct elf_file *debug, const struct elf_file *f)
{
	return debug->device == f->device && debug->inode == f->inode;
}

/*
 * Returns what is wrong with `debug` as the debug file of `f`, whose link has
 * this CRC.
 */
static enum debugfile_fault
debugfile_verify(const struct elf_file *debug, const struct elf_file *f,
    uint32_t crc)
{
	const unsigned char *id;
	size_t bytes = elf_file_build_id(f, &id);

	if (bytes != 0)
		return elf_file_has_build_id(debug, id, bytes) ? DEBUGFILE_OK :
		    DEBUGFILE_WRONG_BUILD_ID;
	return debugfile_crc(elf_file_all_bytes(debug), debug->size) == crc ?
	    DEBUGFILE_OK : DEBUGFILE_WRONG_CRC;
}

int
debugfile_by_debuglink(struct elf_file *debug, const struct elf_file *f,
    const char *path, struct debugfile_refused *refused)
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
		    debugfile_open(debug, try, refused) != 0)
			continue;
		if (debugfile_is_same_file(debug, f))
			elf_file_close(debug);
		else if (debugfile_accept(debug, try, debugfile_verify(debug, f,
		    le32toh(crc)), refused) == 0)
			return 0;
	}
	return -ENOENT;
}
