/** A day of a calendar: year, month from 0 to 11, and day of the month. */
export type Day = readonly [year: number, month: number, day: number]

/**
 * Returns the weeks that have days of a month, each with seven days. Those before the first and after the last week of the month belong to
 * its neighbors.
 * @param month from 0 to 11
 * @param firstDay the day with which a week begins: 0 for Sunday, 1 for Monday
 */
export function weeksOf(year: number, month: number, firstDay: number): Day[][] {
  const before = (new Date(Date.UTC(year, month, 1)).getUTCDay() - firstDay + 7) % 7
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const weeks = Math.ceil((before + days) / 7)
  return Array.from({ length: weeks }, (_week, week) =>
    Array.from({ length: 7 }, (_day, day): Day => {
      const date = new Date(Date.UTC(year, month, 1 - before + week * 7 + day))
      return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
    }),
  )
}

/** The key of a day: `2026-11-05`. */
export const keyOfDay = ([year, month, day]: Day): string => `${keyOfMonth(year, month)}-${twoDigits(day)}`

/** The key of a month, which may be outside of the year: `2026-11`. */
export function keyOfMonth(year: number, month: number): string {
  const date = new Date(Date.UTC(year, month, 1))
  return `${date.getUTCFullYear()}-${twoDigits(date.getUTCMonth() + 1)}`
}

/** Returns the year and the month, from 0 to 11, of a key. Undefined for another text. */
export function monthOfKey(key: string): readonly [year: number, month: number] | undefined {
  const [, year, month] = /^([12]\d{3})-(0[1-9]|1[0-2])$/.exec(key) ?? []
  return year === undefined || month === undefined ? undefined : [Number(year), Number(month) - 1]
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Returns the day of a moment, in the time zone of the reader. */
export function dayOf(time: number): Day {
  const date = new Date(time)
  return [date.getFullYear(), date.getMonth(), date.getDate()]
}

interface WeekInfo {
  /** 1 for Monday, 7 for Sunday. */
  readonly firstDay: number
}

/** Returns the day with which a week begins in a language: 0 for Sunday, 1 for Monday. Browsers that do not know it begin on Monday. */
export function firstDayIn(language: string): number {
  const locale = new Intl.Locale(language) as Intl.Locale & {
    getWeekInfo?: () => WeekInfo
    weekInfo?: WeekInfo
  }
  const { firstDay = 1 } = locale.getWeekInfo?.() ?? locale.weekInfo ?? {}
  return firstDay % 7
}
