/*
 * Context: P.  The layout of a profile in C; doc/format.md explains it.
 * libmon.so writes it, the decoder (decode.h) reads it, and tools write the
 * control words.
 *
 * Users include this file, not its parts: most need the header and several
 * kinds of records.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include "format_arcs.h"
#include "format_control.h"
#include "format_header.h"
#include "format_heap.h"
#include "format_module.h"
#include "format_tick_log.h"
#include "format_tree.h"
#include "loss.h"

#include <stddef.h>
#include <stdint.h>

#endif
