/* Context: O.  Tests of compressed profiles of pprof. */
#include "pprof_bytes.h"
#include "imports.h"
#include "base/wire.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <zlib.h>

static size_t
compress_to(unsigned char *to, size_t room, const void *from, size_t count)
{
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)from,
		.avail_in = (unsigned)count, .next_out = to,
		.avail_out = (unsigned)room };

	cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8,
	    Z_DEFAULT_STRATEGY), Z_OK);
	cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

Test(import_pprof_gzip, inflates)
{
	unsigned char packed_bytes[8192];
	const char *text;

	pprof_bytes_profile();
	size = compress_to(packed_bytes, sizeof(packed_bytes), bytes, size);
	memcpy(bytes, packed_bytes, size);
	text = pprof_bytes_reads(IMPORT_NONE, NULL);
	cr_assert_not_null(text, "%s", f.what);
	cr_expect_str_eq(text, CPU);
	imports_hurt(bytes, size, IMPORT_NONE);
	/* The checksum at the end is missing; the rest is complete. */
	size -= 8;
	pprof_bytes_left(CPU, "is compressed and truncated");
	bytes[12] ^= 0xff;
	pprof_bytes_wrong("is compressed and damaged");
}

/* As pigz and cat make them. */
Test(import_pprof_gzip, inflates_every_member)
{
	unsigned char packed_bytes[8192];
	size_t first;
	const char *text;

	pprof_bytes_profile();
	first = compress_to(packed_bytes, sizeof(packed_bytes), bytes,
	    size / 2);
	size = first + compress_to(packed_bytes + first, sizeof(packed_bytes) -
	    first, bytes + size / 2, size - size / 2);
	memcpy(bytes, packed_bytes, size);
	text = pprof_bytes_reads(IMPORT_NONE, NULL);
	cr_assert_not_null(text, "%s", f.what);
	cr_expect_str_eq(text, CPU);
	memset(bytes + size, 0, 7);
	size += 7;
	cr_expect_not_null(pprof_bytes_reads(IMPORT_NONE, NULL));
	bytes[size++] = 'x';
	pprof_bytes_left(CPU, "is compressed and damaged");
}

/* 64 MiB of zeros are 64 KiB: more than any profile shrinks. */
Test(import_pprof_gzip, does_not_inflate_without_bounds)
{
	const size_t zeros = 64u << 20, room = 1u << 20;
	unsigned char *from = calloc(zeros, 1), *to = malloc(room);

	cr_assert(from != NULL && to != NULL);
	cr_expect_null(imports_read(to, compress_to(to, room, from, zeros),
	    IMPORT_NONE, NULL, &x, &f));
	cr_assert_not_null(f.what);
	cr_expect_str_eq(f.what,
	    "is too large for a profile when it is decompressed");
	free(from);
	free(to);
}
