import { useTexts } from '../app/texts.ts'

const day = 86_400_000

interface Props {
  /** An ISO 8601 date with time. */
  date: string
  /** The sentence around the date. */
  label?: 'work.due' | 'work.scheduled'
}

/** When work is due, in the time zone of the reader, with the distance if it is near: `Fri, Nov 27, 6:00 PM (in 2 days)`. */
export function Due({ date, label = 'work.due' }: Props) {
  const { text, language } = useTexts()
  const time = Date.parse(date)
  const format = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  })
  const days = Math.round((startOfDay(time) - startOfDay(Date.now())) / day)
  const near =
    Math.abs(days) <= 7
      ? ` (${new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')})`
      : ''
  return (
    <time dateTime={date} className="due">
      {text(label, { date: format.format(time) + near })}
    </time>
  )
}

const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0)
