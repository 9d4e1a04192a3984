/*
 * Context: O.  Reads a file of a classic profiler for cmd/classic; see
 * listing_source.h.
 */
#include "listing_source.h"

#include "listing_parts.h"
#include "load.h"
#include "read/read_classic.h"
#include "read_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Returns word size, byte order and addresses for layouts that do not state
 * them: those of the program; without one 64 bits, little-endian, as this
 * machine, and no addresses.
 */
static struct classic_program
program_layout(const char *program)
{
	struct elf_layout p;

	if (elf_layout_read(&p, program != NULL ? program :
	    READ_CLASSIC_PROGRAM) != 0)
		return (struct classic_program) { .wide = true };
	return (struct classic_program) { p.wide, p.big, p.low, p.high };
}

static int
fault_cannot_open(struct fault *f, int error)
{
	fault_set(f, "cannot be opened", FAULT_NO_OFFSET, error);
	return LISTING_SYSTEM;
}

/*
 * Reads all bytes of the file into s->bytes and sets s->file.written.  Returns
 * 0, or an exit code with *f set; s->bytes is freed by the caller in either
 * case.
 */
static int
read_source_bytes(struct listing_source *s, const char *path, size_t *size,
    struct fault *f)
{
	struct stat st;
	int ret;

	if (stat(path, &st) != 0)
		return fault_cannot_open(f, errno);
	s->file.written = st.st_mtime;
	ret = read_file_all(path, &s->bytes, size, f);
	if (ret == -ENOMEM)
		return LISTING_MEMORY;
	if (ret == READ_FILE_NONE && access(path, R_OK) != 0)
		return fault_cannot_open(f, errno);
	if (ret == READ_FILE_NONE)
		return listing_fault(f, LISTING_SYSTEM, "is no regular file",
		    FAULT_NO_OFFSET);
	return ret == 0 ? 0 : LISTING_SYSTEM;
}

int
listing_source_open(struct listing_source *s, const char *path,
    const char *program, struct fault *f)
{
	const struct classic_program layout = program_layout(program);
	size_t size;
	int ret;

	memset(s, 0, sizeof(*s));
	s->file.path = path;
	ret = read_source_bytes(s, path, &size, f);
	if (ret == 0) {
		ret = classic_open(&s->file.classic, s->bytes, size, &layout,
		    f);
		if (ret == CLASSIC_OTHER)
			listing_fault(f, LISTING_INPUT, "is no profile",
			    FAULT_NO_OFFSET);
		/*
		 * The listing has no room for a note that something is missing.
		 */
		if (ret == 0 && s->file.classic.damage.what != NULL) {
			*f = s->file.classic.damage;
			ret = LISTING_INPUT;
		}
		ret = ret == 0 ? 0 : LISTING_INPUT;
	}
	f->file = path;
	if (ret != 0)
		listing_source_close(s);
	return ret;
}

void
listing_source_close(struct listing_source *s)
{
	free(s->bytes);
	s->bytes = NULL;
}

bool
listing_source_is(const char *path, const char *program)
{
	struct listing_source s;
	struct fault f = { 0 };

	if (load_is_profile(path) ||
	    listing_source_open(&s, path, program, &f) != 0)
		return false;
	listing_source_close(&s);
	return true;
}
