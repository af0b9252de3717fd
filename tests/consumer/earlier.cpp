// A program in C++17 that uses the interface in C.

#include <cubefold/cubefold.h>

static_assert(__cplusplus < 202002L, "cubefold::c asks for C++20");

int main() {
  return cubefold_last_error() == nullptr;
}
