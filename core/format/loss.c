/* Context: P.  The names of the losses. */
#include "loss.h"

#include <stddef.h>

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
