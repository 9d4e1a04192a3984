/*
 * Context: O.  Parses the lines of frames in perf script; used by the reader
 * (perf_script.c) and by the parser of a sample's first line
 * (perf_script_head.c).
 */
#ifndef PERF_SCRIPT_FRAME_H
#define PERF_SCRIPT_FRAME_H

#include "import.h"

/* perf pads an address to this width: a shorter word can be a name. */
#define PERF_SCRIPT_COLUMNS	16

/* The fields that a line of a frame has. */
enum perf_script_fields { PERF_SCRIPT_ADDRESS = 1, PERF_SCRIPT_NAME = 2,
    PERF_SCRIPT_MODULE = 4 };

/*
 * Splits the line of a frame, "ADDRESS NAME (MODULE)" or some of the three,
 * into *to, whose texts lie in the line.  Returns which fields there are (enum
 * perf_script_fields), 0 if it is no frame.
 */
unsigned perf_script_frame_parse(struct text line, struct import_frame *to);

/*
 * Splits off the frame of a sample without callers, which ends the line of the
 * sample.  Other addresses can precede it but not follow it.  blanks: how many
 * precede `rest`, the part of the line behind the event.  Returns as
 * perf_script_frame_parse() does; a frame has an address here.
 */
unsigned perf_script_frame_parse_last(struct text rest, size_t blanks,
    struct import_frame *to);

/*
 * Reads a line such as "file.c:12", which belongs to the frame above it, *to;
 * "module[address]" and "??:?" give no place and leave *to as it was.  Returns
 * false if it is none of them.
 */
bool perf_script_frame_parse_source(struct text line, struct import_frame *to);

#endif
