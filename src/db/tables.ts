/** The columns of every table, as a query sees them. Times are integer milliseconds since 1970. */
export interface Tables {}
