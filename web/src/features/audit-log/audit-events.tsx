import type { AuditLogEvent } from '../../../../src/contract/account.ts'
import { useTexts } from '../../app/texts.ts'
import { Moment } from '../../ui/moment.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { nameOfAction } from './actions.ts'
import { ClassLink, Details } from './details.tsx'

/** The events of the audit log. docs/audit-log.md explains the actions and their details. */
export function AuditEvents({ events }: { events: readonly AuditLogEvent[] }) {
  const texts = useTexts()
  const { text } = texts
  const columns: readonly Column<AuditLogEvent>[] = [
    { title: text('audit.date'), hasNoLabel: true, content: ({ date }) => <Moment of={date} /> },
    { title: text('audit.action'), isRowHeader: true, content: ({ action }) => nameOfAction(texts, action) },
    {
      title: text('audit.actor'),
      content: ({ actor }) =>
        actor ? (actor.username ?? text('audit.former', { id: endOf(actor.id) })) : '–',
    },
    { title: text('audit.subject'), content: (event) => <Subject of={event} /> },
    { title: text('audit.details'), content: ({ details }) => <Details json={details} /> },
  ]
  return <Table rows={events} columns={columns} keyOf={({ id }) => id} />
}

/** A class has its page. A deleted account and other objects have an id only, whose end tells them apart. */
function Subject({ of: { action, subject } }: { of: AuditLogEvent }) {
  const { text } = useTexts()
  if (!subject || subject.username) return subject?.username ?? '–'
  if (action.startsWith('class.')) return <ClassLink id={subject.id} />
  if (action.startsWith('organization.')) return text('nav.organization')
  return action.startsWith('user.')
    ? text('audit.former', { id: endOf(subject.id) })
    : `…${endOf(subject.id)}`
}

const endOf = (id: string): string => id.slice(-6)
