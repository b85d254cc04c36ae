import './score-page.css'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { Refusal } from '../../app/client.ts'
import { useViewer } from '../../app/queries.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { rememberPractised } from '../../ui/practised.ts'
import { type ReaderView, useReaderView } from '../../score/reader-view.ts'
import ScoreView from '../../score/score-view.tsx'
import { PanelButton, SidePanel, usePanels } from '../../score/side-panel.tsx'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icon.tsx'
import { loadedWhenIdle } from '../../ui/loaded-when-idle.ts'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { useComments } from './comments/use-comments.ts'
import { LiveScore } from './live/live-score.tsx'
import { scoreQuery } from '../../score/score-query.ts'
import { EmbedButton } from './embed/embed-button.tsx'
import { ScoreActions } from './score-actions.tsx'

const Comments = loadedWhenIdle(() => import('./comments/comments.tsx'))
const DetailsPanel = loadedWhenIdle(() => import('./details/details-panel.tsx'))
const ViewPanel = loadedWhenIdle(() => import('./view/view-panel.tsx'))

/** One score, to read and to practise. Visitors can open it if it is public or the link has its key. */
export function ScorePage({ score: id }: AddressParameters<'/scores/{score}'>) {
  const { text } = useTexts()
  const { search } = useRouter()
  const sharingKey = search.get('sharingKey') ?? undefined
  const score = useQuery(scoreQuery(id, sharingKey))
  // A score that was open stays on the page after it was deleted (LiveScore).
  if (score.error instanceof Refusal && score.error.status === 404 && !score.data) {
    return (
      <Page title={text('scorePage.missing')}>
        <p>{text('scorePage.missingWhy')}</p>
        <p>
          <ButtonLink isSecondary href={pathTo('/')}>
            {text('notFound.back')}
          </ButtonLink>
        </p>
      </Page>
    )
  }
  return (
    <Page title={score.data?.title ?? text('scorePage.title')} isWide>
      <QueryContent query={score}>
        {(loaded) => <Content score={loaded} sharingKey={sharingKey} />}
      </QueryContent>
    </Page>
  )
}

function Content({ score, sharingKey }: { score: ScoreDetails; sharingKey: string | undefined }) {
  const { id, title, subtitle, composer, arranger, lyricist, user } = score
  const { text } = useTexts()
  const owner = user.printableName ?? user.username
  const panels = usePanels()
  const view = useReaderView(id)
  const source = { score: id, revision: 'last', sharingKey, variant: view.variant }
  // The page of the history knows no key of a link, and no visitors.
  const viewer = useViewer()
  const hasHistory = viewer !== null && (score.rights?.aclWrite || sharingKey === undefined)
  const comments = useComments(score, source, panels)
  const credits = [
    ['scorePage.composer', composer],
    ['scorePage.arranger', arranger],
    ['scorePage.lyricist', lyricist],
  ] as const
  return (
    <div className="score-page">
      <LiveScore score={id} sharingKey={sharingKey} />
      {subtitle && <p className="subtitle">{subtitle}</p>}
      <p className="credits">
        {credits.map(([name, value]) => value && <span key={name}>{`${text(name)}: ${value}`}</span>)}
        <span>{text('scorePage.by', { owner })}</span>
      </p>
      <ScoreActions
        score={score}
        sharingKey={sharingKey}
        variant={view.variant}
        rare={
          <>
            <PanelButton name="details" panels={panels} icon="info">
              {text('details.title')}
            </PanelButton>
            {hasHistory && (
              <ButtonLink isSecondary href={pathTo('/scores/{score}/history', { score: id })}>
                <Icon name="clock" />
                {text('history.title')}
              </ButtonLink>
            )}
            <EmbedButton score={score} sharingKey={sharingKey} />
          </>
        }
      >
        <PanelButton name="view" panels={panels} icon="scores">
          {text('view.title')}
        </PanelButton>
        <PanelButton name="comments" panels={panels} icon="comment">
          {text('comments.title')}
          {comments.threads.length > 0 && <span className="count">{comments.threads.length}</span>}
        </PanelButton>
        {score.rights?.aclWrite && (
          <ButtonLink isSecondary href={pathTo('/scores/{score}/edit', { score: id })}>
            <Icon name="pencil" />
            {text('editor.open')}
          </ButtonLink>
        )}
      </ScoreActions>
      <ViewNote view={view} />
      <ScoreView
        source={source}
        layout={view.layout}
        title={title}
        artist={composer ?? owner}
        sheet={comments.sheet}
        goTo={comments.goTo}
        onPick={comments.onPick}
        {...(viewer && sharingKey === undefined && { onHeard: () => rememberPractised(viewer.id, id) })}
        recordingsPath={score.rights?.aclWrite ? pathTo('/scores/{score}/sync', { score: id }) : undefined}
      />
      <Suspense>
        <Comments comments={comments} panels={panels} />
      </Suspense>
      <SidePanel name="details" panels={panels} title={text('details.title')}>
        <Suspense>
          <DetailsPanel score={score} sharingKey={sharingKey} />
        </Suspense>
      </SidePanel>
      <SidePanel name="view" panels={panels} title={text('view.title')}>
        <Suspense>
          <ViewPanel score={score} source={source} view={view} />
        </Suspense>
      </SidePanel>
    </div>
  )
}

/** Says that the reader does not see the score as it was written. */
function ViewNote({ view: { variant, change } }: { view: ReaderView }) {
  const { text } = useTexts()
  if (Object.keys(variant).length === 0) return null
  return (
    <p className="view-note">
      {text('view.changed')}
      <Button
        isSecondary
        onPress={() => change({ parts: undefined, transpose: undefined, concertPitch: undefined })}
      >
        {text('view.reset')}
      </Button>
    </p>
  )
}
