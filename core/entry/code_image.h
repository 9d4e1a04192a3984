/*
 * Context: P.  Reads the bytes of an ELF file for x86-64 that is in memory, by
 * the addresses that it was linked at.  The other files of this folder analyse
 * code by it.  It holds no memory of its own and makes no system call.
 */
#ifndef CODE_IMAGE_H
#define CODE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No file of 2,880 in one machine's /usr has more than 6. */
#define CODE_IMAGE_SEGMENTS	32

/* A part of the file that a program header PT_LOAD names. */
struct code_segment {
	uint64_t address;	/* where it was linked to lie */
	uint64_t bytes;		/* that the file has of it */
	const uint8_t *file;	/* its first byte */
	bool executable;
};

struct code_image {
	const uint8_t *file;
	size_t bytes;
	struct code_segment segments[CODE_IMAGE_SEGMENTS];
	unsigned segment_count;
	uint64_t table;		/* address of .eh_frame_hdr; 0: there is none */
};

enum code_image_state {
	CODE_IMAGE_OPEN,
	CODE_IMAGE_NOT_ELF,	/* or not for x86-64, or not to be run */
	CODE_IMAGE_CUT,		/* a header names bytes that are not there */
	CODE_IMAGE_SEGMENTED,	/* more than CODE_IMAGE_SEGMENTS segments */
};

/*
 * Opens the ELF file of `bytes` bytes at `file`, which must stay as it is while
 * *image is used.  Returns CODE_IMAGE_OPEN, or why *image cannot be used.  Any
 * thread and any signal handler may call it.
 */
enum code_image_state code_image_open(struct code_image *image,
    const void *file, size_t bytes);

/*
 * Returns the segment that has the byte at `address` in the file, or NULL.
 */
const struct code_segment *code_image_segment(const struct code_image *image,
    uint64_t address);

/*
 * Returns the bytes from `address` on, and sets *room to how many of them the
 * segment has; NULL, with 0, if the file has no byte of that address.
 */
const uint8_t *code_image_find(const struct code_image *image,
    uint64_t address, size_t *room);

#endif
