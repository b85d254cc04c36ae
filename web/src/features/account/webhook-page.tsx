import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { Webhook } from '../../../../src/contract/webhooks.ts'
import { call } from '../../app/client.ts'
import { useRouter } from '../../app/router.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { Deliveries } from './webhook-deliveries.tsx'
import { NewSecret } from './webhook-secret.tsx'
import { NewWebhookPage } from './new-webhook-page.tsx'
import { webhooksQuery } from './queries.ts'
import { webhookState } from './webhook-state.ts'

/** One webhook, or the form for a new one at the address with `new`. */
export function WebhookPage({ webhook }: AddressParameters<'/account/developer/webhooks/{webhook}'>) {
  return webhook === 'new' ? <NewWebhookPage /> : <KnownWebhookPage id={webhook} />
}

/** One webhook, with what was sent to it. */
function KnownWebhookPage({ id }: { id: string }) {
  const { text } = useTexts()
  const webhooks = useQuery(webhooksQuery)
  const webhook = webhooks.data?.find((one) => one.id === id)
  return (
    <Page title={webhook?.url ?? text(webhooks.data ? 'webhooks.notFound' : 'webhooks.title')}>
      <QueryContent query={webhooks}>
        {() => (webhook ? <WebhookDetails webhook={webhook} /> : <p>{text('webhooks.notFoundWhy')}</p>)}
      </QueryContent>
      <p>
        <Link href={pathTo('/account/developer')}>{text('developer.title')}</Link>
      </p>
    </Page>
  )
}

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const texts = useTexts()
  const { text } = texts
  const router = useRouter()
  const toast = useToast()
  const queries = useQueryClient()
  const { id, url, types, isOfOrganization, offReason, earlierSecretUntil } = webhook
  const params = { id }
  const refresh = () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey })
  const isOn = offReason === null
  const change = useMutation({
    mutationFn: () => call('changeWebhook', { params, body: { isOn: !isOn } }),
    onSettled: refresh,
  })
  const test = useMutation({
    mutationFn: () => call('testWebhook', { params }),
    onSettled: refresh,
  })
  const renewal = useMutation({
    mutationFn: () => call('renewWebhookSecret', { params }),
    onSettled: refresh,
  })
  const deletion = useMutation({
    mutationFn: () => call('deleteWebhook', { params }),
    onSuccess() {
      router.goTo(pathTo('/account/developer'))
      toast({ message: text('app.gone', { name: url }) })
      queries.setQueryData(webhooksQuery.queryKey, (all) => all?.filter((one) => one.id !== id))
      void refresh()
    },
  })
  const error = change.error ?? test.error ?? renewal.error ?? deletion.error
  return (
    <>
      <Facts
        facts={[
          [text('webhooks.state'), webhookState(texts, webhook)],
          [
            text('webhooks.events'),
            text(isOfOrganization ? 'webhooks.ofOrganization' : 'webhooks.ofAccount'),
          ],
          [text('webhooks.types'), types.length === 0 ? text('webhooks.allTypes') : types.join(', ')],
          ...(earlierSecretUntil
            ? ([[text('webhooks.earlierSecret'), <Moment key="until" of={earlierSecretUntil} />]] as const)
            : []),
        ]}
      />
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      {renewal.data && <NewSecret secret={renewal.data.secret} />}
      <div className="buttons">
        {isOn && (
          <Button isSecondary onPress={() => test.mutate()}>
            {text('webhooks.test')}
          </Button>
        )}
        <Button isSecondary onPress={() => change.mutate()}>
          {text(isOn ? 'webhooks.turnOff' : 'webhooks.turnOn')}
        </Button>
        <Confirmation
          action={text('webhooks.renew')}
          label={text('webhooks.renew')}
          consequence={text('webhooks.renewWhat')}
          onConfirm={() => renewal.mutate()}
        />
        <Confirmation
          action={text('webhooks.delete')}
          label={text('webhooks.delete')}
          consequence={text('webhooks.deleteWhat')}
          onConfirm={() => deletion.mutate()}
        />
      </div>
      <Deliveries webhook={id} isOn={isOn} />
    </>
  )
}
