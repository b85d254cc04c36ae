import './home-page.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useContext } from 'react'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { useTexts } from '../../app/texts.ts'
import { ButtonLink } from '../../ui/buttons.tsx'
import { HomeSectionsContext } from '../../ui/home-sections.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useCollections } from './places.tsx'
import { PractisedShelf } from './practised-shelf.tsx'
import { type Filters, scoresQuery, usualSort } from './queries.ts'
import { ScoreItems } from './score-items.tsx'
import { UploadButton } from './upload-button.tsx'

/** The first page of a signed-in user: what the user worked on last, and the ways to everything else. */
export function HomePage() {
  const { text } = useTexts()
  const sections = useContext(HomeSectionsContext)
  return (
    <Page title={text('home.title')} className="home">
      {(heading) => (
        <>
          <div className="home-head">
            {heading}
            <div className="home-actions">
              <ButtonLink isSecondary href={pathTo('/scores/new')}>
                {text('newScore.title')}
              </ButtonLink>
              <UploadButton collection="root" />
            </div>
          </div>
          {sections.map((Section, index) => (
            <Suspense key={index}>
              <Section />
            </Suspense>
          ))}
          <PractisedShelf />
          <Shelf
            id="recent"
            title={text('home.recent')}
            collection="allScores"
            href={pathTo('/scores')}
            empty={
              <Empty icon="scores" title={text('library.emptyTitle')}>
                <p>{text('library.emptyHint')}</p>
              </Empty>
            }
          />
          <Shelf
            id="shared"
            title={text('home.shared')}
            collection="collaborations"
            filters={ofOthers}
            href={`${pathTo('/scores/shared')}?owner=others`}
          />
          <Shelf id="liked" title={text('library.liked')} collection="likes" href={pathTo('/scores/liked')} />
          <Folders />
        </>
      )}
    </Page>
  )
}

const noFilters: Filters = {}
const ofOthers: Filters = { owner: 'others' }

interface ShelfProps {
  /** The id of the heading. */
  id: string
  title: string
  collection: string
  filters?: Filters
  /** The page with the whole list. */
  href: string
  /** Without it, nothing is shown for an empty list. */
  empty?: React.ReactNode
}

/** The first scores of a list. */
function Shelf({ id, title, collection, filters = noFilters, href, empty }: ShelfProps) {
  const { text } = useTexts()
  const query = useInfiniteQuery(scoresQuery({ collection, words: '', filters, sort: usualSort }))
  const scores = query.data?.pages[0]?.rows.slice(0, 6) ?? []
  if (query.data && scores.length === 0) return empty
  return (
    <section className="shelf" aria-labelledby={id}>
      <div className="shelf-head">
        <h2 id={id}>{title}</h2>
        <Link href={href} aria-label={text('home.allOf', { list: title })}>
          {text('home.all')}
        </Link>
      </div>
      <QueryContent query={query}>
        {() => <ScoreItems scores={scores} layout="grid" label={title} showsOwner />}
      </QueryContent>
    </section>
  )
}

/** The collections that changed last. */
function Folders() {
  const { text, language } = useTexts()
  const { collections } = useCollections()
  if (collections.length === 0) return null
  return (
    <section aria-labelledby="folders">
      <h2 id="folders">{text('library.collections')}</h2>
      <ul className="folders">
        {collections.slice(0, 8).map(({ id, title, contents }) => (
          <li key={id}>
            <Link href={pathTo('/scores/collections/{collection}', { collection: id })}>
              <Icon name="folder" />
              <span>{title}</span>
              <span className="count">{new Intl.NumberFormat(language).format(contents.scoresCount)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
