import './score-items.css'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { useViewer } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Day } from '../../ui/moment.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import type { Sort } from './queries.ts'
import { ScoreColumns } from './score-columns.tsx'
import { tableRoles } from './table-roles.ts'
import { useVisibleRange } from './visible-range.ts'

export type Layout = 'grid' | 'list'

interface Props {
  scores: readonly ScoreDetails[]
  layout: Layout
  label: string
  /** Without it, scores cannot be selected. */
  selection?: Selection
  /** With these, lines have a head whose columns sort them. */
  sort?: Sort
  onSort?(field: Sort['field']): void
  /** The user begins to drag a score. */
  onDrag?(score: ScoreDetails): void
  /** Opens the list of what can be done with a score. */
  onMore?(score: ScoreDetails): void
  /** Says whose score each is, except the user’s own. */
  showsOwner?: boolean
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
export function ScoreItems({
  scores,
  layout,
  label,
  selection,
  sort,
  onSort,
  onDrag,
  onMore,
  showsOwner = false,
  onDelete,
}: Props) {
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
  const isTable = layout === 'list' && sort !== undefined && onSort !== undefined
  const items = (
    <ul
      ref={list}
      className={`scores ${layout}${isSelecting ? ' selecting' : ''}`}
      style={{ paddingTop: before, paddingBottom: after }}
      {...(isTable ? tableRoles.group : { 'aria-label': label })}
    >
      {scores.slice(first, end).map((score) => (
        <Item
          key={score.id}
          score={score}
          isRow={isTable}
          selection={selection}
          onDrag={onDrag}
          onMore={onMore}
          showsOwner={showsOwner}
          showsDuration={sort?.field === 'duration'}
        />
      ))}
    </ul>
  )
  if (!isTable) return items
  return (
    <div {...tableRoles.table(label)}>
      <ScoreColumns sort={sort} onSort={onSort} />
      {items}
    </div>
  )
}

interface ItemProps {
  score: ScoreDetails
  /** A row of a table, not an item of a list. */
  isRow: boolean
  onDrag: ((score: ScoreDetails) => void) | undefined
  selection: Selection | undefined
  onMore: ((score: ScoreDetails) => void) | undefined
  showsOwner: boolean
  showsDuration: boolean
}

function Item({ score, isRow, selection, onDrag, onMore, showsOwner, showsDuration }: ItemProps) {
  const { text, language } = useTexts()
  const minutes = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'minute',
    maximumFractionDigits: 1,
  })
  const {
    id,
    title,
    composer,
    instrumentsNames,
    modificationDate,
    creationDate,
    durationTime = 0,
    user,
  } = score
  const instruments = instrumentsNames.join(', ')
  const hasOwner = showsOwner && user.id !== useViewer()?.id
  const owner = text('scorePage.by', { owner: user.printableName ?? user.username })
  // One line, because all scores of a list have the same height.
  const about = [
    showsDuration && minutes.format(durationTime / 60),
    composer || instruments,
    hasOwner && owner,
  ]
    .filter(Boolean)
    .join(' · ')
  const cell = isRow ? tableRoles.cell : {}
  return (
    <li {...(isRow && tableRoles.row)} {...(onDrag && { draggable: true, onDragStart: () => onDrag(score) })}>
      <div className="cell" {...cell}>
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
      </div>
      <div className="cell" {...cell}>
        <Link className="open" href={pathTo('/scores/{score}', { score: id })}>
          <Thumbnail score={score.id} changedAt={score.modificationDate ?? score.creationDate} />
          <span className="texts">
            <span className="title">{title}</span>
            <span className="about">{about}</span>
          </span>
        </Link>
      </div>
      <span className="about wide-only" {...cell}>
        {instruments}
      </span>
      <span className="about wide-only" {...cell}>
        <Day of={modificationDate ?? creationDate} />
      </span>
      <div className="cell" {...cell}>
        {onMore && (
          <Button
            className="more"
            aria-label={text('library.moreNamed', { title })}
            onPress={() => onMore(score)}
          >
            <Icon name="more" />
          </Button>
        )}
      </div>
    </li>
  )
}
