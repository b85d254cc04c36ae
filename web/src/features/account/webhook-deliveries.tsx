import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { WebhookDelivery } from '../../../../src/contract/webhooks.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { deliveriesQuery } from './queries.ts'

/** What was sent to a webhook lately, and what it answered. */
export function Deliveries({ webhook, isOn }: { webhook: string; isOn: boolean }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const query = deliveriesQuery(webhook)
  const deliveries = useQuery(query)
  const again = useMutation({
    mutationFn: (delivery: string) => call('sendWebhookAgain', { params: { id: webhook, delivery } }),
    onSettled: () => queries.invalidateQueries({ queryKey: query.queryKey }),
  })
  const columns: readonly Column<WebhookDelivery>[] = [
    { title: text('audit.date'), content: ({ createdAt }) => <Moment of={createdAt} /> },
    { title: text('webhooks.type'), isRowHeader: true, content: ({ type }) => type },
    { title: text('webhooks.state'), content: ({ state }) => text(`webhooks.delivery.${state}`) },
    { title: text('webhooks.attempts'), content: ({ attempts }) => attempts },
    { title: text('webhooks.answer'), content: ({ status, response }) => status ?? response ?? '–' },
    {
      title: text('table.action'),
      hasNoLabel: true,
      content: ({ id, type, state }) =>
        isOn &&
        (state === 'delivered' || state === 'failed') && (
          <Button
            isSecondary
            aria-label={text('webhooks.againNamed', { type })}
            onPress={() => again.mutate(id)}
          >
            {text('webhooks.again')}
          </Button>
        ),
    },
  ]
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">{text('webhooks.deliveries')}</h2>
      <Notice isError>{again.error ? errorText(texts, again.error) : undefined}</Notice>
      <QueryContent query={deliveries}>
        {({ deliveries: rows }) =>
          rows.length === 0 ? (
            <p>{text('webhooks.noDeliveries')}</p>
          ) : (
            <Table rows={rows} columns={columns} keyOf={({ id }) => id} />
          )
        }
      </QueryContent>
    </section>
  )
}
