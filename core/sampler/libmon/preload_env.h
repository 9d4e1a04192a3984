/* Context: O.  Makes the environment that loads libmon.so into a command. */
#ifndef PRELOAD_ENV_H
#define PRELOAD_ENV_H

/* A copy of environ: it shares all strings but those in `own`. */
struct preload_env {
	char **env;		/* ended by NULL */
	char *own[3];		/* LD_PRELOAD, PROFDIR, PROFOPTS */
};

/*
 * Makes the environment.  The library replaces another libmon.so in LD_PRELOAD,
 * as two of them would interfere; else it comes first.  The user's PROFOPTS are
 * kept, except options on where profiles go, whether there are any, their other
 * formats, and the message that says where they are: the profiles will not
 * stay.  directory: for the profiles.  hz: samples a second; 0: as the user has
 * it.  Returns 0 or -ENOMEM.
 */
int preload_env_make(struct preload_env *i, const char *library,
    const char *directory, unsigned hz);

/* Frees the environment. */
void preload_env_free(struct preload_env *i);

#endif
