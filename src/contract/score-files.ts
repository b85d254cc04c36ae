// Not in scores.ts, so that the browser app does not load the schemas.

/** Maximum size of a score file, in bytes. */
export const maxScoreFileBytes = 10 * 1024 * 1024
