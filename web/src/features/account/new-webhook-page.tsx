import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import { Link } from 'react-aria-components/Link'
import { RadioGroup } from 'react-aria-components/RadioGroup'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import {
  accountEventTypes,
  isAccountEvent,
  isOrganizationEvent,
  organizationEventTypes,
} from '../../../../src/contract/event-types.ts'
import { maxWebhookUrlLength } from '../../../../src/contract/webhook-limits.ts'
import type { WebhookWithSecret } from '../../../../src/contract/webhooks.ts'
import { call } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { CheckboxChoice, Field, RadioChoice } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { webhooksQuery } from './queries.ts'
import { NewSecret } from './webhook-secret.tsx'

/** Adds a webhook and shows its secret once. */
export function NewWebhookPage() {
  const { text } = useTexts()
  const [added, setAdded] = useState<WebhookWithSecret>()
  return added ? (
    <Page title={text('webhooks.added')}>
      <NewSecret secret={added.secret} />
      <p>
        <Link href={pathTo('/account/developer/webhooks/{webhook}', { webhook: added.id })}>{added.url}</Link>
      </p>
    </Page>
  ) : (
    <Page title={text('webhooks.new')}>
      <WebhookForm onAdded={setAdded} />
    </Page>
  )
}

const knownErrors: KnownErrors = { url: ['url', 'webhooks.badAddress'] }

function WebhookForm({ onAdded }: { onAdded(webhook: WebhookWithSecret): void }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const { organizationRole } = useMe()
  const canChoose = organizationRole === 'admin' || organizationRole === 'accountAdmin'
  const [isOfOrganization, setOfOrganization] = useState(canChoose)
  const submission = useSubmission(knownErrors, async (form) => {
    const chosen = form.getAll('types').map(String)
    const types = isOfOrganization ? chosen.filter(isOrganizationEvent) : chosen.filter(isAccountEvent)
    const url = String(form.get('url')).trim()
    onAdded(await call('addWebhook', { body: { url, types, isOfOrganization } }))
    await queries.invalidateQueries({ queryKey: webhooksQuery.queryKey })
  })
  return (
    <SubmissionForm
      submission={submission}
      action={text('webhooks.do')}
      cancelPath={pathTo('/account/developer')}
    >
      <Field
        name="url"
        type="url"
        label={text('webhooks.address')}
        hint={text('webhooks.addressHint')}
        isRequired
        maxLength={maxWebhookUrlLength}
      />
      {canChoose && (
        <RadioGroup
          className="choices"
          value={isOfOrganization ? 'organization' : 'account'}
          onChange={(value) => setOfOrganization(value === 'organization')}
        >
          <Label>{text('webhooks.events')}</Label>
          <RadioChoice value="organization">{text('webhooks.ofOrganization')}</RadioChoice>
          <RadioChoice value="account">{text('webhooks.ofAccount')}</RadioChoice>
        </RadioGroup>
      )}
      <CheckboxGroup key={String(isOfOrganization)} name="types" className="choices columns">
        <Label>{text('webhooks.types')}</Label>
        {(isOfOrganization ? organizationEventTypes : accountEventTypes).map((type) => (
          <CheckboxChoice key={type} value={type}>
            {type}
          </CheckboxChoice>
        ))}
      </CheckboxGroup>
    </SubmissionForm>
  )
}
