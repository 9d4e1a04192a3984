/*
 * Context: O.  Tells the functions of standard libraries of C++ and Rust from
 * those of programs, after symbolize_all(): for prof's trees and its summary of
 * the heap, which fold them, and for call graphs, which mark what only starts a
 * program.
 */
#ifndef LIBRARY_FUNCTIONS_H
#define LIBRARY_FUNCTIONS_H

#include "base/model.h"

/*
 * Returns for each function of the model whether it is of such a library, by
 * its name or its module, to be freed with free(3); NULL if memory is out.
 */
bool *library_functions_make(const struct model *m);

/*
 * Returns whether a function only starts the program or a thread: those of libc
 * and, in a C++ library, also each function without a name.
 */
bool library_functions_is_start(const struct model *m, uint32_t function);

/*
 * Returns as library_functions_make(), but with all functions of libc, of the
 * dynamic linker and of the C++ library: those that ask for memory or sleep for
 * others.
 */
bool *library_functions_make_system(const struct model *m);

#endif
