import type { AuditLogEvent } from '../../../../src/contract/account.ts'
import { useTexts } from '../../app/texts.ts'
import { Moment } from '../../ui/moment.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { nameOfAction } from './actions.ts'

/** The events of the audit log. docs/audit-log.md explains the actions and their details. */
export function AuditEvents({ events }: { events: readonly AuditLogEvent[] }) {
  const texts = useTexts()
  const { text } = texts
  const columns: readonly Column<AuditLogEvent>[] = [
    { title: text('audit.date'), hasNoLabel: true, content: ({ date }) => <Moment of={date} /> },
    { title: text('audit.action'), isRowHeader: true, content: ({ action }) => nameOfAction(texts, action) },
    { title: text('audit.actor'), content: ({ actor }) => nameOf(actor) },
    { title: text('audit.subject'), content: ({ subject }) => nameOf(subject) },
    { title: text('audit.details'), content: ({ details }) => <Details json={details} /> },
  ]
  return <Table rows={events} columns={columns} keyOf={({ id }) => id} />
}

function Details({ json }: { json: string }) {
  return Object.entries(JSON.parse(json)).map(([name, value]) => (
    <div key={name}>
      {name}: {shown(value)}
    </div>
  ))
}

/** A text as it is, and a list of texts with commas, between which a line can break. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return JSON.stringify(value)
}

/** A deleted account and an object that is not an account have an id only. */
const nameOf = (subject: AuditLogEvent['actor']): string => subject?.username ?? subject?.id ?? '–'
