/* Context: T.  What a new process image is to inherit of the signals. */
#include "expose.h"

#include "sigmask.h"
#include "sigview.h"
#include "start.h"
#include "view.h"

void
expose_begin(struct exposed *e)
{
	struct sys_sigaction ignore = {.handler = (void *)SIG_IGN};

	e->active = view.installed && !start_boxed();
	e->ignored = false;
	if (!e->active)
		return;
	e->mask = sigmask_expose();
	/* An exec resets handlers, but keeps what is ignored. */
	if (view.tick.handler == (void *)SIG_IGN) {
		sys_sigaction(atomic_load(&view.signal), &ignore, NULL);
		e->ignored = true;
	}
	if (view.fronted != 0 && view.front.handler == (void *)SIG_IGN)
		sys_sigaction(view.fronted, &ignore, NULL);
	if (view.bus_installed && view.bus.handler == (void *)SIG_IGN)
		sys_sigaction(SIGBUS, &ignore, NULL);
}

void
expose_end(const struct exposed *e)
{
	if (!e->active)
		return;
	if (e->ignored)
		sys_sigaction(atomic_load(&view.signal), &view.real_tick, NULL);
	if (view.fronted != 0 && view.front.handler == (void *)SIG_IGN)
		sigview_install_front();
	if (view.bus_installed && view.bus.handler == (void *)SIG_IGN)
		view_install_bus(&view.bus);
	sigmask_conceal(e->mask);
}

void
expose_for_good(void)
{
	struct exposed e;

	expose_begin(&e);
	if (view.installed)
		sys_sigaction(atomic_load(&view.signal), &view.tick, NULL);
	if (view.fronted != 0)
		sys_sigaction(view.fronted, &view.front, NULL);
	view.installed = false;
}
