/*
 * Context: O.  Makes demangled C++ names fit by leaving out template arguments.
 * base/name_text.c of core/view calls this.
 */
#ifndef CXX_COLLAPSE_H
#define CXX_COLLAPSE_H

#include <stddef.h>

/*
 * Returns a copy of a name whose innermost template arguments are replaced by
 * "...", at as many levels as are needed to make it at most `bytes` long:
 * "std::map<std::string, std::pair<...>>", then "std::map<...>".  The name of
 * the function itself stays.  The caller frees it.  Returns NULL if the name
 * has no such arguments, if brackets do not match, or if memory is out.
 */
char *cxx_collapse(const char *name, size_t bytes);

#endif
