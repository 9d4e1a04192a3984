/*
 * Context: P.  Reads numbers and pointers of an ELF file in memory, for the
 * other files of this folder; see code_reader.h.
 */
#include "code_reader.h"

/* Forms of pointers: the low four bits, and what they are relative to. */
#define FORM_ABSOLUTE	0x00
#define FORM_ULEB	0x01
#define FORM_U2		0x02
#define FORM_U4		0x03
#define FORM_U8		0x04
#define FORM_SLEB	0x09
#define FORM_S2		0x0a
#define FORM_S4		0x0b
#define FORM_S8		0x0c
#define FORM_PC		0x10
#define FORM_DATA	0x30
#define FORM_BASE	0xf0	/* bits of the two, and of DW_EH_PE_indirect */

void
code_reader_start(struct code_reader *r, const struct code_image *image,
    uint64_t address)
{
	r->image = image;
	r->address = address;
	r->at = code_image_find(image, address, &r->room);
	r->failed = r->at == NULL;
}

void
code_reader_skip(struct code_reader *r, uint64_t bytes)
{
	if (r->failed || bytes > r->room) {
		r->failed = true;
		return;
	}
	r->at += bytes;
	r->room -= (size_t)bytes;
	r->address += bytes;
}

uint64_t
code_reader_number(struct code_reader *r, unsigned bytes)
{
	const uint8_t *from = r->at;
	uint64_t value = 0;

	code_reader_skip(r, bytes);
	if (r->failed)
		return 0;
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)from[i] << 8 * i;
	return value;
}

/*
 * Reads a number of at most 64 bits; sets *bits to how many its bytes have.
 */
static uint64_t
read_leb(struct code_reader *r, unsigned *bits)
{
	uint64_t value = 0, byte;

	*bits = 0;
	do {
		byte = code_reader_number(r, 1);
		if (*bits < 64)
			value |= (byte & 0x7f) << *bits;
		*bits += 7;
	} while ((byte & 0x80) != 0 && *bits < 70);
	if ((byte & 0x80) != 0)
		r->failed = true;
	return r->failed ? 0 : value;
}

uint64_t
code_reader_uleb(struct code_reader *r)
{
	unsigned bits;

	return read_leb(r, &bits);
}

int64_t
code_reader_sleb(struct code_reader *r)
{
	unsigned bits;
	uint64_t value = read_leb(r, &bits);

	if (bits < 64 && (value & (uint64_t)1 << (bits - 1)) != 0)
		value |= UINT64_MAX << bits;
	return (int64_t)value;
}

/* Reads the value of a pointer, and widens its sign. */
static uint64_t
read_value(struct code_reader *r, unsigned form)
{
	switch (form & CODE_READER_VALUE) {
	case FORM_ABSOLUTE:
	case FORM_U8:
	case FORM_S8:
		return code_reader_number(r, 8);
	case FORM_ULEB:
		return code_reader_uleb(r);
	case FORM_SLEB:
		return (uint64_t)code_reader_sleb(r);
	case FORM_U2:
		return code_reader_number(r, 2);
	case FORM_U4:
		return code_reader_number(r, 4);
	case FORM_S2:
		return (uint64_t)(int16_t)code_reader_number(r, 2);
	case FORM_S4:
		return (uint64_t)(int32_t)code_reader_number(r, 4);
	default:
		r->failed = true;
		return 0;
	}
}

uint64_t
code_reader_pointer(struct code_reader *r, unsigned form, uint64_t base)
{
	const uint64_t here = r->address;
	uint64_t value = read_value(r, form);

	switch (form & FORM_BASE) {
	case 0:
		break;
	case FORM_PC:
		value += here;
		break;
	case FORM_DATA:
		value += base;
		break;
	default:
		r->failed = true;
	}
	return r->failed ? 0 : value;
}
