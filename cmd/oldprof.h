/* Context: O.  prof(1) as it was called on System V and BSD. */
#ifndef OLDPROF_H
#define OLDPROF_H

enum oldprof_meant {
	OLDPROF_NO,
	OLDPROF_YES,		/* --classic, or on a classic file */
	OLDPROF_OTHER_FILE,	/* its options, but not on such a file */
};

/*
 * Is it a command line of those?  By --classic, or by its options alone: the
 * profile has to be one of a classic profiler then, or *file says which is not.
 * argv is that of main().
 */
enum oldprof_meant oldprof_meant(int argc, char **argv, const char **file);

/* The exit code. */
int oldprof(int argc, char **argv);

#endif
