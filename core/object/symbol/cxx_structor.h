/*
 * Context: O.  Finds in names of C++ which variant of a constructor or
 * destructor they are of, for model/names/inlines.c.
 *
 * GCC makes several functions of a constructor: C1 makes a whole object, C2 a
 * base.  Debug information names the inlined one C4, which no symbol is called.
 */
#ifndef CXX_STRUCTOR_H
#define CXX_STRUCTOR_H

#include <stddef.h>

/*
 * Returns the index of the digit in a mangled name that says which variant of a
 * constructor or destructor an inlined function is, '4'; 0 if the name, which
 * is not NULL, is of another function.
 */
size_t cxx_structor_inlined(const char *name);

#endif
