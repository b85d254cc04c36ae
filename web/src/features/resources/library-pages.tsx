import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import type { AddressParameters } from '../../../../src/contract/app-pages.ts'
import type { EduResource } from '../../../../src/contract/edu-resources.ts'
import { Refusal } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import {
  isLibrary,
  type Library,
  libraries,
  resourceQuery,
  resourcesQuery,
} from '../../teaching/resources.ts'
import { Button } from '../../ui/buttons.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { FilterTools, useFilter } from './filter.tsx'
import { matchesWords } from './search.ts'
import { NewFolderDialog } from './resource-dialogs.tsx'
import { ResourceActions } from './resource-actions.tsx'
import { ResourceCards } from './resource-cards.tsx'
import { Crumbs, MissingResource, placePath, StaffOnly } from './staff-page.tsx'

/** The teacher’s own library. */
export const LibraryPage = () => (
  <StaffOnly>
    <LibraryList library="root" />
  </StaffOnly>
)

/** A folder, or one of the other libraries. */
export const FolderPage = ({ folder }: AddressParameters<'/library/{folder}'>) => (
  <StaffOnly>
    {isLibrary(folder) ? (
      <LibraryList key={folder} library={folder} />
    ) : (
      <FolderList key={folder} id={folder} />
    )}
  </StaffOnly>
)

function LibraryList({ library }: { library: Library }) {
  const { text } = useTexts()
  return (
    <Page title={text('resources.title')} className="resource-page">
      {(heading) => (
        <>
          <div className="resource-head">
            {heading}
            {library !== 'flatEduContent' && <NewFolder in={library} />}
          </div>
          <nav className="resource-places" aria-label={text('library.places')}>
            {libraries.map((one) => (
              <Link key={one} href={placePath(one)} aria-current={one === library ? 'page' : undefined}>
                {text(`resources.library.${one}`)}
              </Link>
            ))}
          </nav>
          <Contents
            of={library}
            empty={
              <Empty icon="read" title={text('resources.none')}>
                <p>{text(library === 'organization' ? 'resources.noneOrganization' : 'resources.noneOwn')}</p>
              </Empty>
            }
          />
        </>
      )}
    </Page>
  )
}

function FolderList({ id }: { id: string }) {
  const { text } = useTexts()
  const folder = useQuery(resourceQuery(id))
  if (folder.error instanceof Refusal && folder.error.status === 404) return <MissingResource />
  return (
    <Page title={folder.data?.title ?? text('resources.folder')} className="resource-page">
      {(heading) => (
        <>
          <Crumbs of={id} />
          <div className="resource-head">
            {heading}
            {folder.data?.capabilities.canAddFolders && <NewFolder in={id} />}
            {folder.data && <ResourceActions resource={folder.data} />}
          </div>
          <QueryContent query={folder}>
            {({ type }) =>
              type === 'folder' && (
                <Contents
                  of={id}
                  empty={
                    <Empty icon="folder" title={text('resources.noneInFolder')}>
                      <p>{text('resources.noneOwn')}</p>
                    </Empty>
                  }
                />
              )
            }
          </QueryContent>
        </>
      )}
    </Page>
  )
}

function NewFolder({ in: parent }: { in: string }) {
  const { text } = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button isSecondary onPress={() => setOpen(true)}>
        {text('resources.newFolder')}
      </Button>
      {isOpen && <NewFolderDialog parent={parent} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The resources of a library or folder that the filters let through. */
function Contents({ of, empty }: { of: string; empty: ReactNode }) {
  const { text } = useTexts()
  const { words, subject, grade } = useFilter()
  const resources = useQuery(
    resourcesQuery(of, {
      // The search in the library of the school looks into its folders.
      ...(words !== '' && of === 'organization' && { isDeep: true }),
      ...(subject && { subjects: [subject] }),
      ...(grade && { grades: [grade] }),
    }),
  )
  const isFiltered = words !== '' || subject !== undefined || grade !== undefined
  const found = (all: readonly EduResource[]) =>
    words === '' ? all : all.filter((resource) => matchesWords(words, resource))
  return (
    <>
      <FilterTools />
      <QueryContent query={resources}>
        {(all) => {
          const shown = found(all)
          if (shown.length > 0) return <ResourceCards resources={shown} />
          return isFiltered ? <p role="status">{text('resources.noMatch')}</p> : empty
        }}
      </QueryContent>
    </>
  )
}
