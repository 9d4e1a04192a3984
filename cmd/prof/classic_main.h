/* Context: O.  prof(1) as it was called on System V and BSD. */
#ifndef CLASSIC_MAIN_H
#define CLASSIC_MAIN_H

enum classic_main_match {
	CLASSIC_MAIN_NO,
	CLASSIC_MAIN_YES,		/* --classic, or on a classic file */
	/* its options, but not on such a file */
	CLASSIC_MAIN_OTHER_FILE,
};

/*
 * Is it a command line of those?  By --classic, or by its options alone: the
 * profile has to be one of a classic profiler then, or *file says which is not.
 * argv is that of main().
 */
enum classic_main_match classic_main_match(int argc, char **argv,
    const char **file);

/* The exit code. */
int classic_main(int argc, char **argv);

#endif
