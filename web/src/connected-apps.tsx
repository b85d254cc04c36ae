import type { ConnectedApp } from '../../src/contract/account.ts'
import { disconnectApp, listConnectedApps } from './client.ts'
import { Confirmation } from './confirmation.tsx'
import { useEnding } from './ending.ts'
import { useLoaded } from './loaded.ts'
import { Day } from './moment.tsx'
import { Loading, Notice } from './page.tsx'
import { Scopes } from './scopes.tsx'
import { useTexts } from './texts.ts'

/** The apps of others that one has given access. */
export function ConnectedApps() {
  const { text } = useTexts()
  const { value: apps, error, reload } = useLoaded(listConnectedApps)
  const ending = useEnding(disconnectApp, reload)
  return (
    <section aria-labelledby="connected">
      <h2 id="connected" ref={ending.heading} tabIndex={-1}>
        {text('connected.title')}
      </h2>
      <Notice isWrong={ending.hasFailed}>{ending.notice}</Notice>
      {apps === undefined ? (
        <Loading error={error} />
      ) : apps.length === 0 ? (
        <p>{text('connected.none')}</p>
      ) : (
        <AppTable apps={apps} onEnd={ending.end} />
      )}
    </section>
  )
}

interface TableProps {
  apps: readonly ConnectedApp[]
  onEnd(app: ConnectedApp): void
}

function AppTable({ apps, onEnd }: TableProps) {
  const { text } = useTexts()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{text('table.name')}</th>
          <th scope="col">{text('table.allows')}</th>
          <th scope="col">{text('table.since')}</th>
          <th scope="col">{text('table.action')}</th>
        </tr>
      </thead>
      <tbody>
        {apps.map((app) => (
          <tr key={app.id}>
            <th scope="row">{app.name}</th>
            <td>
              <Scopes scopes={app.scopes} />
            </td>
            <td data-label={text('table.since')}>
              <Day of={app.since} />
            </td>
            <td>
              <Confirmation
                action={text('tokens.revoke')}
                label={text('tokens.revokeNamed', { name: app.name })}
                consequence={text('connected.revokeWhat')}
                onConfirm={() => onEnd(app)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
