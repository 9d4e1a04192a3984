/*
 * Context: O.  Makes the environment that loads libmon.so into a command, from
 * the environment of this process.  For backend_preload.c (tprof monitor), prof
 * record and prof doctor, which hand it to the child.
 */
#ifndef PRELOAD_ENV_H
#define PRELOAD_ENV_H

#include <stdbool.h>

/* Describes the environment to make.  Strings are borrowed. */
struct preload_env_request {
	const char *library;	/* path of the libmon.so to preload */
	const char *directory;	/* PROFDIR */
	/* options behind those of the user's PROFOPTS, which they override */
	const char *options;
	/*
	 * drop options of the user on other formats and on whether to count
	 * from the start
	 */
	bool plain;
};

/* A copy of environ: it shares all strings but those in `own`. */
struct preload_env {
	char **env;		/* ended by NULL */
	char *own[3];		/* LD_PRELOAD, PROFDIR, PROFOPTS */
};

/*
 * Makes the environment, which is valid while environ stays as it is.  The
 * library replaces another libmon.so in LD_PRELOAD, as two of them would
 * interfere; else it comes first.  The user's PROFOPTS are kept, except options
 * on where profiles go (dir, file) and the message that says where they are
 * (msg); with `plain` also those on other formats and on whether counting
 * starts.  Returns 0; or -ENOMEM, with *i all zero.
 */
int preload_env_make(struct preload_env *i,
    const struct preload_env_request *want);

/* Frees the environment. */
void preload_env_free(struct preload_env *i);

#endif
