import { Accesses } from './accesses.tsx'
import { disconnectApp, listConnectedApps } from './client.ts'
import { Day } from './moment.tsx'
import { useTexts } from './texts.ts'

/** The apps of others that one has given access. */
export function ConnectedApps() {
  const { text } = useTexts()
  return (
    <Accesses
      id="connected"
      title={text('connected.title')}
      none={text('connected.none')}
      consequence={text('connected.revokeWhat')}
      columns={[{ title: text('table.since'), content: ({ since }) => <Day of={since} /> }]}
      load={listConnectedApps}
      end={disconnectApp}
    />
  )
}
