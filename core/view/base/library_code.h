/*
 * Context: O.  Tells the code of a program from that of the language's
 * libraries, to find who is behind what these do.  For the findings of
 * allocation, locks and the kernel, and for core/view/sleep.  Call it after
 * symbolize_all().
 */
#ifndef LIBRARY_CODE_H
#define LIBRARY_CODE_H

#include "base/model.h"

/*
 * Returns whether the function allocates or frees memory for its caller, by its
 * name: malloc() and its like, glibc's parts of them, and the operators new and
 * delete.  Returns false for MODEL_NONE.
 */
bool library_code_allocates(const struct model *m, uint32_t function);

/*
 * Returns whether the function is code of a language's library: in a module of
 * the system (module_origin_find() is not MODULE_ORIGIN_USER); of a template of
 * the C++ library, a crate of Rust's library or Go's runtime in the program; or
 * library_code_allocates().  Returns false for MODEL_NONE.
 */
bool library_code_has(const struct model *m, uint32_t function);

/*
 * Returns the innermost frame from `frame` on outwards that is not
 * library_code_has().  If there is none before the stack ends or is cut,
 * returns the innermost one of a library that is compiled into the program and
 * does not allocate; else 0.
 */
uint32_t library_code_caller(const struct model *m, uint32_t frame);

#endif
