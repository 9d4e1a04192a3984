/*
 * Context: load. A storm of kicks: kicker SECONDS A-SECOND NAME... The
 * processes of these profiles or directories are told to stop and to start in
 * turns, as often as that in all, each time with a kick. Prints how many were
 * told and how many kicks were sent.
 */
#include "control_client.h"
#include "input.h"
#include "load.h"

#include <stdbool.h>

#define HOLD_S	50e-6	/* a kick comes in 10 us, and ends with the asking */

static unsigned long told, kicked;

static void
tell(const char *path, bool stop)
{
	struct fault f = { 0 };
	struct control_client a;

	if (control_client_open(&a, path, &f) != 0)
		return;
	if (control_client_send(&a, &(struct control_client_change){ .state =
	    true, .stop = stop }, &f) == 0) {
		told++;
		kicked += control_client_kick(&a);
		load_sleep(HOLD_S);
	}
	control_client_close(&a);
}

static void
tell_all(char **names, int count, bool stop)
{
	struct input in = { 0 };
	struct fault f = { 0 };

	for (int i = 0; i < count; i++)
		input_add(&in, names[i], &f);
	for (size_t i = 0; i < in.count; i++)
		tell(in.files[i].path, stop);
	input_free(&in);
}

int
main(int argc, char **argv)
{
	const double began = load_clock(CLOCK_MONOTONIC);
	const double seconds = load_number(argc, argv, 1, 1);
	const double rate = load_number(argc, argv, 2, 1000);
	double now = 0;

	for (bool stop = true; now < seconds; stop = !stop) {
		tell_all(argv + 3, argc - 3, stop);
		now = load_clock(CLOCK_MONOTONIC) - began;
		if (now < (double)told / rate)
			load_sleep((double)told / rate - now);
	}
	tell_all(argv + 3, argc - 3, false);
	printf("told %lu\nkicked %lu\n", told, kicked);
	return 0;
}
