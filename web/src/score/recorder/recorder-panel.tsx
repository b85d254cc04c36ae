import './recorder.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { maxRecordingBytes } from '../../../../src/contract/recording-files.ts'
import { call, Refusal } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useLevel } from '../player/level-meter.tsx'
import { clockTime } from '../player/measure-numbers.ts'
import { type Player, tempoRange } from '../player/player.ts'
import { Slider } from '../player/practice-panel.tsx'
import { usePlayerState } from '../player/use-player.ts'
import { nameOfRecording, recordingsQuery } from '../source.ts'
import { canRecord } from './capture.ts'
import { useLostFocus } from './lost-focus.ts'
import { addTake, nextNumber, removeTake, sendTake, type Take, useTakes } from './takes.ts'
import { type Along, alongs, type Recorder, useRecorder } from './use-recorder.ts'

interface Props {
  score: string
  /** Undefined until the music has arrived. */
  player: Player | undefined
}

/** Records a performance of a score, along with its music or without, and sends the take that the user likes best. */
export default function RecorderPanel({ score, player }: Props) {
  const { text } = useTexts()
  const takes = useTakes().filter((take) => take.score === score)
  const [isTooLarge, setTooLarge] = useState(false)
  const recorder = useRecorder(player, (take) => {
    const number = nextNumber(score)
    addTake({ ...take, score, number, title: text('recorder.take', { number }) })
  })
  function choose(file: File | undefined) {
    if (!file) return
    setTooLarge(file.size > maxRecordingBytes)
    if (file.size > maxRecordingBytes) return
    const title = file.name.slice(0, 200)
    addTake({ score, title, blob: file, seconds: 0, points: [] })
  }
  const { problem, stream, state } = recorder
  const isRunning = state !== 'ready'
  const heading = useRef<HTMLHeadingElement>(null)
  const section = useSeenAfter(isRunning)
  useLostFocus(heading, [stream !== undefined, ...takes.map((take) => take.id + take.state)].join(' '))
  return (
    <section
      ref={section}
      className={isRunning ? 'recorder is-running' : 'recorder'}
      aria-label={text('recorder.title')}
    >
      <h3 ref={heading} tabIndex={-1}>
        {text('recorder.title')}
      </h3>
      {canRecord() ? <Controls recorder={recorder} player={player} /> : <p>{text('recorder.unsupported')}</p>}
      <Notice isError>
        {problem ? text(`recorder.problem.${problem}`) : isTooLarge ? text('recorder.tooLarge') : undefined}
      </Notice>
      {!isRunning && (
        <>
          {takes.length > 0 && (
            <ul className="recorder-takes">
              {takes.toReversed().map((take) => (
                <TakeRow key={take.id} take={take} />
              ))}
            </ul>
          )}
          <FileTrigger acceptedFileTypes={['audio/*', 'video/*']} onSelect={(files) => choose(files?.[0])}>
            <Button isSecondary>{text('recorder.file')}</Button>
          </FileTrigger>
          <p className="hint">{text('recorder.fileHint')}</p>
          <Stored score={score} />
        </>
      )}
    </section>
  )
}

/** Returns the ref of an element that comes into view when the recording has ended, because the page followed the music. */
function useSeenAfter(isRunning: boolean) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isRunning) return
    const { current } = element
    return () => current?.scrollIntoView({ block: 'start' })
  }, [isRunning])
  return element
}

function Controls({ recorder, player }: { recorder: Recorder; player: Player | undefined }) {
  const { text } = useTexts()
  const [hasCamera, setCamera] = useState(false)
  const [along, setAlong] = useState<Along>('score')
  const id = useId()
  const { stream, state } = recorder
  const level = useLevel(recorder.analyser)
  const isRecording = state === 'recording'
  const isBusy = state === 'starting' || state === 'stopping'
  if (!stream)
    return (
      <div className="recorder-row">
        <Button onPress={() => void recorder.open(hasCamera)}>{text('recorder.microphone')}</Button>
        <label>
          <input
            type="checkbox"
            checked={hasCamera}
            onChange={({ currentTarget }) => setCamera(currentTarget.checked)}
          />{' '}
          {text('recorder.camera')}
        </label>
      </div>
    )
  return (
    <>
      {stream.getVideoTracks().length > 0 && <Preview stream={stream} />}
      <p className="recorder-row">
        <label htmlFor={`${id}-level`}>{text('recorder.level')}</label>
        <meter id={`${id}-level`} min={0} max={100} high={95} value={level ?? 0} />
      </p>
      {state === 'ready' && (
        <p className="recorder-row">
          <label htmlFor={id}>{text('recorder.along')}</label>
          <select
            id={id}
            value={along}
            onChange={({ currentTarget: { value } }) =>
              setAlong(alongs.find((one) => one === value) ?? 'score')
            }
          >
            {alongs.map((one) => (
              <option key={one} value={one}>
                {text(`recorder.along.${one}`)}
              </option>
            ))}
          </select>
        </p>
      )}
      {along !== 'nothing' && state === 'ready' && (
        <>
          {player && <Tempo player={player} />}
          <p className="hint">{text('recorder.headphones')}</p>
        </>
      )}
      <div className="recorder-row">
        <Button
          isPending={isBusy}
          isDisabled={along !== 'nothing' && !player}
          onPress={() => void (isRecording ? recorder.stop() : recorder.start(along))}
        >
          {text(isRecording ? 'recorder.stop' : 'recorder.start')}
        </Button>
        {isRecording ? (
          <Elapsed />
        ) : (
          <Button isSecondary isDisabled={isBusy} onPress={recorder.close}>
            {text('recorder.off')}
          </Button>
        )}
      </div>
    </>
  )
}

