import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Label } from 'react-aria-components/Label'
import { Link } from 'react-aria-components/Link'
import { RadioGroup } from 'react-aria-components/RadioGroup'
import type { RegisteredApp } from '../../../src/contract/account.ts'
import { makeApp } from '../client.ts'
import { Copyable } from '../copyable.tsx'
import { Alternative, Field } from '../fields.tsx'
import { LogoField } from '../logo-field.tsx'
import { Notice, Page } from '../page.tsx'
import { useSubmission } from '../submission.ts'
import { SubmissionForm } from '../submission-form.tsx'
import { useTexts } from '../texts.ts'

/** Registers an app; shows its secret, once. */
export function NewAppPage() {
  const { text } = useTexts()
  const [made, setMade] = useState<RegisteredApp>()
  return made ? (
    <Page title={text('apps.registered', { app: made.name })}>
      <h2>{text('apps.clientId')}</h2>
      <Copyable label={text('apps.clientId')}>{made.id}</Copyable>
      {made.secret ? (
        <>
          <h2>{text('apps.secretTitle')}</h2>
          <Notice>{text('apps.secret')}</Notice>
          <Copyable label={text('apps.secretTitle')}>{made.secret}</Copyable>
        </>
      ) : (
        <p>{text('apps.noSecret')}</p>
      )}
      <p>
        <Link href="/account/apps">{text('nav.apps')}</Link>
      </p>
    </Page>
  ) : (
    <Page title={text('apps.new')}>
      <AppForm onMade={setMade} />
    </Page>
  )
}

function AppForm({ onMade }: { onMade(app: RegisteredApp): void }) {
  const { text } = useTexts()
  const [logo, setLogo] = useState<string>()
  const wrong = {
    name: ['name', 'apps.badName'],
    redirectUris: ['redirectUris', 'apps.badUris'],
    logo: ['logo', 'apps.badLogo'],
  } as const
  const submission = useSubmission(wrong, async (form) => {
    const lines = String(form.get('redirectUris')).split('\n')
    onMade(
      await makeApp({
        name: String(form.get('name')),
        redirectUris: lines.flatMap((line) => line.trim() || []),
        isPublic: form.get('kind') === 'public',
        ...(logo !== undefined && { logo }),
      }),
    )
  })
  return (
    <SubmissionForm submission={submission}>
      <Field name="name" label={text('apps.name')} hint={text('apps.nameHint')} isRequired maxLength={100} />
      <Field
        name="redirectUris"
        label={text('apps.redirectUris')}
        hint={text('apps.redirectUrisHint')}
        hasLines
        isRequired
        spellCheck="false"
      />
      <RadioGroup name="kind" defaultValue="confidential" className="choices">
        <Label>{text('apps.kind')}</Label>
        <Alternative value="confidential">{text('apps.confidential')}</Alternative>
        <Alternative value="public">{text('apps.public')}</Alternative>
      </RadioGroup>
      <LogoField onChoose={setLogo} error={submission.fieldErrors.logo} />
      <Notice isWrong>{submission.error}</Notice>
      <div className="buttons">
        <Button type="submit">{text('apps.do')}</Button>
        <Link className="button second" href="/account/apps">
          {text('app.cancel')}
        </Link>
      </div>
    </SubmissionForm>
  )
}
