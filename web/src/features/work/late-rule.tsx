import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import { acceptedUntil } from '../../../../src/contract/late-policy.ts'
import { useTexts } from '../../app/texts.ts'

type Facts = Pick<ClassAssignment, 'dueDate' | 'latePolicy'>

/** Whether work that nobody has graded or returned is no longer accepted. */
export function isClosed({ dueDate, latePolicy }: Facts, now: number): boolean {
  if (dueDate === undefined || latePolicy === undefined) return false
  const until = acceptedUntil(Date.parse(dueDate), latePolicy)
  return until !== undefined && now > until
}

/** What happens to work that is handed in late, for students before they hand in. */
export function LateRule({ of: { dueDate, latePolicy } }: { of: Facts }) {
  const { text, language } = useTexts()
  if (dueDate === undefined || latePolicy === undefined) return null
  const { percentPerDay = 0, minimumPercent = 0 } = latePolicy
  const until = acceptedUntil(Date.parse(dueDate), latePolicy)
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' })
  return (
    <p className="hint">
      {until !== undefined && text('work.late.until', { date: format.format(until) })}{' '}
      {percentPerDay > 0 && text('work.late.percent', { percent: percentPerDay, least: minimumPercent })}
    </p>
  )
}
