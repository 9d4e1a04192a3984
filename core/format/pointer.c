/* Context: P.  Parses a pointer file, for load.c; see pointer.h. */
#include "pointer.h"

#include <stdbool.h>
#include <string.h>

/*
 * A pointer file is:
 *
 * 	monptr 1
 * 	path=/dev/shm/libmon-1000-mon.out.0
 * 	boot_id=32 hexadecimal digits
 * 	pid=4242
 * 	start=100000
 *
 * It is parsed from its end, as a path can hold a newline and a number cannot.
 */

/*
 * Cuts off the last line, "KEYvalue\n", and stores its value in *value and
 * *length.
 */
static bool
last_line(const char *bytes, size_t *size, const char *key, const char **value,
    size_t *length)
{
	size_t end = *size, start, skip = strlen(key);

	if (end == 0 || bytes[end - 1] != '\n')
		return false;
	end--;
	for (start = end; start > 0 && bytes[start - 1] != '\n'; start--)
		;
	if (end - start < skip || memcmp(bytes + start, key, skip) != 0)
		return false;
	*value = bytes + start + skip;
	*length = end - start - skip;
	*size = start;
	return true;
}

/* Parses a decimal number, at most `most`, which takes all of the text. */
static bool
parse_number(const char *text, size_t length, uint64_t most, uint64_t *number)
{
	*number = 0;
	if (length == 0)
		return false;
	for (size_t i = 0; i < length; i++) {
		uint64_t digit = (uint64_t)(text[i] - '0');

		if (text[i] < '0' || text[i] > '9' ||
		    *number > (most - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	return true;
}

/*
 * Parses 2 * count lower-case hexadecimal digits.  Returns false for any other
 * text.
 */
static bool
parse_hex(const char *text, size_t length, uint8_t *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";

	if (length != 2 * count)
		return false;
	for (size_t i = 0; i < length; i++) {
		const char *digit = memchr(digits, text[i], 16);

		if (digit == NULL)
			return false;
		bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | (digit - digits));
	}
	return true;
}

/* Sets *f.  Returns -EINVAL. */
static int
damaged_pointer(struct fault *f, const char *what, uint64_t offset)
{
	int error = fault_set(f, what, offset, 0);

	f->remedy = "its writer was stopped while it made the file: there is "
	    "no profile";
	return error;
}

int
pointer_parse(struct pointer *p, const char *bytes, size_t size,
    struct fault *f)
{
	static const char begin[] = POINTER_BEGIN "path=";
	const size_t skip = sizeof(begin) - 1;
	size_t length;
	uint64_t number;
	const char *value;

	memset(p, 0, sizeof(*p));
	if (size < skip || memcmp(bytes, begin, skip) != 0)
		return damaged_pointer(f,
		    "not a pointer that this tool can read", 0);
	if (!last_line(bytes, &size, "start=", &value, &length) ||
	    !parse_number(value, length, UINT64_MAX, &p->start_ticks))
		return damaged_pointer(f, "a pointer without a start time",
		    size);
	if (!last_line(bytes, &size, "pid=", &value, &length) ||
	    !parse_number(value, length, INT32_MAX, &number))
		return damaged_pointer(f, "a pointer without a pid", size);
	p->pid = (int32_t)number;
	if (!last_line(bytes, &size, "boot_id=", &value, &length) ||
	    !parse_hex(value, length, p->boot_id, sizeof(p->boot_id)))
		return damaged_pointer(f, "a pointer without a boot id", size);
	if (size <= skip || bytes[size - 1] != '\n' || bytes[skip] != '/' ||
	    memchr(bytes + skip, '\0', size - skip) != NULL)
		return damaged_pointer(f, "a pointer without an absolute path",
		    skip);
	p->path = bytes + skip;
	p->path_bytes = size - skip - 1;
	return 0;
}
