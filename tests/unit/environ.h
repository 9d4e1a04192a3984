/* Context: O.  The environment as options_read() takes it, for its tests. */
#ifndef ENVIRON_H
#define ENVIRON_H

#include "base/config.h"

/* It is read once a process: each reading is a child's. */
struct outcome {
	struct config config;
	char said[2048];	/* on stderr */
};

extern struct outcome *got;

/* NULL: not set. */
void environ_read(const char *profdir, const char *profopts);

/* Reads the options as above, with PROFDIR=/d, which is taken, or the test
 * fails.  Nothing was said, or just this behind "libmon: PROFOPTS: ". */
void environ_accepts(const char *profopts);
void environ_refuses(const char *profopts, const char *said);

#endif
