/*
 * Context: O.  For tests of ticks: makes a thread slot with clocks and sends it
 * ticks.
 */
#ifndef TICK_TARGET_H
#define TICK_TARGET_H

#include "base/mmap_area.h"
#include "clock/clock_switch.h"
#include "clock/perf_clock.h"
#include "clock/perf_rate.h"
#include "clock/tick.h"
#include "count/cct.h"
#include "count/record.h"
#include "store/store.h"
#include "target.h"
#include "base/store_header.h"
#include "clock/clock_period.h"

#include <limits.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define MS	1000000u
#define TIMER	7
#define PERIOD	MS

/* Never called: an address in this program that is behind no system call. */
int tick_place(int n);

void tick_start(void);

uint64_t tick_voluntary(void);

struct thread_slot *tick_coarse_slot(void);

/* A page without data, as where locked memory is refused: one period a look. */
void tick_turn_on_fine(struct thread_slot *s);

void tick_send(siginfo_t *si);

void tick_coarse_tick(struct thread_slot *s, int overrun);

void tick_fine_tick(void);

/* All that the file holds; the place is the only one that was hit. */
uint64_t tick_counted(uint64_t *n);

#endif
