import './places.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { Collection } from '../../../../src/contract/collections.ts'
import type { IconName } from '../../../../src/contract/icons.ts'
import type { Texts } from '../../../../src/texts/catalogue.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useScoreActions } from './actions.ts'
import { type DraggedScores, draggedScores } from './dragged-scores.ts'
import { collectionsQuery } from './queries.ts'

/** Returns the title of a collection. The one of all personal tokens has a name for their owner, who may never have made one. */
export const titleOf = ({ type, app, title }: Collection, { text }: Texts): string =>
  type === 'app' && app === undefined ? text('library.fromPrograms') : title

/** Returns the collections that have a place of their own, without those whose contents are computed. */
export function useCollections(): {
  collections: readonly Collection[]
  hasMore: boolean
  showMore(): void
} {
  const texts = useTexts()
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(collectionsQuery)
  const all = data?.pages.flatMap(({ rows }) => rows) ?? []
  return {
    collections: all
      .filter(({ type }) => type === 'regular' || type === 'app')
      .map((collection) => ({ ...collection, title: titleOf(collection, texts) })),
    hasMore: hasNextPage,
    showMore: () => void fetchNextPage(),
  }
}

/** The links to all lists of scores. */
export function Places({ onCreate }: { onCreate(): void }) {
  const { text } = useTexts()
  const { collections, hasMore, showMore } = useCollections()
  const { move } = useScoreActions()
  return (
    <nav className="places" aria-label={text('library.places')}>
      <Place href={pathTo('/scores')} icon="scores" title={text('library.all')} />
      <Place href={pathTo('/scores/shared')} icon="people" title={text('library.shared')} />
      <Place href={pathTo('/scores/liked')} icon="heart" title={text('library.liked')} />
      <Place href={pathTo('/scores/trash')} icon="trash" title={text('library.trash')} />
      <h2>{text('library.collections')}</h2>
      {collections.map(({ id, title, contents, capabilities }) => (
        <Place
          key={id}
          href={pathTo('/scores/collections/{collection}', { collection: id })}
          icon="folder"
          title={title}
          count={contents.scoresCount}
          {...(capabilities.canAddScores && {
            onDrop: ({ scores, from }) => {
              if (from !== id) void move(scores, { id, title }, from)
            },
          })}
        />
      ))}
      {hasMore && <Button onPress={showMore}>{text('library.moreCollections')}</Button>}
      <Button onPress={onCreate}>
        <Icon name="plus" />
        {text('collection.new')}
      </Button>
    </nav>
  )
}

interface PlaceProps {
  href: string
  icon: IconName
  title: string
  count?: number
  /** Takes scores that the user drops on it. */
  onDrop?(dragged: DraggedScores): void
}

function Place({ href, icon, title, count, onDrop }: PlaceProps) {
  const { language } = useTexts()
  const { path } = useRouter()
  const [isOver, setOver] = useState(false)
  const link = useRef<HTMLAnchorElement>(null)
  const take = useEffectEvent((event: DragEvent) => {
    const dragged = draggedScores()
    if (!dragged || !onDrop) return
    // Without this, the browser does not drop here.
    event.preventDefault()
    setOver(event.type === 'dragover')
    if (event.type === 'drop') onDrop(dragged)
  })
  useEffect(() => {
    const element = link.current
    const listen = (event: DragEvent) => take(event)
    const leave = () => setOver(false)
    element?.addEventListener('dragover', listen)
    element?.addEventListener('drop', listen)
    element?.addEventListener('dragleave', leave)
    return () => {
      element?.removeEventListener('dragover', listen)
      element?.removeEventListener('drop', listen)
      element?.removeEventListener('dragleave', leave)
    }
  }, [])
  return (
    <Link
      ref={link}
      href={href}
      aria-current={path === href ? 'page' : undefined}
      {...(isOver && { className: 'drop' })}
    >
      <Icon name={icon} />
      <span>{title}</span>
      {count !== undefined && <span className="count">{new Intl.NumberFormat(language).format(count)}</span>}
    </Link>
  )
}
