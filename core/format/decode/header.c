/*
 * Context: P.  Checks the header of a profile, and says what a file is that has
 * none, for core/load, the decoder and core/control; see header.h.
 */
#include "decode/header.h"

#include "decode/decode_index.h"
#include "decode/foreign_magic.h"

#include <errno.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
    "records are read as they lie in the file");

static int
refuse_header(struct fault *f, const char *what, uint64_t offset,
    const char *remedy)
{
	int error = fault_set(f, what, offset, 0);

	f->remedy = remedy;
	return error;
}

/*
 * Checks the magic number.  For a file without it, says what a file of that
 * name can be instead.
 */
static int
magic_check(const unsigned char *bytes, uint64_t size, struct fault *f)
{
	static const char pointer[] = "monptr ";
	size_t head = size < FORMAT_HEADER ? size : FORMAT_HEADER;
	size_t magic = size < 8 ? size : 8;

	if (size == 0)
		return refuse_header(f, "the file is empty", FAULT_NO_OFFSET,
		    "its program was stopped, or had no space, while it was "
		    "being made; run the program again");
	if (memcmp(bytes, FORMAT_MAGIC, magic) == 0)
		return 0;
	if (decode_index_is_zero(bytes, head))
		return refuse_header(f, "the header is all zero",
		    FAULT_NO_OFFSET,
		    "the program counted nothing yet, or the machine went "
		    "down before the file reached its disk");
	if (size >= sizeof(pointer) - 1 &&
	    memcmp(bytes, pointer, sizeof(pointer) - 1) == 0)
		return refuse_header(f,
		    "a pointer to a live profile, not a profile",
		    FAULT_NO_OFFSET, "its second line names the live file; "
		    "the profile comes here when its process ends");
	if (size >= 4 && (memcmp(bytes, "\211mon", 4) == 0 ||
	    memcmp(bytes, "\011mon", 4) == 0))
		return refuse_header(f, "damaged in transfer: its bytes were "
		    "converted as text", FAULT_NO_OFFSET,
		    "copy the original again in binary mode");
	if (foreign_magic_refuse(bytes, size, f) != 0)
		return -EINVAL;
	return refuse_header(f, "not a profile of libmon", FAULT_NO_OFFSET,
	    "profiles are named mon.out, or PID.PROGRAM in PROFDIR");
}

#define AT(field) offsetof(struct format_header, field)

/* Checks that the file is of a version and kind that this decoder knows. */
static int
kind_check(const struct format_header *h, struct fault *f)
{
	if (h->version > FORMAT_VERSION)
		return refuse_header(f,
		    "written in a newer format than this tool " "can read",
		    AT(version),
		    "use the prof that came with the libmon that wrote it");
	if (h->state == FORMAT_INCOMPLETE)
		return refuse_header(f, "no profile yet: its program had only "
		    "begun to write it", AT(state),
		    "try again; if its process is gone, it was killed before "
		    "anything was counted");
	if (h->version == 0)
		return fault_set(f, "format version 0", AT(version), 0);
	if (h->header_bytes != FORMAT_HEADER)
		return fault_set(f, "wrong header size", AT(header_bytes), 0);
	if (h->address_bits != 64)
		return fault_set(f, "addresses are not of 64 bits",
		    AT(address_bits), 0);
	return 0;
}

/*
 * Checks the fields on the file's size.  Indexes are 32 bits wide, so that
 * nothing can lie beyond 2^32 units.
 */
static int
space_check(struct format_header *h, uint64_t size, struct fault *f)
{
	if (h->cap < FORMAT_HEADER || h->cap > (uint64_t)FORMAT_UNIT << 32)
		return fault_set(f, "impossible size limit", AT(cap), 0);
	h->used &= ~(uint64_t)FORMAT_CLOSED;
	if (h->used < FORMAT_HEADER || h->used % FORMAT_UNIT != 0)
		return fault_set(f, "impossible end of the data", AT(used), 0);
	if (h->used > h->cap)
		return fault_set(f, "the data end past their own limit",
		    AT(used), 0);
	/* When names are stored again, all behind names_at is dropped. */
	if ((h->names == 0) != (h->names_at == 0) || (h->names_at != 0 &&
	    (h->names_at < FORMAT_HEADER || h->names_at > h->used ||
	    h->names_at % FORMAT_UNIT != 0)))
		return fault_set(f, "impossible start of the names",
		    AT(names_at), 0);
	if (h->state == FORMAT_SEALED && h->used > size)
		return refuse_header(f, "cut short", size,
		    "it was longer when its "
		    "program ended; copy the original again");
	return 0;
}

bool
header_is_stopped(const struct format_header *h)
{
	return (h->stopped_ns & FORMAT_STOPPED) != 0;
}

uint64_t
header_stopped_ns(const struct format_header *h, uint64_t cpu_ns)
{
	uint64_t ns = h->stopped_ns & ~FORMAT_UNTIMED;

	if ((h->stopped_ns & FORMAT_UNTIMED) == 0)
		return ns;
	return cpu_ns > ns ? cpu_ns - ns : 0;
}

int
header_read(struct format_header *h, const void *bytes, uint64_t size,
    struct fault *f)
{
	int error = magic_check(bytes, size, f);

	if (error != 0)
		return error;
	if (size < FORMAT_HEADER)
		return refuse_header(f, "cut short within its header",
		    size, "copy the original again");
	memcpy(h, bytes, sizeof(*h));
	h->watch[FORMAT_WATCH - 1] = h->ask_watch[FORMAT_WATCH - 1] = '\0';
	error = kind_check(h, f);
	if (error != 0)
		return error;
	return space_check(h, size, f);
}
