/*
 * Context: O.  Writes numbers as LEB128 in base64, for the columns of a page;
 * see varint_column.h.
 */
#include "html/varint_column.h"

static const char digits[64] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void
varint_column_begin(struct varint_column *c, FILE *out, const char *name)
{
	*c = (struct varint_column) { .out = out };
	fprintf(out, "\"%s\":\"", name);
}

void
varint_column_begin_next(struct varint_column *c, FILE *out, const char *name)
{
	fputs(",\n", out);
	varint_column_begin(c, out, name);
}

/* Writes `count` of the four digits of three bytes. */
static void
put_digits(struct varint_column *c, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		putc(digits[c->bits >> (18 - 6 * i) & 63], c->out);
}

static void
put_byte(struct varint_column *c, uint8_t byte)
{
	c->bits = c->bits << 8 | byte;
	if (++c->count < 3)
		return;
	put_digits(c, 4);
	c->bits = c->count = 0;
}

void
varint_column_put(struct varint_column *c, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		put_byte(c, (uint8_t)(number | 0x80));
	put_byte(c, (uint8_t)number);
}

void
varint_column_end(struct varint_column *c)
{
	if (c->count != 0) {
		c->bits <<= 8 * (3 - c->count);
		put_digits(c, c->count + 1);
		fputs(c->count == 1 ? "==" : "=", c->out);
	}
	putc('"', c->out);
}
