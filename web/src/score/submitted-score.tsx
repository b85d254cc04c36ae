import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTexts } from '../app/texts.ts'
import type { ChosenRecording } from './recording-choice.tsx'
import type { Player } from './player/player.ts'
import { musicOfRecording } from './player/recording.ts'
import type { SynchronizationPoint } from './player/places.ts'
import ScoreView from './score-view.tsx'
import { addressOf, musicQuery, nameOfRecording, recordingsQuery, type ScoreSource } from './source.ts'

/** Seconds that are heard before the first measure. */
const leadIn = 0.5

interface Props {
  source: ScoreSource
  title: string
  artist: string
  /** The id of the recording that was handed in with the score. */
  track: string
}

/** A score with a recording of it: the player plays the recording, and the score follows. */
export default function SubmittedScore({ source, title, artist, track }: Props) {
  const { text } = useTexts()
  const { data: recordings } = useQuery(recordingsQuery(source))
  const { data: score } = useQuery(musicQuery(source))
  const recording = recordings?.find(({ id }) => id === track)
  const isVideo = recording?.file?.mediaType.startsWith('video/') === true
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const chosen = useMemo((): ChosenRecording | undefined => {
    if (!recording || !score || (isVideo && !video)) return undefined
    const points = (recording.synchronizationPoints ?? []) as SynchronizationPoint[]
    const address = addressOf(recording, { score: source.score, sharingKey: source.sharingKey })
    return { recording, score, music: musicOfRecording(score, address, points, video ?? undefined) }
  }, [recording, score, source.score, source.sharingKey, isVideo, video])
  /** Before the first measure, the music counts in. */
  function skipCountIn(player: Player) {
    const [first] = player.music.measures
    if (first && player.music === chosen?.music) player.seek(first.start - leadIn)
  }
  return (
    <>
      {recordings && <p>{recording ? nameOfRecording(recording) : text('recorder.deleted')}</p>}
      {isVideo && (
        // biome-ignore lint/a11y/useMediaCaption: a recording of a student has no captions
        <video ref={setVideo} className="recorded-video" playsInline aria-label={text('recorder.video')} />
      )}
      <ScoreView source={source} title={title} artist={artist} recording={chosen} onPlayer={skipCountIn} />
    </>
  )
}
