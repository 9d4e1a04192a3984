/* Context: O.  For tests of input: makes files, and gathers them. */
#ifndef INPUT_FILES_H
#define INPUT_FILES_H

#include "load.h"
#include "base/mount_guard.h"
#include "read/read_inputs.h"
#include "build.h"
#include "compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char back[4096];
extern struct input in;
extern struct fault fault;

void input_setup(void);

void input_teardown(void);

void input_put_text(const char *name, const char *text);

/* Faults met, and the model that was made of the rest. */
extern char said[512];
extern struct model model;
extern struct filter filter;

void input_on_fault(void *arg, const struct fault *f);

void input_on_progress(void *arg, size_t done, size_t all, const char *what);

void input_gather(const char *path);

/* To a profile of process 1 that started at 2. */
void input_put_pointer(const char *name, const char *to, unsigned other_boot);

void input_put_live(const char *name, int pid, uint64_t start,
    unsigned other_boot);

#endif
