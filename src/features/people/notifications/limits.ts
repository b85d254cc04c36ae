/** The days after which a notification is deleted. */
export const keptDays = 90
/** How many notifications an account keeps. */
export const keptOfAccount = 500
