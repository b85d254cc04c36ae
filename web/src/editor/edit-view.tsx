import './edit-view.css'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { matchPath, pathTo } from '../../../src/contract/app-pages.ts'
import type { ScoreDetails } from '../../../src/contract/scores.ts'
import { useRouter } from '../app/router.ts'
import { errorText, useTexts } from '../app/texts.ts'
import { IconButton } from '../score/icon-buttons.tsx'
import { Button } from '../ui/buttons.tsx'
import { loadedWhenIdle } from '../ui/loaded-when-idle.ts'
import { Notice } from '../ui/notice.tsx'
import { useToast } from '../ui/toasts.tsx'
import { spokenState } from './caret-text.ts'
import { LyricsField } from './lyrics-field.tsx'
import type { PageActions } from './model/commands.ts'
import { applyHere } from './model/place.ts'
import type { Question } from './model/question.ts'
import type { OpenedScore } from './opened-score.ts'
import { refusalText } from './refusal-text.ts'
import { Palette } from './palette.tsx'
import { Conflict } from './saving/conflict.tsx'
import { type Session, useEditorState, useSaverState, useSession, useTabLock } from './use-session.ts'
import { useIsPlaying, useSound } from './sound/hearing.ts'
import type { Player } from '../score/player/player.ts'
import { MusicSurface } from './view/music-surface.tsx'

const CommandList = loadedWhenIdle(() => import('./command-list.tsx'))
const QuestionDialog = loadedWhenIdle(() => import('./question-dialog.tsx'))

interface Props {
  score: ScoreDetails
  user: string
  opened: OpenedScore
}

/** The editor of a score. */
export default function EditView({ score, user, opened }: Props) {
  const { text } = useTexts()
  const { isOurs, take } = useTabLock(score.id)
  const queries = useQueryClient()
  const reload = () => void queries.resetQueries({ queryKey: ['scores', score.id] })
  if (isOurs === undefined) return <p className="hint">{text('app.loading')}</p>
  if (!isOurs) {
    return (
      <div className="editor-elsewhere">
        <Notice>{text('editor.otherWindow')}</Notice>
        <Button
          onPress={() => {
            take()
            // The other window may have saved more.
            reload()
          }}
        >
          {text('editor.editHere')}
        </Button>
      </div>
    )
  }
  return <OpenScore score={score} user={user} opened={opened} onReload={reload} />
}

