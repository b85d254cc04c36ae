import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import type { AuditLog } from '../../../src/contract/account.ts'
import { AuditEvents } from '../audit-events.tsx'
import { type AuditFilter, AuditFilterForm } from '../audit-filter-form.tsx'
import { auditLogFile, listAuditLog } from '../client.ts'
import { useLoaded } from '../loaded.ts'
import { Loading, Notice, Page } from '../page.tsx'
import { inWords, useTexts } from '../texts.ts'

const listAll = () => listAuditLog({})

/** What was done to accounts and rights in the organization, for its administrators. */
export function AuditLogPage() {
  const texts = useTexts()
  const { text } = texts
  const first = useLoaded(listAll)
  const [filter, setFilter] = useState<AuditFilter>({})
  const [filtered, setFiltered] = useState<AuditLog>()
  const [error, setError] = useState<string>()
  const shown = filtered ?? first.value

  async function choose(chosen: AuditFilter) {
    setFiltered(await listAuditLog(chosen))
    setFilter(chosen)
    setError(undefined)
  }
  async function showOlder({ events, next }: AuditLog) {
    try {
      const older = await listAuditLog({ ...filter, ...(next !== null && { cursor: next }) })
      setFiltered({ ...older, events: [...events, ...older.events] })
      setError(undefined)
    } catch (refusal) {
      setError(inWords(texts, refusal))
    }
  }

  return (
    <Page title={text('audit.title')} isWide>
      <p>{text('audit.what')}</p>
      {shown === undefined ? (
        <Loading error={first.error} />
      ) : (
        <>
          <AuditFilterForm actions={shown.actions} onChoose={choose} />
          <p role="status" className="hint">
            {shown.events.length === 0 ? text('audit.none') : text('audit.count', { number: shown.events.length })}
          </p>
          {shown.events.length > 0 && <AuditEvents events={shown.events} />}
          <Notice isWrong>{error}</Notice>
          <div className="buttons">
            {shown.next !== null && <Button onPress={() => showOlder(shown)}>{text('audit.older')}</Button>}
            <a className="button second" href={auditLogFile(filter)} download>
              {text('audit.file')}
            </a>
          </div>
        </>
      )}
    </Page>
  )
}
