import './score-items.css'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Day } from '../../ui/moment.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { useVisibleRange } from './visible-range.ts'

export type Layout = 'grid' | 'list'

interface Props {
  scores: readonly ScoreDetails[]
  layout: Layout
  label: string
  /** Without it, scores cannot be selected. */
  selection?: Selection
  /** Opens the list of what can be done with a score. */
  onMore?(score: ScoreDetails): void
  /** The key to delete was pressed on a score. */
  onDelete?(score: ScoreDetails): void
}

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** @param isRange all scores between the last selected one and this one */
  toggle(id: string, isRange: boolean): void
  selectAll(): void
  clear(): void
}

/** Scores as sheets or as lines. Arrow keys move between them, and the space bar selects. */
export function ScoreItems({ scores, layout, label, selection, onMore, onDelete }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const { first, end, before, after } = useVisibleRange(list, scores.length)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const link = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('.open') : null
    const items = [...(list.current?.querySelectorAll<HTMLElement>('.open') ?? [])]
    const index = link ? items.indexOf(link) : -1
    const score = scores[first + index]
    if (!list.current || !score) return
    const columns = getComputedStyle(list.current).gridTemplateColumns.split(' ').length
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
    if (step !== undefined) items[index + step]?.focus()
    else if (event.key === ' ') selection?.toggle(score.id, event.shiftKey)
    else if (event.key === 'Delete') onDelete?.(score)
    else if (event.key === 'Escape') selection?.clear()
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) selection?.selectAll()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const element = list.current
    const listen = (event: KeyboardEvent) => onKey(event)
    element?.addEventListener('keydown', listen)
    return () => element?.removeEventListener('keydown', listen)
  }, [])
  const isSelecting = (selection?.ids.size ?? 0) > 0
  return (
    <ul
      ref={list}
      className={`scores ${layout}${isSelecting ? ' selecting' : ''}`}
      aria-label={label}
      style={{ paddingTop: before, paddingBottom: after }}
    >
      {scores.slice(first, end).map((score) => (
        <Item key={score.id} score={score} selection={selection} onMore={onMore} />
      ))}
    </ul>
  )
}

interface ItemProps {
  score: ScoreDetails
  selection: Selection | undefined
  onMore: ((score: ScoreDetails) => void) | undefined
}

function Item({ score, selection, onMore }: ItemProps) {
  const { text } = useTexts()
  const { id, title, composer, instrumentsNames, modificationDate, creationDate } = score
  const instruments = instrumentsNames.join(', ')
  return (
    <li>
      {selection && (
        <label className="select">
          <input
            type="checkbox"
            aria-label={text('library.select', { title })}
            checked={selection.ids.has(id)}
            onChange={({ nativeEvent }) =>
              selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </label>
      )}
      <Link className="open" href={pathTo('/scores/{score}', { score: id })}>
        <Thumbnail score={score} />
        <span className="texts">
          <span className="title">{title}</span>
          <span className="about">{composer || instruments}</span>
        </span>
      </Link>
      <span className="about wide-only">{instruments}</span>
      <span className="about wide-only">
        <Day of={modificationDate ?? creationDate} />
      </span>
      {onMore && (
        <Button
          className="more"
          aria-label={text('library.moreNamed', { title })}
          onPress={() => onMore(score)}
        >
          <Icon name="more" />
        </Button>
      )}
    </li>
  )
}
