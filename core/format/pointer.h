/* Context: P.  The text in place of a profile that is written elsewhere. */
#ifndef POINTER_H
#define POINTER_H

#include "fault.h"

#include <stddef.h>
#include <stdint.h>

#define POINTER_BEGIN	"monptr 1\n"
#define POINTER_MOST	8192	/* bytes; PATH_MAX and the rest fit twice */

struct pointer {
	const char *path;	/* borrowed, absolute, not ended by NUL */
	size_t path_bytes;
	uint8_t boot_id[16];	/* follow it only on the boot that wrote it */
	int32_t pid;
	uint64_t start_ticks;
};

/* 0, or -errno with *f set.  The bytes are the whole file. */
int pointer_parse(struct pointer *p, const char *bytes, size_t size,
    struct fault *f);

#endif
