/** The end of the help, and of the manual page. */
export const EPILOGUE =
  'Exit codes: 0 all evidence read in full; 1 done, but some evidence could not be read in full (rows and manifest name it);\n' +
  '2 wrong usage; 3 nothing found; 5 secrets found (with --fail-on-secrets); 70 a fault of the program.\n' +
  'Evidence is only read. No network is used.';
