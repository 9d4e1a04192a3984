/* Context: O.  For tests of listings: makes a program and its files. */
#ifndef LISTING_FILES_H
#define LISTING_FILES_H

#include "classics.h"
#include "command.h"
#include "three.h"

#include <stdio.h>
#include <string.h>

/* Each of 16 bytes: a static one, C++, a label, weak. */
uint64_t listing_compile_six(void);

void listing_cell(struct classics *k, uint64_t address, uint64_t calls);

/* Gives each function a bin of two bytes in its midst. */
void listing_six(struct classics *k, uint64_t low);

void listing_six_files(const char *name);

#define HEAD " %Time Seconds Cumsecs  #Calls   msec/call  Name\n"

/* Modules of one program, at the place where a run had them. */
void listing_versioned(struct classics *k, uint64_t low, const char *path,
    size_t bytes);

#endif
