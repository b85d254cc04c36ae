import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-aria-components/Link'
import { useTexts } from '../app/texts.ts'
import type { SynchronizationPoint } from './player/places.ts'
import type { Music } from './player/player.ts'
import { musicOfRecording } from './player/recording.ts'
import { addressOf, nameOfRecording, type Recording, recordingsQuery, type ScoreSource } from './source.ts'

/** A recording that is played instead of the synthesizer. */
export interface ChosenRecording {
  readonly recording: Recording
  readonly music: Music
  /** The music of the score that the recording was paired with. */
  readonly score: Music
}

interface Props {
  source: ScoreSource
  /** The music of the score. */
  score: Music
  /** Undefined for the synthesizer. */
  chosen: ChosenRecording | undefined
  onChoose(chosen: ChosenRecording | undefined): void
  /** The page on which the recordings are synchronized, for those who may write the score. */
  editPath: string | undefined
}

/** Audio files are played here. Services play their recordings on their own pages only, so these are links. */
export default function RecordingChoice({ source, score, chosen: all, onChoose, editPath }: Props) {
  const { text } = useTexts()
  const id = useId()
  // Another revision plays the synthesizer again.
  const chosen = all?.score === score ? all.recording : undefined
  function choose(recording: Recording | undefined) {
    const points = (recording?.synchronizationPoints ?? []) as SynchronizationPoint[]
    onChoose(
      recording && {
        recording,
        score,
        music: musicOfRecording(score, addressOf(recording, source), points),
      },
    )
  }
  const { data: recordings = [] } = useQuery(recordingsQuery(source))
  const files = recordings.filter(({ type }) => type === 'audio')
  const links = recordings.filter((one) => one.type !== 'audio' || one.id === chosen?.id)
  if (recordings.length === 0 && editPath === undefined) return null
  return (
    <div className="practice-recordings">
      {files.length > 0 && (
        <div className="practice-slider practice-part">
          <label htmlFor={id}>{text('recordings.choose')}</label>
          <select
            id={id}
            value={chosen?.id ?? ''}
            onChange={({ currentTarget: { value } }) => choose(files.find((one) => one.id === value))}
          >
            <option value="">{text('recordings.synthesizer')}</option>
            {files.map((recording) => (
              <option key={recording.id} value={recording.id}>
                {nameOfRecording(recording)}
              </option>
            ))}
          </select>
        </div>
      )}
      {links.map((recording) => (
        <p key={recording.id}>
          <Link href={recording.url} target="_blank" rel="noopener noreferrer">
            {text('recordings.open', { title: nameOfRecording(recording) })}
          </Link>
        </p>
      ))}
      {editPath !== undefined && (
        <p>
          <Link href={editPath}>{text('recordings.edit')}</Link>
        </p>
      )}
    </div>
  )
}
