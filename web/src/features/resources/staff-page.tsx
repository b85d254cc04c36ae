import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { useMe } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { foldersAboveQuery, isLibrary } from '../../teaching/resources.ts'
import { ButtonLink } from '../../ui/buttons.tsx'
import { Page } from '../../ui/page.tsx'

/** Students and individual accounts have no libraries. They read why instead of the content. */
export function StaffOnly({ children }: { children: ReactNode }) {
  const { text } = useTexts()
  const { organizationRole } = useMe()
  if (organizationRole !== null && organizationRole !== 'user') return children
  return (
    <Page title={text('resources.title')}>
      <p>{text('resources.forTeachers')}</p>
      <p>
        <ButtonLink isSecondary href={pathTo('/')}>
          {text('notFound.back')}
        </ButtonLink>
      </p>
    </Page>
  )
}

/** What the user sees instead of a resource that does not exist, or that is not open to the user. */
export function MissingResource() {
  const { text } = useTexts()
  return (
    <Page title={text('resources.missing')}>
      <p>{text('resources.missingWhy')}</p>
      <p>
        <Link href={pathTo('/library')}>{text('resources.title')}</Link>
      </p>
    </Page>
  )
}

/** Returns the path of the page of a library or folder. */
export const placePath = (place: string): string =>
  place === 'root' ? pathTo('/library') : pathTo('/library/{folder}', { folder: place })

/** The library and the folders above a resource, as links. */
export function Crumbs({ of }: { of: string }) {
  const { text } = useTexts()
  const { data } = useQuery(foldersAboveQuery(of))
  if (!data) return <p className="resource-crumbs" />
  const { library, above } = data
  return (
    <nav className="resource-crumbs" aria-label={text('library.path')}>
      {library !== undefined && isLibrary(library) && (
        <Link href={placePath(library)}>{text(`resources.library.${library}`)}</Link>
      )}
      {above.map(({ id, title }) => (
        <Link key={id} href={placePath(id)}>
          {title}
        </Link>
      ))}
    </nav>
  )
}
