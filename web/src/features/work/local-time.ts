/**
 * Returns a time as a field of the type `datetime-local` takes it, in the time zone of the browser.
 * @param date an ISO 8601 date with time; without it the field is empty
 */
export function toLocalField(date: string | undefined): string {
  if (date === undefined) return ''
  const time = new Date(date)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/**
 * Returns the time that such a field has, in UTC.
 * @returns null for an empty field
 */
export function fromLocalField(value: string): string | null {
  return value === '' ? null : new Date(value).toISOString()
}

/** The name of the time zone of the browser, such as `Europe/Berlin`. */
export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
