import './library-view.css'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { upload } from '../../ui/uploads.ts'
import { startDrag } from './dragged-scores.ts'
import { LibraryTools, type ToolState, useToolState } from './library-tools.tsx'
import { MoreWhenSeen } from './more-when-seen.tsx'
import { Places } from './places.tsx'
import { scoresQuery } from './queries.ts'
import { NewCollectionDialog } from './score-dialogs.tsx'
import { ScoreItems } from './score-items.tsx'
import { type ScoreChoices, useScoreChoices } from './score-choices.tsx'
import { useSelection } from './selection.ts'

interface Props {
  title: string
  /** The id of the collection whose scores are listed. */
  collection: string
  /** The buttons beside the title. */
  buttons?: ReactNode
  /** What is shown instead of an empty list. */
  empty: ReactNode
}

/** A page of the library: the places, the tools, and the scores of one list. */
export function LibraryView({ title, collection, buttons, empty }: Props) {
  const { text } = useTexts()
  const { goTo } = useRouter()
  const tools = useToolState()
  const queries = useQueryClient()
  const [isCreating, setCreating] = useState(false)
  return (
    <Page title={title} className="library">
      {(heading) => (
        <div className="shelves">
          <Places onCreate={() => setCreating(true)} />
          <div>
            {collection !== 'allScores' && (
              <nav className="crumbs" aria-label={text('library.path')}>
                <Link href={pathTo('/scores')}>{text('nav.scores')}</Link>
                <span aria-hidden="true">›</span>
                <span aria-current="page">{title}</span>
              </nav>
            )}
            {(collection === 'collaborations' || collection === 'likes') && (
              <FileDrop onDrop={(files) => upload(queries, files, 'root')} />
            )}
            <div className="library-head">
              {heading}
              {buttons}
            </div>
            <LibraryTools tools={tools} hasOwners={collection !== 'allScores' && collection !== 'trash'} />
            <Scores key={collection} title={title} collection={collection} tools={tools} empty={empty} />
          </div>
          {isCreating && (
            <NewCollectionDialog
              onCreated={({ id }) => goTo(pathTo('/scores/collections/{collection}', { collection: id }))}
              onClose={() => setCreating(false)}
            />
          )}
        </div>
      )}
    </Page>
  )
}

interface ScoresProps {
  title: string
  collection: string
  tools: ToolState
  empty: ReactNode
}

function Scores({ title, collection, tools, empty }: ScoresProps) {
  const { text } = useTexts()
  const { words, filters, sort, layout } = tools
  const query = useInfiniteQuery(scoresQuery({ collection, words, filters, sort }))
  const isFiltered = Object.values(filters).some(Boolean)
  const scores = query.data?.pages.flatMap(({ rows }) => rows) ?? []
  const selection = useSelection(scores)
  const choices = useScoreChoices(collection)
  const selected = scores.filter(({ id }) => selection.ids.has(id))
  const isSelecting = selected.length > 0
  useShortcuts([
    { key: 'ArrowDown', text: 'shortcuts.arrows', run: focusFirst },
    { key: ' ', text: 'shortcuts.select', run: () => {} },
  ])
  return (
    <QueryContent query={query} skeleton={<ScoresSkeleton />}>
      {() => (
        <>
          {scores.length === 0 ? (
            words || isFiltered ? (
              <p role="status">
                {isFiltered ? text('library.noMatch') : text('library.notFound', { words })}
              </p>
            ) : (
              empty
            )
          ) : (
            <ScoreItems
              scores={scores}
              layout={layout}
              label={title}
              sort={sort}
              onSort={tools.sortBy}
              selection={selection}
              onMore={choices.open}
              showsOwner
              onDrag={(score) =>
                startDrag({
                  scores: isSelecting && selection.ids.has(score.id) ? selected : [score],
                  from: choices.isStored ? collection : undefined,
                })
              }
              onDelete={(score) => choices.remove(isSelecting ? selected : [score])}
            />
          )}
          {query.hasNextPage && (
            <MoreWhenSeen key={query.data?.pages.length} onSeen={() => void query.fetchNextPage()} />
          )}
          {isSelecting && <SelectionBar selected={selected} choices={choices} onClear={selection.clear} />}
          {choices.dialog}
        </>
      )}
    </QueryContent>
  )
}

function focusFirst(): void {
  if (!document.activeElement?.closest('.scores'))
    document.querySelector<HTMLElement>('.scores .open')?.focus()
}

interface BarProps {
  selected: Parameters<ScoreChoices['choicesFor']>[0]
  choices: ScoreChoices
  onClear(): void
}

/** What can be done with the selected scores. */
function SelectionBar({ selected, choices, onClear }: BarProps) {
  const { text } = useTexts()
  return (
    <section className="selection" aria-label={text('library.selection')}>
      <span role="status">{text('library.selected', { number: selected.length })}</span>
      {choices.choicesFor(selected).map(({ name, run }) => (
        <Button
          key={name}
          isSecondary
          onPress={() => {
            run()
            onClear()
          }}
        >
          {name}
        </Button>
      ))}
      <Button isSecondary onPress={onClear} aria-label={text('library.clear')}>
        ×
      </Button>
    </section>
  )
}

const ScoresSkeleton = () => (
  <div className="scores-skeleton">
    {Array.from({ length: 8 }, (_one, index) => (
      <i key={index} />
    ))}
  </div>
)
