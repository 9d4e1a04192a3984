/*
 * Context: O.  Prints texts as JSON strings, for data tables and exporters; see
 * json.h.
 */
#include "base/json.h"

#include "base/utf8.h"

void
json_text(FILE *out, const char *text)
{
	putc('"', out);
	while (*text != '\0') {
		const struct utf8_char g = utf8_first(text);
		const unsigned char c = (unsigned char)*text;

		if (g.bytes == 1 && c >= 0x80)
			fputs("\\ufffd", out);
		else if (c < ' ' || c == '<')
			fprintf(out, "\\u%04x", c);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else
			fwrite(text, 1, g.bytes, out);
		text += g.bytes;
	}
	putc('"', out);
}
