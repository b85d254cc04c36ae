import { useTexts } from '../app/texts.ts'

interface Props {
  /** An ISO 8601 date with time. */
  of: string
}

/** The day in the time zone of the reader. The exact time is in the tooltip. */
export function Day({ of }: Props) {
  const { language } = useTexts()
  const date = new Date(of)
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(date)
  const exactTime = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(date)
  return (
    <time dateTime={of} title={exactTime}>
      {day}
    </time>
  )
}

/** The day and the time in the time zone of the reader. */
export function Moment({ of }: Props) {
  const { language } = useTexts()
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return <time dateTime={of}>{format.format(new Date(of))}</time>
}
