import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import { Link } from 'react-aria-components/Link'
import type { MadePersonalToken } from '../../../src/contract/account.ts'
import { allScopes, isScope } from '../../../src/contract/scopes.ts'
import { makeToken } from '../client.ts'
import { Copyable } from '../copyable.tsx'
import { Choice, Field, Wrong } from '../fields.tsx'
import { Notice, Page } from '../page.tsx'
import { useSubmission } from '../submission.ts'
import { SubmissionForm } from '../submission-form.tsx'
import { useTexts } from '../texts.ts'

const lifetimes = [30, 90, 365] as const

/** Makes a personal token; shows it, once. */
export function NewTokenPage() {
  const { text } = useTexts()
  const [made, setMade] = useState<MadePersonalToken>()
  return made ? (
    <Page title={made.name}>
      <Notice>{text('tokens.shown')}</Notice>
      <Copyable label={made.name}>{made.token}</Copyable>
      <p>
        <Link href="/account">{text('nav.account')}</Link>
      </p>
    </Page>
  ) : (
    <Page title={text('tokens.new')}>
      <TokenForm onMade={setMade} />
    </Page>
  )
}

function TokenForm({ onMade }: { onMade(token: MadePersonalToken): void }) {
  const { text } = useTexts()
  const wrong = { name: ['name', 'tokens.nothingChosen'], scopes: ['scopes', 'tokens.nothingChosen'] } as const
  const submission = useSubmission(wrong, async (form) => {
    const days = Number(form.get('days'))
    const scopes = form.getAll('scopes').map(String).filter(isScope)
    onMade(await makeToken({ name: String(form.get('name')), scopes, ...(days > 0 && { days }) }))
  })
  return (
    <SubmissionForm submission={submission}>
      <Field name="name" label={text('tokens.name')} hint={text('tokens.nameHint')} isRequired maxLength={100} />
      <CheckboxGroup
        name="scopes"
        className="choices columns"
        validate={(chosen) => (chosen.length > 0 ? true : text('tokens.nothingChosen'))}
      >
        <Label>{text('tokens.scopes')}</Label>
        <Wrong />
        {allScopes.map((scope) => (
          <Choice key={scope} value={scope}>
            {text(`scope.${scope}`)}
          </Choice>
        ))}
      </CheckboxGroup>
      <label htmlFor="days">{text('tokens.ends')}</label>
      <select id="days" name="days">
        {lifetimes.map((days) => (
          <option key={days} value={days}>
            {text('tokens.inDays', { days })}
          </option>
        ))}
        <option value="">{text('tokens.never')}</option>
      </select>
      <Notice isWrong>{submission.error}</Notice>
      <div className="buttons">
        <Button type="submit">{text('tokens.do')}</Button>
        <Link className="button second" href="/account">
          {text('app.cancel')}
        </Link>
      </div>
    </SubmissionForm>
  )
}
