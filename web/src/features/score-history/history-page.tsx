import './history-page.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { ScoreComparison, ScoreDetails, ScoreRevision } from '../../../../src/contract/scores.ts'
import { download } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { MeasureMarks } from '../../score/sheet/measure-marks.tsx'
import { createSheet } from '../../score/sheet/sheet.ts'
import { SheetView } from '../../score/sheet/sheet-view.tsx'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { Changes } from './changes.tsx'
import { comparisonQuery, restoreRevision, revisionsQuery, scoreQuery } from './queries.ts'

/** The revisions of a score: to look at, to compare, to restore and to download. */
export function HistoryPage({ score: id }: AddressParameters<'/scores/{score}/history'>) {
  const { text } = useTexts()
  const score = useQuery(scoreQuery(id))
  const revisions = useQuery(revisionsQuery(id))
  return (
    <Page title={score.data ? text('history.of', { title: score.data.title }) : text('history.title')} isWide>
      <ButtonLink isSecondary href={pathTo('/scores/{score}', { score: id })}>
        {text('history.back')}
      </ButtonLink>
      <QueryContent query={score}>
        {(loaded) => (
          <QueryContent query={revisions}>
            {(list) => <History score={loaded} revisions={list} />}
          </QueryContent>
        )}
      </QueryContent>
    </Page>
  )
}

interface Props {
  score: ScoreDetails
  /** Newest first. */
  revisions: readonly ScoreRevision[]
}

function History({ score, revisions }: Props) {
  const { text, language } = useTexts()
  const [chosen, setChosen] = useState<string>()
  const [compared, setCompared] = useState('')
  const index = Math.max(
    0,
    revisions.findIndex(({ id }) => id === chosen),
  )
  const shown = revisions[index]
  const other = revisions.findIndex(({ id }) => id === compared)
  const selectId = useId()
  if (!shown) return null
  const dateOf = ({ date }: ScoreRevision) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(date))
  return (
    <div className="history">
      <nav aria-label={text('history.versions')}>
        <ol className="history-list">
          {revisions.map((revision, place) => (
            <li key={revision.id}>
              <AriaButton
                className="history-version"
                aria-current={revision === shown ? 'true' : undefined}
                onPress={() => setChosen(revision.id)}
              >
                <Version revision={revision} score={score} isNewest={place === 0} />
              </AriaButton>
            </li>
          ))}
        </ol>
      </nav>
      <div className="history-shown">
        <div className="history-tools">
          <div>
            <label htmlFor={selectId}>{text('history.compare')}</label>
            <select
              id={selectId}
              value={other < 0 || other === index ? '' : compared}
              onChange={(event) => setCompared(event.currentTarget.value)}
            >
              <option value="">{text('history.compareNone')}</option>
              {revisions.map(
                (revision) =>
                  revision !== shown && (
                    <option key={revision.id} value={revision.id}>
                      {dateOf(revision)}
                      {revision.description ? ` – ${revision.description}` : ''}
                    </option>
                  ),
              )}
            </select>
          </div>
          <Actions score={score} revision={shown} newest={revisions[0]} dateOf={dateOf} />
        </div>
        <Pages
          key={shown.id}
          score={score.id}
          shown={shown.id}
          // The list is newest first.
          from={other > index ? revisions[other]?.id : shown.id}
          to={other > index ? shown.id : revisions[other]?.id}
        />
      </div>
    </div>
  )
}

function Version({
  revision,
  score,
  isNewest,
}: {
  revision: ScoreRevision
  score: ScoreDetails
  isNewest: boolean
}) {
  const { text } = useTexts()
  const { date, description, autosave, statistics, user } = revision
  const people = [score.user, ...score.collaborators.flatMap((one) => one.user ?? [])]
  const author = people.find(({ id }) => id === user)
  return (
    <>
      <strong>
        <Moment of={date} />
      </strong>
      <span>{author ? (author.printableName ?? author.username) : text('history.somebody')}</span>
      {description && <span>{description}</span>}
      {autosave && <span>{text('history.automatic')}</span>}
      {statistics && (
        <span className="hint">
          {text('history.notes', {
            added: statistics.additions ?? 0,
            removed: statistics.deletions ?? 0,
          })}
        </span>
      )}
      {isNewest && <span className="hint">{text('history.newest')}</span>}
    </>
  )
}

interface ActionProps {
  score: ScoreDetails
  revision: ScoreRevision
  newest: ScoreRevision | undefined
  dateOf(revision: ScoreRevision): string
}

function Actions({ score: { id: score, rights }, revision, newest, dateOf }: ActionProps) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const toast = useToast()
  const restore = useMutation({
    mutationFn: (from: ScoreRevision) =>
      restoreRevision(score, from.id, text('history.restoredFrom', { date: dateOf(from) })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['scores', score] }),
  })
  const file = useMutation({
    mutationFn: () =>
      download('getScoreRevisionData', { params: { score, revision: revision.id, format: 'mxl' } }),
  })
  const error = restore.error ?? file.error
  function restoreThis() {
    restore.mutate(revision, {
      onSuccess: () =>
        toast({
          message: text('history.restored'),
          ...(newest && { undo: () => restore.mutate(newest) }),
        }),
    })
  }
  return (
    <div className="buttons">
      <Button isSecondary isPending={file.isPending} onPress={() => file.mutate()}>
        {text('history.download')}
      </Button>
      {rights?.aclWrite && revision !== newest && (
        <Button isPending={restore.isPending} onPress={restoreThis}>
          {text('history.restore')}
        </Button>
      )}
      <Notice>{restore.isPending ? text('history.restoring') : undefined}</Notice>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
    </div>
  )
}

const nothing = () => undefined

interface PagesProps {
  score: string
  shown: string
  from: string | undefined
  to: string | undefined
}

/** The pages of a revision. What another one has different is coloured, and said in words. */
function Pages({ score, shown, from, to }: PagesProps) {
  const [sheet] = useState(createSheet)
  const isCompared = from !== undefined && to !== undefined
  const comparison = useQuery({ ...comparisonQuery(score, from ?? '', to ?? ''), enabled: isCompared })
  return (
    <>
      {isCompared && (
        <QueryContent query={comparison}>{(found) => <Changes comparison={found} />}</QueryContent>
      )}
      <MeasureMarks
        sheet={sheet}
        marks={[]}
        coloured={isCompared && comparison.data ? measuresIn(comparison.data, shown === to) : []}
        onPress={nothing}
      />
      <SheetView
        source={{ score, revision: shown, sharingKey: undefined }}
        sheet={sheet}
        zoom={100}
        zoomTo={nothing}
        isPaperWhite={false}
        layout="scroll"
        wanted={1}
        onPages={nothing}
        onMeasure={nothing}
        onNote={nothing}
        onRange={nothing}
      />
    </>
  )
}

const measuresIn = ({ measures }: ScoreComparison, isLater: boolean): string[] =>
  measures
    .filter(({ change }) => change === 'changed' || change === (isLater ? 'added' : 'removed'))
    .map(({ uuid }) => uuid)
