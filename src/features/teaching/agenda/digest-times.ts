import { minute } from '../../../lib/durations.ts'

/** The hour at which daily and weekly mails are sent, and the day of the weekly ones: Monday. */
export const digestHour = 16
export const digestWeekday = 1
/** A mail tells no notification that is older than this number of days. */
export const oldestDays = 8
/**
 * A mail tells no notification that is younger, in milliseconds. The transaction of an older id may end later than that of a younger
 * one, and what follows the last notification of a mail is told by the next one.
 */
export const settleTime = minute
