"""Fixes of the past, each with a change of the sources that takes it back, and with a test that has to fail then."""

FIXES = []
