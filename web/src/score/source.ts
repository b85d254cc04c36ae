import { queryOptions } from '@tanstack/react-query'
import { callFile } from '../app/client.ts'
import { beatsOf, playedMeasures, type SynchronizationPoint } from './player/places.ts'
import { readNoteTimes } from './player/lit-notes.ts'
import type { Music } from './player/player.ts'
import { recordingEngine } from './player/recording-engine.ts'
import { nameOfSound, readSong, type Song, soundsOf } from './player/song.ts'
import { canSynthesize, synthEngine } from './player/synth-engine.ts'

/** Which music is shown, and the key of the link that opens it. */
export interface ScoreSource {
  readonly score: string
  /** The id of a revision, or `last`. */
  readonly revision: string
  readonly sharingKey: string | undefined
}

/** A page as the server engraved it. */
export interface PageFile {
  readonly text: string
  /** The number of pages of the score. */
  readonly pages: number
  /** The id of the revision, also if the last one was asked for. */
  readonly revision: string
}

type Format = 'svg' | 'midi' | 'synchronizationPoints' | 'noteTimes' | 'mp3'

/** How a page is set. */
interface PageOptions {
  /** From 1. */
  readonly page: number
  /** The height of a staff in millimeters. Undefined for the size in the score. */
  readonly staffSize: number | undefined
}

const fileOf = ({ score, revision, sharingKey }: ScoreSource, format: Format, options?: PageOptions) =>
  callFile('getScoreRevisionData', {
    params: { score, revision, format },
    query: { ...(sharingKey !== undefined && { sharingKey }), ...options },
  })

export const pageQuery = (source: ScoreSource, options: PageOptions) =>
  queryOptions({
    queryKey: ['scores', source.score, 'page', source.revision, options],
    staleTime: source.revision === 'last' ? 0 : Infinity,
    async queryFn(): Promise<PageFile> {
      const { file, headers } = await fileOf(source, 'svg', options)
      return {
        text: await file.text(),
        pages: Number(headers.get('X-Partita-Pages') ?? 1),
        revision: headers.get('x-flat-score-revision') ?? source.revision,
      }
    },
  })

export const musicQuery = (source: ScoreSource) =>
  queryOptions({
    queryKey: ['scores', source.score, 'music', source.revision],
    staleTime: Infinity,
    queryFn: () => loadMusic(source),
  })

async function loadMusic(source: ScoreSource): Promise<Music> {
  const [midi, points, noteTimes] = await Promise.all([
    fileOf(source, 'midi').then(({ file }) => file.arrayBuffer()),
    fileOf(source, 'synchronizationPoints').then(({ file }) => file.text()),
    fileOf(source, 'noteTimes').then(({ file }) => file.text()),
  ])
  const song = readSong(new Uint8Array(midi))
  const measures = playedMeasures(JSON.parse(points) as SynchronizationPoint[])
  const beats = beatsOf(song, measures)
  const { events, durationSeconds } = song
  return {
    measures,
    beats,
    durationSeconds,
    notes: readNoteTimes(noteTimes),
    parts: song.parts.map(({ name }) => name),
    start: canSynthesize()
      ? synthEngine({ events, beats, durationSeconds }, () => loadSounds(song))
      : recordingEngine(async () => (await fileOf(source, 'mp3')).file),
  }
}

/** Loads the sounds that a song needs from the sound font of the server. */
function loadSounds(song: Song): Promise<{ name: string; bytes: ArrayBuffer }[]> {
  return Promise.all(
    soundsOf(song).map(async (sound) => {
      const name = nameOfSound(sound)
      const response = await fetch(`/sounds/${name}.sf3`)
      if (!response.ok) throw new Error(`The sound ${name} cannot be loaded.`)
      return { name, bytes: await response.arrayBuffer() }
    }),
  )
}
