import { useTexts } from './texts.ts'

/** The day of a moment, as it is where the reader is; the time of the day when one points at it. */
export function Day({ of }: { of: string }) {
  const { language } = useTexts()
  const moment = new Date(of)
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(moment)
  const exactly = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(moment)
  return (
    <time dateTime={of} title={exactly}>
      {day}
    </time>
  )
}

/** The day and the time of it. */
export function Moment({ of }: { of: string }) {
  const { language } = useTexts()
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(of))
  return <time dateTime={of}>{shown}</time>
}
