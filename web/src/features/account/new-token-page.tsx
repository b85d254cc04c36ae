import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import { Link } from 'react-aria-components/Link'
import type { CreatedPersonalToken } from '../../../../src/contract/account.ts'
import { tokenLifetimes } from '../../../../src/contract/account-limits.ts'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { allScopes, isScope } from '../../../../src/contract/scopes.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { CheckboxChoice, Field, FieldError } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { tokensQuery } from './queries.ts'

/** Creates a personal token and shows it once. */
export function NewTokenPage() {
  const { text } = useTexts()
  const [created, setCreated] = useState<CreatedPersonalToken>()
  return created ? (
    <Page title={created.name}>
      <Notice>{text('tokens.shown')}</Notice>
      <Copyable label={created.name}>{created.token}</Copyable>
      <p>
        <Link href={pathTo('/account/developer')}>{text('developer.title')}</Link>
      </p>
    </Page>
  ) : (
    <Page title={text('tokens.new')}>
      <TokenForm onCreated={setCreated} />
    </Page>
  )
}

const knownErrors: KnownErrors = {
  name: ['name', 'tokens.nothingChosen'],
  scopes: ['scopes', 'tokens.nothingChosen'],
}

function TokenForm({ onCreated }: { onCreated(token: CreatedPersonalToken): void }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const submission = useSubmission(knownErrors, async (form) => {
    const days = Number(form.get('days'))
    const scopes = form.getAll('scopes').map(String).filter(isScope)
    onCreated(
      await call('createPersonalToken', {
        body: { name: String(form.get('name')), scopes, ...(days > 0 && { days }) },
      }),
    )
    await queries.invalidateQueries({ queryKey: tokensQuery.queryKey })
  })
  return (
    <SubmissionForm
      submission={submission}
      action={text('tokens.do')}
      cancelPath={pathTo('/account/developer')}
    >
      <Field
        name="name"
        label={text('tokens.name')}
        hint={text('tokens.nameHint')}
        isRequired
        maxLength={100}
      />
      <CheckboxGroup
        name="scopes"
        className="choices columns"
        validate={(chosen) => (chosen.length > 0 ? true : text('tokens.nothingChosen'))}
      >
        <Label>{text('tokens.scopes')}</Label>
        <FieldError />
        {allScopes.map((scope) => (
          <CheckboxChoice key={scope} value={scope}>
            {text(`scope.${scope}`)}
          </CheckboxChoice>
        ))}
      </CheckboxGroup>
      <label htmlFor="days">{text('tokens.ends')}</label>
      <select id="days" name="days">
        {tokenLifetimes.map((days) => (
          <option key={days} value={days}>
            {text('tokens.inDays', { days })}
          </option>
        ))}
        <option value="">{text('tokens.never')}</option>
      </select>
    </SubmissionForm>
  )
}
