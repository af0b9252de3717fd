/* Preloaded where leaks are looked for: libraries stay loaded, so that a leak in a plug-in of Open MPI still
 * has a name when the report is made, and can be told from one of ours. */
int dlclose(void* handle) {
  (void)handle;
  return 0;
}
