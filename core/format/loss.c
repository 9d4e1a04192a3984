/*
 * Context: P.  The table of the losses' names, for reports of the tools; see
 * loss.h.
 */
#include "loss.h"

#include <stddef.h>
#include <string.h>

/*
 * Rows are in the order of their numbers and none is missing, so LOSS_COUNT is
 * one more than the last row's number.
 */
#define LOSS_ONE(name, number, unit, text) + 1
_Static_assert(LOSS_COUNT == 0 LOSS_TABLE(LOSS_ONE), "in order, no gap");
#undef LOSS_ONE

static const struct {
	const char *name, *unit, *text;
} losses[LOSS_MAX] = {
#define LOSS_ROW(name, number, unit, text) [number] = {#name, unit, text},
	LOSS_TABLE(LOSS_ROW)
#undef LOSS_ROW
};

const char *
loss_text(unsigned number)
{
	return number < LOSS_MAX ? losses[number].text : NULL;
}

const char *
loss_unit(unsigned number)
{
	return number < LOSS_MAX ? losses[number].unit : NULL;
}

const char *
loss_name(unsigned number)
{
	return number < LOSS_MAX ? losses[number].name : NULL;
}

bool
loss_is_of_blocks(unsigned number)
{
	const char *unit = loss_unit(number);

	return unit != NULL && (strcmp(unit, "allocations") == 0 ||
	    strcmp(unit, "heap calls") == 0);
}
