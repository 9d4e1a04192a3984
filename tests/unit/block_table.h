/* Context: O.  For tests of live blocks: a table, and what it holds. */
#ifndef BLOCK_TABLE_H
#define BLOCK_TABLE_H

#include "heap_live/live_blocks.h"
#include "random.h"
#include "target.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define HEAP	((uintptr_t)0x7f1234500000)
#define MIB	((uint64_t)1 << 20)

extern struct live_block_table *table;
extern struct live_blocks_user user;

void blocks_start(void);

int blocks_enter(uintptr_t at, uint32_t path, uint64_t bytes);

void blocks_expect(uintptr_t at, uint32_t path, uint64_t bytes);

bool blocks_has(uintptr_t at);

#define KEYS	40000u
#define REGIONS	50u

/* Blocks elsewhere, so that there are so many that neighbours share a line. */
void blocks_become_large(void);

#endif
