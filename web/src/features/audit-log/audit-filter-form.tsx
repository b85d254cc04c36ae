import { useTexts } from '../../app/texts.ts'
import { Field } from '../../ui/fields.tsx'
import { FilterFields } from '../../ui/filter-fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { nameOfAction } from './actions.ts'
import type { AuditFilter } from './queries.ts'

interface Props {
  /** All actions that an event can have. */
  actions: readonly string[]
  /** Rejects with USER_NOT_FOUND if the organization has no such user. */
  onChoose(filter: AuditFilter): Promise<void>
}

const knownErrors: KnownErrors = { USER_NOT_FOUND: ['user', 'audit.nobody'] }

/** Filters the audit log by user, action and days. A day starts at midnight in the time zone of the reader. */
export function AuditFilterForm({ actions, onChoose }: Props) {
  const texts = useTexts()
  const { text } = texts
  const submission = useSubmission(knownErrors, async (form) => {
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
    <SubmissionForm submission={submission} action={text('audit.show')}>
      <FilterFields>
        <Field name="user" label={text('audit.user')} maxLength={100} autoComplete="off" />
        <Select name="action" label={text('audit.action')}>
          <option value="">{text('audit.any')}</option>
          {actions.map((action) => (
            <option key={action} value={action}>
              {nameOfAction(texts, action)}
            </option>
          ))}
        </Select>
        <Field name="since" type="date" label={text('audit.since')} />
        <Field name="until" type="date" label={text('audit.until')} />
      </FilterFields>
    </SubmissionForm>
  )
}

/**
 * Returns the start of a day in the time zone of the reader, as an ISO 8601 date.
 * @param day the value of a date field, such as 2026-11-21
 * @param daysLater days to add
 */
function midnight(day: string, daysLater = 0): string {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + daysLater)
  return date.toISOString()
}
