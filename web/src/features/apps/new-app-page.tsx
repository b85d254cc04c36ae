import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Label } from 'react-aria-components/Label'
import { Link } from 'react-aria-components/Link'
import { RadioGroup } from 'react-aria-components/RadioGroup'
import type { RegisteredApp } from '../../../../src/contract/account.ts'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Field, RadioChoice } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { LogoField } from './logo-field.tsx'
import { appsQuery } from './queries.ts'

/** Registers an app and shows its secret once. */
export function NewAppPage() {
  const { text } = useTexts()
  const [registered, setRegistered] = useState<RegisteredApp>()
  return registered ? (
    <Page title={text('apps.registered', { app: registered.name })}>
      <h2>{text('apps.clientId')}</h2>
      <Copyable label={text('apps.clientId')}>{registered.id}</Copyable>
      {registered.secret ? (
        <>
          <h2>{text('apps.secretTitle')}</h2>
          <Notice>{text('apps.secret')}</Notice>
          <Copyable label={text('apps.secretTitle')}>{registered.secret}</Copyable>
        </>
      ) : (
        <p>{text('apps.noSecret')}</p>
      )}
      <p>
        <Link href={pathTo('/account/developer/apps')}>{text('nav.apps')}</Link>
      </p>
    </Page>
  ) : (
    <Page title={text('apps.new')}>
      <AppForm onRegistered={setRegistered} />
    </Page>
  )
}

const knownErrors: KnownErrors = {
  name: ['name', 'apps.badName'],
  redirectUris: ['redirectUris', 'apps.badUris'],
  logo: ['logo', 'apps.badLogo'],
}

function AppForm({ onRegistered }: { onRegistered(app: RegisteredApp): void }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const [logo, setLogo] = useState<string>()
  const submission = useSubmission(knownErrors, async (form) => {
    const lines = String(form.get('redirectUris')).split('\n')
    onRegistered(
      await call('registerApp', {
        body: {
          name: String(form.get('name')),
          redirectUris: lines.flatMap((line) => line.trim() || []),
          isPublic: form.get('kind') === 'public',
          ...(logo !== undefined && { logo }),
        },
      }),
    )
    await queries.invalidateQueries({ queryKey: appsQuery.queryKey })
  })
  return (
    <SubmissionForm
      submission={submission}
      action={text('apps.do')}
      cancelPath={pathTo('/account/developer/apps')}
    >
      <Field name="name" label={text('apps.name')} hint={text('apps.nameHint')} isRequired maxLength={100} />
      <Field
        name="redirectUris"
        label={text('apps.redirectUris')}
        hint={text('apps.redirectUrisHint')}
        isMultiline
        isRequired
        spellCheck="false"
      />
      <RadioGroup name="kind" defaultValue="confidential" className="choices">
        <Label>{text('apps.kind')}</Label>
        <RadioChoice value="confidential">{text('apps.confidential')}</RadioChoice>
        <RadioChoice value="public">{text('apps.public')}</RadioChoice>
      </RadioGroup>
      <LogoField onChoose={setLogo} error={submission.fieldErrors.logo} />
    </SubmissionForm>
  )
}