function OpenScore({ score, user, opened, onReload }: Props & { onReload(): void }) {
  const texts = useTexts()
  const { text } = texts
  const toast = useToast()
  const queries = useQueryClient()
  const session = useSession(score.id, user, opened)
  const { editor, saver } = session
  const state = useEditorState(editor)
  const { player, togglePlaying } = useSound(session, score.id)
  const [isListing, setListing] = useState(false)
  const [isLyrics, setLyrics] = useState(false)
  const [question, setQuestion] = useState<Question>()
  const actions = useMemo<PageActions>(
    () => ({
      togglePlaying: () => undefined,
      save: () => void saver.flush(),
      listCommands: () => setListing(true),
      ask: setQuestion,
      writeLyrics: () => setLyrics(true),
    }),
    [saver],
  )
  const page = { ...actions, togglePlaying }
  const tellRestored = useEffectEvent(() => {
    if (session.isRestored) toast({ message: text('editor.restored') })
  })
  useEffect(() => tellRestored(), [])
  // Other pages show what was saved here, also if the user leaves by a link.
  useEffect(
    () => () => void queries.invalidateQueries({ queryKey: ['scores', score.id], refetchType: 'none' }),
    [queries, score.id],
  )
  const refusal = state.refusal && text(refusalText(state.refusal.reason))
  return (
    <div className="editor">
      <div className="editor-tools">
        <ArrowButton
          label={text('editor.undo')}
          path="M8 5 3.5 9.5 8 14M3.5 9.5H14a6 6 0 0 1 0 12h-3"
          onPress={editor.undo}
        />
        <ArrowButton
          label={text('editor.redo')}
          path="m16 5 4.5 4.5L16 14M20.5 9.5H10a6 6 0 0 0 0 12h3"
          onPress={editor.redo}
        />
        <PlayButton player={player} onPress={togglePlaying} />
        <Button isSecondary onPress={() => setListing(true)}>
          {text('editor.commands')}
        </Button>
        <SaveState session={session} />
        <span className="editor-gap" />
        <DoneButton session={session} score={score.id} />
      </div>
      <Conflict session={session} title={score.title} onReload={onReload} />
      <MusicSurface session={session} page={page} title={score.title} />
      <p className="visually-hidden" aria-live="polite">
        {refusal ?? spokenState(texts, state)}
      </p>
      <p className="editor-refusal" aria-hidden="true">
        {refusal}
      </p>
      <Palette editor={editor} page={page} />
      {isLyrics && (
        <LyricsField
          editor={editor}
          onClose={() => {
            setLyrics(false)
            focusMusic()
          }}
        />
      )}
      <Suspense>
        {isListing && <CommandList editor={editor} page={page} onOpenChange={setListing} />}
        {question && (
          <QuestionDialog
            question={question}
            onAnswer={(answers) => applyHere(editor, question.answer(answers))}
            onClose={() => {
              setQuestion(undefined)
              focusMusic()
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

/** Lets typing go on after a dialog, also if the list of commands has opened it. */
function focusMusic(): void {
  setTimeout(() => document.querySelector<HTMLElement>('.editor-music')?.focus({ preventScroll: true }))
}

/** A button with an icon that only the editor has. */
function ArrowButton({ label, path, onPress }: { label: string; path: string; onPress(): void }) {
  return (
    <Button className="icon-button" aria-label={label} onPress={() => onPress()}>
      <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    </Button>
  )
}

function PlayButton({ player, onPress }: { player: Player | undefined; onPress(): void }) {
  const { text } = useTexts()
  return player ? (
    <PlayingButton player={player} onPress={onPress} />
  ) : (
    <IconButton icon="play" label={text('player.play')} onPress={onPress} />
  )
}

function PlayingButton({ player, onPress }: { player: Player; onPress(): void }) {
  const { text } = useTexts()
  const isPlaying = useIsPlaying(player)
  return (
    <IconButton
      icon={isPlaying ? 'pause' : 'play'}
      label={text(isPlaying ? 'player.pause' : 'player.play')}
      onPress={onPress}
    />
  )
}

/** Leaves the editor when everything is saved: to the task that the score belongs to, or to the page of the score. */
function DoneButton({ session: { saver }, score }: { session: Session; score: string }) {
  const { text } = useTexts()
  const { goTo, search } = useRouter()
  const toast = useToast()
  const queries = useQueryClient()
  const [isLeaving, setLeaving] = useState(false)
  const work = workOf(search)
  async function leave() {
    setLeaving(true)
    await saver.flush()
    if (saver.state().status === 'failed') toast({ message: text('editor.state.failed') })
    queries.removeQueries({ queryKey: ['scores', score] })
    goTo(work ?? pathTo('/scores/{score}', { score }))
  }
  return (
    <Button isSecondary isPending={isLeaving} onPress={() => void leave()}>
      {text(work ? 'editor.backToWork' : 'editor.done')}
    </Button>
  )
}

/** The path of the page of the task from which the editor was opened. */
function workOf(search: URLSearchParams): string | undefined {
  const path = search.get('work') ?? ''
  return matchPath(path)?.address === '/classes/{class}/work/{assignment}' ? path : undefined
}

/** Says where the last changes are. */
function SaveState({ session: { saver } }: { session: Session }) {
  const texts = useTexts()
  const { status, error } = useSaverState(saver)
  const isFailed = status === 'failed'
  return (
    <>
      <output className="editor-saved">{texts.text(`editor.state.${status}`)}</output>
      <Notice isError>{isFailed ? errorText(texts, error) : undefined}</Notice>
    </>
  )
}
