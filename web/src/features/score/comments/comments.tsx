import './comments.css'
import { useState } from 'react'
import { Refusal } from '../../../app/client.ts'
import { useViewer } from '../../../app/queries.ts'
import { useTexts } from '../../../app/texts.ts'
import { MeasureMarks } from '../../../score/sheet/measure-marks.tsx'
import { type Panels, SidePanel } from '../../../score/side-panel.tsx'
import { Button } from '../../../ui/buttons.tsx'
import { QueryContent } from '../../../ui/query-content.tsx'
import { NewComment } from './new-comment.tsx'
import { placeText, ThreadCard } from './thread-card.tsx'
import { placeOf } from './threads.ts'
import type { Comments as State } from './use-comments.ts'

interface Props {
  comments: State
  panels: Panels
}

/** The comments on a score: marks on its pages, and a panel with the threads. */
export default function Comments({ comments, panels }: Props) {
  const { text } = useTexts()
  return (
    <>
      <CommentMarks comments={comments} />
      <SidePanel name="comments" panels={panels} title={text('comments.title')}>
        <CommentList comments={comments} />
      </SidePanel>
    </>
  )
}

function CommentList({ comments }: { comments: State }) {
  const { text } = useTexts()
  const viewer = useViewer()
  const [showsResolved, setShowsResolved] = useState(false)
  const { query, threads, active } = comments
  const resolved = threads.filter(({ first }) => first.resolved).length
  const shown = threads.filter(({ first }) => showsResolved || !first.resolved || first.id === active)
  if (query.error instanceof Refusal && query.error.status === 403) return <p>{text('comments.denied')}</p>
  return (
    <>
      {viewer ? <NewComment comments={comments} /> : <p className="hint">{text('comments.signIn')}</p>}
      <QueryContent query={query}>
        {() => (
          <>
            {shown.length === 0 && <p className="hint">{text('comments.none')}</p>}
            {shown.map((thread) => (
              <ThreadCard key={thread.first.id} comments={comments} thread={thread} />
            ))}
          </>
        )}
      </QueryContent>
      {resolved > 0 && (
        <Button isSecondary aria-expanded={showsResolved} onPress={() => setShowsResolved(!showsResolved)}>
          {text(showsResolved ? 'comments.hideResolved' : 'comments.showResolved', { count: resolved })}
        </Button>
      )}
    </>
  )
}

/** A mark at the first measure of each thread that is not resolved. */
function CommentMarks({ comments }: { comments: State }) {
  const { text } = useTexts()
  const { sheet, threads, active, isWriting, place, open } = comments
  const marks = threads.flatMap((thread) => {
    const { first, replies } = thread
    const at = placeOf(first)
    const [measure] = at?.measures ?? []
    const name = placeText({ text }, comments, thread)
    if (!at || measure === undefined || name === undefined) return []
    if (first.resolved && first.id !== active) return []
    return {
      id: first.id,
      measure,
      part: at.part,
      label: text('comments.mark', { place: name, count: 1 + replies.length }),
      sign: String(1 + replies.length),
      isActive: first.id === active,
    }
  })
  const opened = threads.find(({ first }) => first.id === active)
  const coloured = isWriting ? place?.measures : opened && placeOf(opened.first)?.measures
  return (
    <MeasureMarks
      sheet={sheet}
      marks={marks}
      coloured={coloured ?? []}
      onPress={(id) => {
        const thread = threads.find(({ first }) => first.id === id)
        if (thread) open(thread)
      }}
    />
  )
}
