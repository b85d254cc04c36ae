import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ScoreComment } from '../../../../../src/contract/score-comments.ts'
import { call } from '../../../app/client.ts'
import { useViewer } from '../../../app/queries.ts'
import { errorText, type useTexts as TextsHook, useTexts } from '../../../app/texts.ts'
import { Button } from '../../../ui/buttons.tsx'
import { DecisionDialog } from '../../../ui/confirmation.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Composer } from './composer.tsx'
import { authorQuery, commentsQuery, piecesOf, placeOf, type Thread } from './threads.ts'
import type { Comments } from './use-comments.ts'

interface Props {
  comments: Comments
  thread: Thread
}

/** The words for the measures of a thread. Undefined if it is about the whole score, or its measures are gone. */
export function placeText(
  { text }: Pick<ReturnType<typeof TextsHook>, 'text'>,
  { numbers, parts }: Comments,
  { first }: Thread,
): string | undefined {
  const place = placeOf(first)
  if (!place || !numbers) return undefined
  const [from, to] = [numbers.numberOf(place.measures[0]), numbers.numberOf(place.measures.at(-1))]
  if (from === 0 || to === 0) return undefined
  const measures = from === to ? text('comments.measure', { from }) : text('comments.measures', { from, to })
  const part = parts.length > 1 ? parts.find(({ uuid }) => uuid === place.part)?.name : undefined
  return part ? `${measures} · ${part}` : measures
}

/** A comment with its replies, and what the reader can do with them. */
export function ThreadCard({ comments, thread }: Props) {
  const { text } = useTexts()
  const viewer = useViewer()
  const card = useRef<HTMLElement>(null)
  const [isAnswering, setAnswering] = useState(false)
  const { score, active, open } = comments
  const { first, replies } = thread
  const isActive = active === first.id
  useEffect(() => {
    if (!isActive) return
    card.current?.scrollIntoView({ block: 'nearest' })
    card.current?.focus({ preventScroll: true })
  }, [isActive])
  const place = placeText({ text }, comments, thread)
  return (
    <article
      ref={card}
      tabIndex={-1}
      className={isActive ? 'thread active' : 'thread'}
      aria-label={place ?? text('comments.wholeScore')}
    >
      <div className="thread-head">
        {place ? (
          <Button className="link" onPress={() => open(thread)}>
            {place}
          </Button>
        ) : (
          <span className="hint">
            {text(first.type === 'inline' ? 'comments.placeGone' : 'comments.wholeScore')}
          </span>
        )}
        {first.resolved && <span className="resolved">{text('comments.resolved')}</span>}
      </div>
      {[first, ...replies].map((comment) => (
        <CommentView key={comment.id} comments={comments} comment={comment} />
      ))}
      {viewer && (
        <div className="thread-actions">
          {!isAnswering && (
            <Button className="link" onPress={() => setAnswering(true)}>
              {text('comments.reply')}
            </Button>
          )}
          {score.rights?.aclWrite && <ResolveButton comments={comments} thread={thread} />}
        </div>
      )}
      {isAnswering && <Reply comments={comments} thread={thread} onClose={() => setAnswering(false)} />}
    </article>
  )
}

/** Returns a function that reads the list again. */
function useRefresh({ score, sharingKey }: Comments): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: commentsQuery(score.id, sharingKey).queryKey })
}

const withKey = ({ sharingKey }: Comments) => (sharingKey === undefined ? {} : { sharingKey })

function ResolveButton({ comments, thread: { first } }: Props) {
  const texts = useTexts()
  const refresh = useRefresh(comments)
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const input = { params: { score: comments.score.id, comment: first.id }, query: withKey(comments) }
      await (first.resolved
        ? call('markScoreCommentUnresolved', input)
        : call('markScoreCommentResolved', input))
      await refresh()
    },
  })
  return (
    <>
      <Button className="link" isPending={isPending} onPress={() => mutate()}>
        {texts.text(first.resolved ? 'comments.reopen' : 'comments.resolve')}
      </Button>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
    </>
  )
}

function Reply({ comments, thread: { first }, onClose }: Props & { onClose(): void }) {
  const { text } = useTexts()
  const refresh = useRefresh(comments)
  const { score } = comments
  return (
    <Composer
      comments={comments}
      draft={`${score.id}.${first.id}`}
      label={text('comments.replyText')}
      action={text('comments.sendReply')}
      onClose={onClose}
      send={async (texts) => {
        const body = { ...texts, replyTo: first.id }
        await call('postScoreComment', { params: { score: score.id }, query: withKey(comments), body })
        await refresh()
      }}
    />
  )
}

function CommentView({ comments, comment }: { comments: Comments; comment: ScoreComment }) {
  const texts = useTexts()
  const { text } = texts
  const viewer = useViewer()
  const refresh = useRefresh(comments)
  const { data: author } = useQuery(authorQuery(comment.user))
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { score } = comments
  const input = { params: { score: score.id, comment: comment.id }, query: withKey(comments) }
  const deletion = useMutation({
    async mutationFn() {
      await call('deleteScoreComment', input)
      await refresh()
    },
  })
  const name = author?.printableName ?? author?.username ?? text('comments.somebody')
  const isOwn = viewer?.id === comment.user
  return (
    <div className="comment">
      <p className="comment-head">
        <strong>{name}</strong> <Moment of={comment.date} />
        {comment.modificationDate && <span> {text('comments.edited')}</span>}
      </p>
      {comment.moderation?.hidden && <p className="hint">{text('comments.hidden')}</p>}
      {isEditing ? (
        <Composer
          comments={comments}
          draft={`${score.id}.${comment.id}.edit`}
          label={text('comments.text')}
          action={text('comments.save')}
          value={comment.rawComment}
          onClose={() => setEditing(false)}
          send={async (body) => {
            await call('updateScoreComment', { ...input, body })
            await refresh()
          }}
        />
      ) : (
        <p className="comment-text">
          {piecesOf(comment).map((piece, index) =>
            // The pieces of a text have no ids, and change only together.
            piece.user ? <b key={index}>{piece.text}</b> : piece.text,
          )}
        </p>
      )}
      <div className="thread-actions">
        {isOwn && !isEditing && (
          <Button className="link" onPress={() => setEditing(true)}>
            {text('comments.edit')}
          </Button>
        )}
        {(isOwn || (viewer && score.rights?.aclAdmin)) && (
          <Button className="link" onPress={() => setDeleting(true)}>
            {text('comments.delete')}
          </Button>
        )}
      </div>
      <Notice isError>{deletion.error ? errorText(texts, deletion.error) : undefined}</Notice>
      {isDeleting && (
        <DecisionDialog
          title={text('comments.deleteTitle')}
          explanation={text(comment.replyTo ? 'comments.deleteReply' : 'comments.deleteThread')}
          action={text('comments.delete')}
          onConfirm={() => deletion.mutate()}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  )
}
