/* This library is preloaded for leak checks. It keeps libraries loaded, so that a leak in a plug-in of Open MPI
 * still has a name in the report, and can be distinguished from one of ours. */
int dlclose(void* handle) {
  (void)handle;
  return 0;
}
