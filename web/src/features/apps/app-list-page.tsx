import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import type { App } from '../../../../src/contract/account.ts'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { ButtonLink } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Day } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { useRemoval } from '../../ui/removal.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { appsQuery } from './queries.ts'

/** The apps that the user has registered. */
export function AppListPage() {
  const { text } = useTexts()
  const apps = useQuery(appsQuery)
  const removal = useRemoval({
    queryKey: appsQuery.queryKey,
    rows: apps.data,
    removeById: (id) => call('deleteApp', { params: { id } }),
  })
  const columns: readonly Column<App>[] = [
    {
      title: text('table.name'),
      isRowHeader: true,
      content: ({ id, name }) => (
        <Link href={pathTo('/account/developer/apps/{app}', { app: id })}>{name}</Link>
      ),
    },
    {
      title: text('apps.registeredOn'),
      content: ({ createdAt }) => <Day of={createdAt} />,
    },
    {
      title: text('table.action'),
      hasNoLabel: true,
      content: (app) => (
        <Confirmation
          action={text('apps.delete')}
          label={text('apps.deleteNamed', { name: app.name })}
          consequence={text('apps.deleteEnds')}
          onConfirm={() => removal.remove(app)}
        />
      ),
    },
  ]
  return (
    <Page title={text('apps.title')} heading={removal.heading}>
      <p>
        {text('apps.what')} <a href="/docs">/docs</a>
      </p>
      <Notice isError={removal.hasFailed}>{removal.notice}</Notice>
      <QueryContent query={apps}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{text('apps.none')}</p>
          ) : (
            <Table rows={rows} columns={columns} keyOf={({ id }) => id} />
          )
        }
      </QueryContent>
      <p>
        <ButtonLink href={pathTo('/account/developer/apps/new')}>{text('apps.new')}</ButtonLink>
      </p>
    </Page>
  )
}
