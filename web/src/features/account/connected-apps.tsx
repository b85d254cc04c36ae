import { useQuery } from '@tanstack/react-query'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Day } from '../../ui/moment.tsx'
import { AccessSection } from './access-section.tsx'
import { connectedAppsQuery } from './queries.ts'

/** The apps that the user has given access. */
export function ConnectedApps() {
  const { text } = useTexts()
  const apps = useQuery(connectedAppsQuery)
  return (
    <AccessSection
      id="connected"
      title={text('connected.title')}
      query={apps}
      queryKey={connectedAppsQuery.queryKey}
      none={text('connected.none')}
      consequence={text('connected.revokeWhat')}
      columns={[{ title: text('table.since'), content: ({ since }) => <Day of={since} /> }]}
      revoke={(id) => call('disconnectApp', { params: { id } })}
    />
  )
}