function Tempo({ player }: { player: Player }) {
  const { text } = useTexts()
  const { tempo } = usePlayerState(player)
  return (
    <Slider
      label={text('player.tempo')}
      value={tempo}
      valueText={`${tempo} %`}
      {...tempoRange}
      onChange={player.setTempo}
    />
  )
}

/** How long the recording has been going on. */
function Elapsed() {
  const { text } = useTexts()
  const [startedAt] = useState(() => Date.now())
  const [now, setNow] = useState(startedAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" className="recorder-time">
      {text('recorder.time', { time: clockTime((now - startedAt) / 1000) })}
    </span>
  )
}

/** What the camera sees. */
function Preview({ stream }: { stream: MediaStream }) {
  const { text } = useTexts()
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) video.current.srcObject = stream
  }, [stream])
  return <video ref={video} muted autoPlay playsInline aria-label={text('recorder.preview')} />
}

function TakeRow({ take }: { take: Take }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const { title, state, percent, seconds, address, error } = take
  const isSending = state === 'sending' || state === 'waiting'
  const isVideo = take.blob.type.startsWith('video/')
  return (
    <li>
      <p className="recorder-take">
        <strong>{title}</strong> {seconds > 0 && <span>{clockTime(seconds)}</span>}
      </p>
      {isVideo ? (
        // biome-ignore lint/a11y/useMediaCaption: a recording of the user has no captions
        <video src={address} controls playsInline aria-label={title} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: a recording of the user has no captions
        <audio src={address} controls aria-label={title} />
      )}
      {state === 'sending' && <p>{text('recorder.sending', { percent })}</p>}
      <p role="status">
        {state === 'waiting' && text('recorder.waiting', { percent })}
        {state === 'sent' && text('recorder.sent')}
      </p>
      {isSending && <progress max={100} value={percent} aria-label={title} />}
      <Notice isError>{state === 'failed' ? failureText(texts, error) : undefined}</Notice>
      <div className="recorder-row">
        {(state === 'here' || state === 'failed') && (
          <Button
            aria-label={text('recorder.sendTake', { title })}
            onPress={() => void sendTake(queries, take)}
          >
            {text('recorder.send')}
          </Button>
        )}
        {(state === 'here' || state === 'failed') && (
          <Removal of={title} onConfirm={() => removeTake(take)} />
        )}
        {state === 'sent' && (
          <Button isSecondary onPress={() => removeTake(take)}>
            {text('recorder.hide', { title })}
          </Button>
        )}
      </div>
    </li>
  )
}

const failureText = (texts: ReturnType<typeof useTexts>, error: unknown): string =>
  error instanceof Refusal && error.code === 'UNREADABLE_RECORDING'
    ? texts.text('recorder.unreadable')
    : errorText(texts, error as Error)

/** A button that deletes a recording for good. */
function Removal({ of: title, onConfirm }: { of: string; onConfirm(): void }) {
  const { text } = useTexts()
  return (
    <Confirmation
      action={text('recorder.remove')}
      label={text('recorder.removeTake', { title })}
      consequence={text('recorder.removeWhat')}
      onConfirm={onConfirm}
    />
  )
}

/** The recordings of the user that the server has. The newest one is handed in. */
function Stored({ score }: { score: string }) {
  const texts = useTexts()
  const { text } = texts
  const me = useMe()
  const queries = useQueryClient()
  const { data } = useQuery(recordingsQuery({ score, sharingKey: undefined }))
  const own = data?.filter(
    ({ purpose, creator, file }) => purpose === 'performanceSubmission' && creator === me.id && file,
  )
  const { mutate, error } = useMutation({
    mutationFn: (track: string) => call('deleteScoreTrack', { params: { score, track } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['scores', score, 'recordings'] }),
  })
  const heading = useRef<HTMLHeadingElement>(null)
  useLostFocus(heading, own?.map(({ id }) => id).join(' '))
  if (!own?.length) return null
  return (
    <>
      <h4 ref={heading} tabIndex={-1}>
        {text('recorder.stored')}
      </h4>
      <p className="hint">{text('recorder.newest')}</p>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <ul className="recorder-takes">
        {own.map((recording) => (
          <li key={recording.id} className="recorder-row">
            <span>
              {nameOfRecording(recording)}, <Moment of={recording.creationDate} />
            </span>
            <Removal of={nameOfRecording(recording)} onConfirm={() => mutate(recording.id)} />
          </li>
        ))}
      </ul>
    </>
  )
}
