import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuditLog } from '../../../../src/contract/account.ts'
import { download } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { AuditEvents } from './audit-events.tsx'
import { AuditFilterForm } from './audit-filter-form.tsx'
import { type AuditFilter, auditLogQuery } from './queries.ts'

/** The changes to accounts and rights in the organization, for its administrators. */
export function AuditLogPage() {
  const { text } = useTexts()
  const queries = useQueryClient()
  const [filter, setFilter] = useState<AuditFilter>({})
  const log = useInfiniteQuery(auditLogQuery(filter))

  async function choose(chosen: AuditFilter) {
    // The current events stay visible until the new ones are there, or until the form shows what is wrong.
    await queries.fetchInfiniteQuery({ ...auditLogQuery(chosen), staleTime: 0 })
    setFilter(chosen)
  }

  return (
    <Page title={text('audit.title')} isWide>
      <p>{text('audit.what')}</p>
      <QueryContent query={log}>
        {(data) => (
          <>
            <AuditFilterForm actions={data.pages[0]?.actions ?? []} onChoose={choose} />
            <Events data={data} />
            <div className="buttons">
              {log.hasNextPage && (
                <Button onPress={() => void log.fetchNextPage()}>{text('audit.older')}</Button>
              )}
              <Button onPress={() => void download('exportAuditLogAsCsv', { query: filter })}>
                {text('audit.file')}
              </Button>
            </div>
          </>
        )}
      </QueryContent>
    </Page>
  )
}

function Events({ data }: { data: InfiniteData<AuditLog> }) {
  const { text } = useTexts()
  const events = data.pages.flatMap((page) => page.events)
  return (
    <>
      <p role="status" className="hint">
        {events.length === 0 ? text('audit.none') : text('audit.count', { number: events.length })}
      </p>
      {events.length > 0 && <AuditEvents events={events} />}
    </>
  )
}
