import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { Webhook } from '../../../../src/contract/webhooks.ts'
import { useTexts } from '../../app/texts.ts'
import { ButtonLink } from '../../ui/buttons.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { webhooksQuery } from './queries.ts'
import { webhookState } from './webhook-state.ts'

/** The webhooks of the user, and of the organization for an administrator. */
export function Webhooks() {
  const texts = useTexts()
  const { text } = texts
  const webhooks = useQuery(webhooksQuery)
  const columns: readonly Column<Webhook>[] = [
    {
      title: text('webhooks.address'),
      isRowHeader: true,
      content: ({ id, url }) => (
        <Link href={pathTo('/account/developer/webhooks/{webhook}', { webhook: id })}>{url}</Link>
      ),
    },
    {
      title: text('webhooks.events'),
      content: ({ isOfOrganization }) =>
        text(isOfOrganization ? 'webhooks.ofOrganization' : 'webhooks.ofAccount'),
    },
    { title: text('webhooks.state'), content: (webhook) => webhookState(texts, webhook) },
  ]
  return (
    <section aria-labelledby="webhooks">
      <h2 id="webhooks">{text('webhooks.title')}</h2>
      <p>{text('webhooks.what')}</p>
      <QueryContent query={webhooks}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{text('webhooks.none')}</p>
          ) : (
            <Table rows={rows} columns={columns} keyOf={({ id }) => id} />
          )
        }
      </QueryContent>
      <p>
        <ButtonLink href={pathTo('/account/developer/webhooks/{webhook}', { webhook: 'new' })}>
          {text('webhooks.new')}
        </ButtonLink>
      </p>
    </section>
  )
}
