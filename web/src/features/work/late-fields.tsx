import type { ClassAssignment, ClassAssignmentUpdate } from '../../../../src/contract/assignments.ts'
import { useTexts } from '../../app/texts.ts'
import { Field } from '../../ui/fields.tsx'

const names = ['acceptDays', 'percentPerDay', 'minimumPercent'] as const

/** What happens to work that is handed in late: how long it is accepted, and what each day takes off. */
export function LateFields({ policy }: { policy: ClassAssignment['latePolicy'] }) {
  const { text } = useTexts()
  return (
    <>
      {names.map((name) => (
        <Field
          key={name}
          name={name}
          type="number"
          label={text(`work.late.${name}`)}
          hint={text(`work.lateHint.${name}`)}
          min={0}
          max={name === 'acceptDays' ? 365 : 100}
          defaultValue={policy?.[name] === undefined ? '' : String(policy[name])}
        />
      ))}
    </>
  )
}

/** Returns the policy of the form, or nothing if the form does not show it. */
export function latePolicyOf(form: FormData): Pick<ClassAssignmentUpdate, 'latePolicy'> {
  if (!form.has('acceptDays')) return {}
  const filled = names.flatMap((name) => {
    const value = String(form.get(name)).trim()
    return value === '' ? [] : [[name, Number(value)] as const]
  })
  return { latePolicy: filled.length > 0 ? Object.fromEntries(filled) : null }
}
