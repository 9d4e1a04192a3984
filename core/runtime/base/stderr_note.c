/*
 * Context: T.  Writes a message for the user, for the reader of options, the
 * seal and the classic formats; see stderr_note.h.
 */
#include "base/stderr_note.h"

#include "base/str.h"
#include "base/sys.h"

#include <stdarg.h>

void
stderr_note(const char *text, ...)
{
	char line[1024];
	struct str s;
	va_list ap;

	/* The last byte is kept for the newline. */
	str_init(&s, line, sizeof(line) - 1);
	str_add(&s, "libmon: ");
	va_start(ap, text);
	for (; text != NULL; text = va_arg(ap, const char *))
		str_add(&s, text);
	va_end(ap);
	*s.at++ = '\n';
	sys_write(2, line, (size_t)(s.at - line));
}
