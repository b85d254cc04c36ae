import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import {
  administratorRules,
  type RestrictingRule,
  type RuleValue,
} from '../../../../src/contract/organization-rules.ts'
import type { OrganizationSettings } from '../../../../src/contract/organization-settings.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { CurrentPasswordField } from '../../ui/current-password-field.tsx'
import { Facts } from '../../ui/facts.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import type { Draft } from './rules-section.tsx'

const knownErrors: KnownErrors = { WRONG_PASSWORD: ['password', 'security.wrongPassword'] }

interface Props {
  draft: Draft
  settings: OrganizationSettings
  /** @param password empty if the proof is a recent sign-in */
  onConfirm(password: string): Promise<void>
  onBack(): void
}

/** Shows changed rules with their consequences, and asks for the password. */
export function RuleReview({ draft: { rules, effects }, settings, onConfirm, onBack }: Props) {
  const { text } = useTexts()
  const locksOutCaller = effects.find((effect) => effect.locksOutCaller)
  const changed = administratorRules.filter((name) => rules[name] !== undefined)
  return (
    <>
      <Facts
        facts={changed.map((name) => [
          text(`rules.${name}`),
          <Change key={name} before={settings.rules[name]} after={rules[name] ?? null} />,
        ])}
      />
      {effects.map(({ rule, members }) => (
        <p key={rule} className="notice">
          {text(`rules.effect.${rule}`, { members })}
        </p>
      ))}
      {locksOutCaller ? (
        <div className="wrong">
          {text('rules.locksYouOut')} <FirstStep rule={locksOutCaller.rule} />
        </div>
      ) : (
        <Confirm proof={settings.proof} onConfirm={onConfirm} />
      )}
      <Button isSecondary onPress={onBack}>
        {text('rules.back')}
      </Button>
    </>
  )
}

/** What the user does before the rule can be changed. */
function FirstStep({ rule }: { rule: RestrictingRule }) {
  const { text } = useTexts()
  if (rule === 'requireProvider') return text('rules.first.requireProvider')
  return (
    <>
      {text(rule === 'requirePasskey' ? 'rules.first.requirePasskey' : 'rules.first.requireSecondFactor')}{' '}
      <Link href={pathTo('/account/security')}>{text('nav.security')}</Link>
    </>
  )
}

function Change({ before, after }: { before: RuleValue; after: RuleValue }) {
  const { text } = useTexts()
  const shown = (value: RuleValue): string => {
    if (typeof value === 'boolean') return text(value ? 'members.on' : 'members.off')
    return value === null ? text('rules.noLimit') : String(value)
  }
  return text('rules.fromTo', { before: shown(before), after: shown(after) })
}

function Confirm({ proof, onConfirm }: Pick<Props, 'onConfirm'> & Pick<OrganizationSettings, 'proof'>) {
  const { text } = useTexts()
  const submission = useSubmission(knownErrors, (form) => onConfirm(String(form.get('password') ?? '')))
  return (
    <SubmissionForm submission={submission} action={text('rules.change')}>
      {proof === 'password' ? (
        <CurrentPasswordField name="password" />
      ) : (
        <p className="hint">{text('rules.recentSignIn')}</p>
      )}
    </SubmissionForm>
  )
}
