/* CUBEFOLD_API marks the symbols that a cubefold shared library exports; all others are hidden. */
#ifndef CUBEFOLD_EXPORT_H
#define CUBEFOLD_EXPORT_H

#if defined(__GNUC__)
#define CUBEFOLD_API __attribute__((visibility("default")))
#else
#define CUBEFOLD_API
#endif

#endif
