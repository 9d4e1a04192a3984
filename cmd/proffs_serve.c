/*
 * Context: O.  A tree is mounted, and its requests are answered.
 */
#include "proffs_serve.h"

#include <fuse3/fuse_lowlevel.h>
#include <stdlib.h>

static int
serve_mounted(struct fuse *fuse, const struct fuse_cmdline_opts *o)
{
	struct fuse_session *session = fuse_get_session(fuse);
	int ret = fuse_daemonize(o->foreground);

	if (ret == 0)
		ret = fuse_set_signal_handlers(session);
	if (ret != 0)
		return ret;
	ret = fuse_loop(fuse);
	fuse_remove_signal_handlers(session);
	return ret;
}

int
proffs_serve(struct fuse_args *args, const struct fuse_operations *tree)
{
	struct fuse_cmdline_opts o;
	struct fuse *fuse = NULL;
	int ret = fuse_parse_cmdline(args, &o);

	if (ret == 0)
		fuse = fuse_new(args, tree, sizeof(*tree), NULL);
	if (fuse == NULL)
		ret = -1;
	if (ret == 0)
		ret = fuse_mount(fuse, o.mountpoint);
	if (ret == 0) {
		ret = serve_mounted(fuse, &o);
		fuse_unmount(fuse);
	}
	if (fuse != NULL)
		fuse_destroy(fuse);
	free(o.mountpoint);
	return ret != 0;
}
