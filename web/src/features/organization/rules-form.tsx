import {
  type AdministratorRule,
  administratorRules,
  type OrganizationRules,
  organizationRules,
  type RuleValue,
} from '../../../../src/contract/organization-rules.ts'
import { useTexts } from '../../app/texts.ts'
import { CheckboxField, Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'

const knownErrors: KnownErrors = {}

interface Props {
  rules: OrganizationRules
  /** Gets the rules that have other values in the form. */
  onReview(changed: Partial<OrganizationRules>): Promise<void>
}

/** A field for each rule. */
export function RulesForm({ rules, onReview }: Props) {
  const { text } = useTexts()
  const submission = useSubmission(knownErrors, (form) => {
    const changed = administratorRules.flatMap((name) => {
      const value = enteredValue(name, form)
      return value === rules[name] ? [] : [[name, value]]
    })
    return onReview(Object.fromEntries(changed))
  })
  return (
    <SubmissionForm submission={submission} action={text('rules.check')}>
      {administratorRules.map((name) => (
        <RuleField key={name} name={name} value={rules[name]} />
      ))}
    </SubmissionForm>
  )
}

function RuleField({ name, value }: { name: AdministratorRule; value: RuleValue }) {
  const { text } = useTexts()
  const rule = organizationRules[name]
  const [label, hint] = [text(`rules.${name}`), text(`rules.${name}.hint`)]
  if (rule.kind === 'switch')
    return <CheckboxField name={name} label={label} hint={hint} defaultSelected={value === true} />
  return (
    <Field
      name={name}
      type="number"
      label={label}
      hint={hint}
      defaultValue={value === null ? '' : String(value)}
      min={rule.min}
      max={rule.max}
    />
  )
}

/** Returns the value of a rule in the form. An empty number means no limit. */
function enteredValue(name: AdministratorRule, form: FormData): RuleValue {
  const entered = form.get(name)
  if (organizationRules[name].kind === 'switch') return entered !== null
  return entered === '' ? null : Number(entered)
}
