/*
 * Context: O.  Runs prof with the command lines of System V and BSD.  main() of
 * prof asks classic_main_match() before it parses options of libmon's prof.
 */
#ifndef CLASSIC_MAIN_H
#define CLASSIC_MAIN_H

/* Result of classic_main_match(). */
enum classic_main_match {
	CLASSIC_MAIN_NO,
	/*
	 * --classic is given; or -V alone; or classic options, and the file is
	 * one of a classic profiler
	 */
	CLASSIC_MAIN_YES,
	/* classic options, but the file is none of a classic profiler */
	CLASSIC_MAIN_OTHER_FILE,
};

/*
 * Decides whether the command line is one of the classic prof: it has
 * --classic; or it is -V alone; or it has options of System V's prof, not only
 * -o, and its file is one of a classic profiler.  Sets *file if it returns
 * CLASSIC_MAIN_OTHER_FILE.  argc and argv are those of main().
 */
enum classic_main_match classic_main_match(int argc, char **argv,
    const char **file);

/*
 * Runs the classic prof.  Removes --classic from argv.  Returns the exit
 * status, an enum listing_exit.
 */
int classic_main(int argc, char **argv);

#endif
