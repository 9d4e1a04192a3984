/* Context: O.  The environment that has libmon.so loaded into a command. */
#ifndef PRELOAD_ENV_H
#define PRELOAD_ENV_H

/* A copy of environ: its pointers, but for what is ours. */
struct preload_env {
	char **env;		/* NULL is the last */
	char *own[3];		/* LD_PRELOAD, PROFDIR, PROFOPTS */
};

/*
 * The library stands at the place of another libmon.so that was preloaded (two
 * of them would be in each other's way), else in front of all.  Of PROFOPTS
 * what the user has stays, but where profiles go, whether there are any, other
 * formats of them and the line that says where they are: they will not stay.
 * hz 0: as the user has it.  0 or -ENOMEM.
 */
int preload_env_make(struct preload_env *i, const char *library,
    const char *directory, unsigned hz);
void preload_env_free(struct preload_env *i);

#endif
