/*
 * Context: P.  Recognizes the tables by which compilers jump, as for a switch
 * statement, for jump_targets.c and part_reach.c.
 */
#ifndef JUMP_TABLE_H
#define JUMP_TABLE_H

#include "code_reader.h"
#include "instruction.h"

/* Forms of a table, as bits. */
#define JUMP_TABLE_DISTANCES	1u	/* of 4 bytes, from the table on */
#define JUMP_TABLE_WORDS	2u	/* addresses of 8 bytes */

/*
 * Returns the forms of the table that the instruction at `code`, which lies at
 * `address`, may use, and sets *table to the address of that; 0: it uses none.
 * An address that it takes can be that of anything else, too.
 */
unsigned jump_table_find(const struct instruction *in, const uint8_t *code,
    uint64_t address, uint64_t *table);

/*
 * Returns the next target of the table at `table`, from which *r reads; form:
 * one of the two.  0, with r->failed, behind the last byte of the segment.
 */
uint64_t jump_table_next(struct code_reader *r, uint64_t table, unsigned form);

#endif
