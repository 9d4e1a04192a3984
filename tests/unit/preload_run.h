/* Context: O.  For tests of samples by libmon.so: runs a command. */
#ifndef PRELOAD_RUN_H
#define PRELOAD_RUN_H

#include "libmon/backend_preload.h"
#include "build.h"
#include "compile.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern struct backend_preload p;
extern char library[PATH_MAX], directory[PATH_MAX];

void preload_set_up(void);

/* The results of a run. */
extern char *stream;
extern size_t stream_bytes;
extern uint64_t stats[TPROF_STATS];
extern char told[4][512];
extern unsigned tells;

void preload_begin(unsigned hz);

void preload_tell(void *arg, const struct fault *f);

void preload_end(bool written);

bool preload_is_there(const char *path);

/* Each item of the stream as a line. */
extern char text[1 << 20];

#endif
