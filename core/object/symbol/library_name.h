/*
 * Context: O.  Tells by their names functions of the libraries of C++ and Rust,
 * in whatever module their templates were compiled, and functions that start a
 * program or a thread, also libc's.  For derive/library_functions.c (folds),
 * derive/charge_callers.c (--mine), and the findings and sleep reasons
 * of core/view.
 */
#ifndef LIBRARY_NAME_H
#define LIBRARY_NAME_H

#include <stdbool.h>

/*
 * Returns whether a name, mangled as in symbol tables or plain as in debug
 * information, but not NULL, is of namespace std, __gnu_cxx or __cxxabiv1 of
 * C++, or what their headers call to lock, or of a crate of Rust's standard
 * library: core, alloc, std, std_detect or hashbrown.
 */
bool library_name_is_standard(const char *name);

/*
 * Returns whether a function of that name only starts a program or a thread,
 * and calls what the user has written.
 */
bool library_name_is_start(const char *name);

#endif
