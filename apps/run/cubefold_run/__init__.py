"""Starts a program in an allocation, with the host map of the job."""
