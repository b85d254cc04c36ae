import { Link } from 'react-aria-components/Link'
import type { App } from '../../../src/contract/account.ts'
import { deleteApp, listApps } from '../client.ts'
import { Confirmation } from '../confirmation.tsx'
import { Copyable } from '../copyable.tsx'
import { useEnding } from '../ending.ts'
import { useLoaded } from '../loaded.ts'
import { Loading, Notice, Page } from '../page.tsx'
import { useTexts } from '../texts.ts'

/** The apps that one has registered, and that ask others for access. */
export function MyApps() {
  const { text } = useTexts()
  const { value: apps, error, reload } = useLoaded(listApps)
  const ending = useEnding(deleteApp, reload)
  return (
    <Page title={text('apps.title')} heading={ending.heading}>
      <p>
        {text('apps.what')} <a href="/docs">/docs</a>
      </p>
      <Notice isWrong={ending.hasFailed}>{ending.notice}</Notice>
      {apps === undefined ? (
        <Loading error={error} />
      ) : apps.length === 0 ? (
        <p>{text('apps.none')}</p>
      ) : (
        apps.map((app) => <OneApp key={app.id} app={app} onDelete={() => ending.end(app)} />)
      )}
      <p>
        <Link className="button" href="/account/apps/new">
          {text('apps.new')}
        </Link>
      </p>
    </Page>
  )
}

function OneApp({ app, onDelete }: { app: App; onDelete(): void }) {
  const { text } = useTexts()
  const { id, name, isPublic, redirectUris, logo } = app
  return (
    <section className="card" aria-labelledby={`app-${id}`}>
      <div className="card-head">
        {logo && <img className="logo" src={logo} alt="" width="64" height="64" />}
        <h2 id={`app-${id}`}>{name}</h2>
        <Confirmation
          action={text('apps.delete')}
          label={text('apps.deleteNamed', { name })}
          consequence={text('apps.deleteEnds')}
          onConfirm={onDelete}
        />
      </div>
      <h3>{text('apps.clientId')}</h3>
      <Copyable label={text('apps.clientId')}>{id}</Copyable>
      <h3>{text('apps.redirectUris')}</h3>
      <ul>
        {redirectUris.map((uri) => (
          <li key={uri}>
            <code>{uri}</code>
          </li>
        ))}
      </ul>
      <h3>{text('apps.kind')}</h3>
      <p>{text(isPublic ? 'apps.public' : 'apps.confidential')}</p>
    </section>
  )
}
