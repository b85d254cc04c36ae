// Not in roster.ts, so that the browser app does not load the schemas.

/** The maximum number of files of a roster. OneRoster has twenty kinds of files. */
export const maxRosterFiles = 30

/** The maximum size of all files of an uploaded roster together, in bytes. 50,000 persons take about 4 MB. */
export const maxRosterBytes = 10 * 1024 * 1024
