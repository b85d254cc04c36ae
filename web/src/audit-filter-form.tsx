import { Button } from 'react-aria-components/Button'
import { Field } from './fields.tsx'
import { Notice } from './page.tsx'
import { useSubmission } from './submission.ts'
import { SubmissionForm } from './submission-form.tsx'
import { useTexts } from './texts.ts'

/** What is asked for, as parameters of the address: user, action, since and until. */
export type AuditFilter = Readonly<Record<string, string>>

interface Props {
  /** All that an event can be called. */
  actions: readonly string[]
  onChoose(filter: AuditFilter): Promise<void>
}

const wrong = { USER_NOT_FOUND: ['user', 'audit.nobody'] } as const

/** Narrows the log down: by person, by what was done, by days as they are where the reader is. */
export function AuditFilterForm({ actions, onChoose }: Props) {
  const { text } = useTexts()
  const submission = useSubmission(wrong, async (form) => {
    const [user, action, since, until] = ['user', 'action', 'since', 'until'].map((name) =>
      String(form.get(name)).trim(),
    )
    await onChoose({
      ...(user && { user }),
      ...(action && { action }),
      ...(since && { since: midnight(since) }),
      ...(until && { until: midnight(until, 1) }),
    })
  })
  return (
    <SubmissionForm submission={submission}>
      <div className="filter">
        <Field name="user" label={text('audit.user')} maxLength={100} autoComplete="off" />
        <div>
          <label htmlFor="action">{text('audit.action')}</label>
          <select id="action" name="action">
            <option value="">{text('audit.any')}</option>
            {actions.map((action) => (
              <option key={action}>{action}</option>
            ))}
          </select>
        </div>
        <Field name="since" type="date" label={text('audit.since')} />
        <Field name="until" type="date" label={text('audit.until')} />
      </div>
      <Notice isWrong>{submission.error}</Notice>
      <Button type="submit">{text('audit.show')}</Button>
    </SubmissionForm>
  )
}

/** When a day begins, or one so many days later. @param day as a field for dates has it, 2026-11-21 */
function midnight(day: string, later = 0): string {
  const moment = new Date(`${day}T00:00`)
  moment.setDate(moment.getDate() + later)
  return moment.toISOString()
}
