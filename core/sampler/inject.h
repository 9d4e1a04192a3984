/* Context: O.  The environment that has libmon.so loaded into a command. */
#ifndef INJECT_H
#define INJECT_H

/* A copy of environ: its pointers, but for what is ours. */
struct inject {
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
int inject_make(struct inject *i, const char *library, const char *directory,
    unsigned hz);
void inject_free(struct inject *i);

#endif
