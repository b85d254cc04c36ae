import type { AuditLogEvent } from '../../src/contract/account.ts'
import { Moment } from './moment.tsx'
import { useTexts } from './texts.ts'

/** What was done, as docs/audit-log.md calls it. */
export function AuditEvents({ events }: { events: readonly AuditLogEvent[] }) {
  const { text } = useTexts()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{text('audit.date')}</th>
          <th scope="col">{text('audit.action')}</th>
          <th scope="col">{text('audit.actor')}</th>
          <th scope="col">{text('audit.subject')}</th>
          <th scope="col">{text('audit.details')}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <td>
              <Moment of={event.date} />
            </td>
            <th scope="row">{event.action}</th>
            <td data-label={text('audit.actor')}>{nameOf(event.actor) ?? '–'}</td>
            <td data-label={text('audit.subject')}>{nameOf(event.subject) ?? '–'}</td>
            <td data-label={text('audit.details')}>
              {Object.entries(JSON.parse(event.details)).map(([name, value]) => (
                <div key={name}>
                  {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Who is gone, and what is no account, has an id alone. */
const nameOf = (one: AuditLogEvent['actor']): string | undefined => one?.username ?? one?.id
