/*
 * Context: P.  The pointer file: a short text that stands in place of a profile
 * that is written elsewhere, and names it.  libmon.so writes it by code of its
 * own; core/load parses it here and follows it.
 */
#ifndef POINTER_H
#define POINTER_H

#include "fault.h"

#include <stddef.h>
#include <stdint.h>

#define POINTER_BEGIN	"monptr 1\n"
/* Most bytes of a pointer file; PATH_MAX and the rest take some 4200 */
#define POINTER_MOST	8192

/* A parsed pointer file. */
struct pointer {
	const char *path;	/* borrowed, absolute, not ended by NUL */
	size_t path_bytes;
	uint8_t boot_id[16];	/* the pointer is valid only on this boot */
	int32_t pid;		/* of the process that writes the profile */
	uint64_t start_ticks;	/* as in format_header */
};

/*
 * Parses a pointer file; `bytes` is all of it and must outlive *p.  Returns 0
 * or -errno with *f set.
 */
int pointer_parse(struct pointer *p, const char *bytes, size_t size,
    struct fault *f);

#endif
