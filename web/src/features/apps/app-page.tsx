import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import type { App } from '../../../../src/contract/account.ts'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import { call } from '../../app/client.ts'
import { useRouter } from '../../app/router.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Day } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { appsQuery } from './queries.ts'

/** One app that the user has registered. */
export function AppPage({ app: id }: AddressParameters<'/account/developer/apps/{app}'>) {
  const { text } = useTexts()
  const apps = useQuery(appsQuery)
  const app = apps.data?.find((one) => one.id === id)
  return (
    <Page title={app?.name ?? text(apps.data ? 'apps.notFound' : 'apps.one')}>
      <QueryContent query={apps}>
        {() => (app ? <AppDetails app={app} /> : <p>{text('apps.notFoundWhy')}</p>)}
      </QueryContent>
      <p>
        <Link href={pathTo('/account/developer/apps')}>{text('nav.apps')}</Link>
      </p>
    </Page>
  )
}

function AppDetails({ app }: { app: App }) {
  const { text } = useTexts()
  const { id, name, isPublic, redirectUris, logo, createdAt } = app
  return (
    <>
      {logo && <img className="logo" src={logo} alt="" width="64" height="64" />}
      <h2>{text('apps.clientId')}</h2>
      <Copyable label={text('apps.clientId')}>{id}</Copyable>
      <h2>{text('apps.secretTitle')}</h2>
      <p>{text(isPublic ? 'apps.noSecret' : 'apps.secretHint')}</p>
      <h2>{text('apps.redirectUris')}</h2>
      <ul>
        {redirectUris.map((uri) => (
          <li key={uri}>
            <code>{uri}</code>
          </li>
        ))}
      </ul>
      <h2>{text('apps.kind')}</h2>
      <p>{text(isPublic ? 'apps.public' : 'apps.confidential')}</p>
      <h2>{text('apps.registeredOn')}</h2>
      <p>
        <Day of={createdAt} />
      </p>
      <DeleteApp id={id} name={name} />
    </>
  )
}

function DeleteApp({ id, name }: Pick<App, 'id' | 'name'>) {
  const texts = useTexts()
  const { text } = texts
  const router = useRouter()
  const toast = useToast()
  const queries = useQueryClient()
  const { queryKey } = appsQuery
  const deletion = useMutation({
    mutationFn: () => call('deleteApp', { params: { id } }),
    onSuccess() {
      router.goTo(pathTo('/account/developer/apps'))
      toast({ message: text('app.gone', { name }) })
      // The list opens without the deleted app, also before it is read again.
      queries.setQueryData(queryKey, (apps) => apps?.filter((app) => app.id !== id))
      void queries.invalidateQueries({ queryKey })
    },
  })
  return (
    <>
      <Notice isError>{deletion.error ? errorText(texts, deletion.error) : undefined}</Notice>
      <p>
        <Confirmation
          action={text('apps.delete')}
          label={text('apps.deleteNamed', { name })}
          consequence={text('apps.deleteEnds')}
          onConfirm={() => deletion.mutate()}
        />
      </p>
    </>
  )
}
