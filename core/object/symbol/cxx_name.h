/*
 * Context: O.  Shortens demangled C++ names to what a programmer writes.  For
 * demangle.c alone.
 */
#ifndef CXX_NAME_H
#define CXX_NAME_H

/*
 * Returns a copy of a demangled name without what the compiler adds to it:
 * default template arguments of the standard library, its inline namespaces and
 * ABI tags; std::basic_string<char> becomes std::string, and likewise the
 * streams.  The caller frees it.  Returns NULL if brackets do not match, if
 * they are nested too deep, or if memory is out.
 */
char *cxx_name_shorten(const char *name);

#endif
