import './class-frame.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { type AppAddress, pathTo } from '../../../src/contract/app-pages.ts'
import type { ClassDetails } from '../../../src/contract/classes.ts'
import type { TextKey } from '../../../src/texts/catalogue.ts'
import { Refusal } from '../app/client.ts'
import { useTexts } from '../app/texts.ts'
import { Page } from '../ui/page.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { classQuery, managesClass } from './queries.ts'

type ClassAddress = Extract<AppAddress, `/classes/{class}${'' | '/people' | '/gradebook' | '/settings'}`>

interface Tab {
  readonly address: ClassAddress
  readonly text: TextKey
  /** Only who manages the class sees the tab. */
  readonly isForTeachers: boolean
}

const tabs: readonly Tab[] = [
  { address: '/classes/{class}', text: 'classes.work', isForTeachers: false },
  { address: '/classes/{class}/people', text: 'classes.people', isForTeachers: false },
  { address: '/classes/{class}/gradebook', text: 'classes.gradebook', isForTeachers: true },
  { address: '/classes/{class}/settings', text: 'classes.settings', isForTeachers: true },
]

interface Props {
  /** The id of the class. */
  id: string
  /** The tab that is shown. */
  address: ClassAddress
  /** Uses more of the window, for a large table. */
  isWide?: boolean
  children(schoolClass: ClassDetails): ReactNode
}

/** A page of a class: its name, its tabs, and the content of one tab. */
export function ClassFrame({ id, address, isWide = false, children }: Props) {
  const { text } = useTexts()
  const schoolClass = useQuery(classQuery(id))
  if (schoolClass.error instanceof Refusal && schoolClass.error.status === 404) return <MissingClass />
  return (
    <Page
      title={schoolClass.data?.name ?? text('classes.one')}
      className={isWide ? 'class-page wide' : 'class-page'}
    >
      <QueryContent query={schoolClass}>
        {(loaded) => {
          const manages = managesClass(loaded)
          const shown = tabs.filter(({ isForTeachers }) => manages || !isForTeachers)
          return (
            <>
              {loaded.section && <p className="class-section">{loaded.section}</p>}
              <nav className="class-tabs" aria-label={loaded.name}>
                {shown.map((tab) => (
                  <Link
                    key={tab.address}
                    href={pathTo(tab.address, { class: id })}
                    aria-current={tab.address === address ? 'page' : undefined}
                  >
                    {text(tab.text)}
                  </Link>
                ))}
              </nav>
              {loaded.state === 'archived' && <p className="notice">{text('classes.archivedWhat')}</p>}
              {loaded.state === 'inactive' && <p className="notice">{text('classes.inactiveWhat')}</p>}
              {shown.some((tab) => tab.address === address) ? (
                children(loaded)
              ) : (
                <p>{text('classes.forTeachers')}</p>
              )}
            </>
          )
        }}
      </QueryContent>
    </Page>
  )
}

/** What the user sees instead of a class that does not exist, or that is not visible to the user. */
export function MissingClass() {
  const { text } = useTexts()
  return (
    <Page title={text('classes.missing')}>
      <p>{text('classes.missingWhy')}</p>
      <p>
        <Link href={pathTo('/classes')}>{text('classes.all')}</Link>
      </p>
    </Page>
  )
}
