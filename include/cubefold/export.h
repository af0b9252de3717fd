/* Marks what a cubefold shared library lets others see; everything else is hidden. */
#ifndef CUBEFOLD_EXPORT_H
#define CUBEFOLD_EXPORT_H

#if defined(__GNUC__)
#define CUBEFOLD_API __attribute__((visibility("default")))
#else
#define CUBEFOLD_API
#endif

#endif
