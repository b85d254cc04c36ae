import { queryOptions } from '@tanstack/react-query'
import type { ScoreTrack } from '../../../src/contract/score-tracks.ts'
import { call, callFile } from '../app/client.ts'
import type { ScoreContents } from '../../../src/music/model/measure-contents.ts'
import type { Variant } from './reader-view.ts'
import type { MusicFormat } from './player/load-music.ts'

/** Which music is shown, and the key of the link that opens it. */
export interface ScoreSource {
  readonly score: string
  /** The id of a revision, or `last`. */
  readonly revision: string
  readonly sharingKey: string | undefined
  /** All parts as written by default. */
  readonly variant?: Variant
}

/** A page as the server engraved it. */
export interface PageFile {
  readonly text: string
  /** The number of pages of the score. */
  readonly pages: number
  /** The id of the revision, also if the last one was asked for. */
  readonly revision: string
}

type Format = 'svg' | 'measureContents' | MusicFormat

/** How a page is set. */
interface PageOptions {
  /** From 1. */
  readonly page: number
  /** The height of a staff in millimeters. Undefined for the size in the score. */
  readonly staffSize: number | undefined
  readonly layout?: 'line' | undefined
}

const fileOf = ({ score, revision, sharingKey }: ScoreSource, format: Format, options?: object) =>
  callFile('getScoreRevisionData', {
    params: { score, revision, format },
    query: { ...(sharingKey !== undefined && { sharingKey }), ...options },
  })

export const pageQuery = (source: ScoreSource, options: PageOptions) =>
  queryOptions({
    queryKey: ['scores', source.score, 'page', source.revision, { ...options, ...source.variant }],
    staleTime: source.revision === 'last' ? 0 : Infinity,
    async queryFn(): Promise<PageFile> {
      const { file, headers } = await fileOf(source, 'svg', { ...options, ...source.variant })
      return {
        text: await file.text(),
        pages: Number(headers.get('X-Partita-Pages') ?? 1),
        revision: headers.get('x-flat-score-revision') ?? source.revision,
      }
    },
  })

/** The music of all parts, also if the pages show some of them: the others accompany. */
export function musicQuery(source: ScoreSource) {
  const transpose = source.variant?.transpose
  return queryOptions({
    queryKey: ['scores', source.score, 'music', source.revision, transpose ?? ''],
    staleTime: Infinity,
    async queryFn() {
      // The first page is shown without this code.
      const { loadMusic } = await import('./player/load-music.ts')
      return loadMusic((format) => fileOf(source, format, { transpose }).then(({ file }) => file))
    },
  })
}

export const contentsQuery = (source: ScoreSource) =>
  queryOptions({
    queryKey: ['scores', source.score, 'contents', source.revision, source.variant],
    staleTime: source.revision === 'last' ? 0 : Infinity,
    async queryFn(): Promise<ScoreContents> {
      const { file } = await fileOf(source, 'measureContents', source.variant)
      return JSON.parse(await file.text()) as ScoreContents
    },
  })

/** A recording with its address. */
export type Recording = ScoreTrack & { readonly url: string }

const hasAddress = (track: ScoreTrack): track is Recording => track.url !== undefined

/** The recordings of a score that the reader may hear. */
export const recordingsQuery = ({ score, sharingKey }: Omit<ScoreSource, 'revision'>) =>
  queryOptions({
    queryKey: ['scores', score, 'recordings'],
    async queryFn(): Promise<Recording[]> {
      const query = sharingKey === undefined ? {} : { sharingKey }
      return (await call('listScoreTracks', { params: { score }, query })).filter(hasAddress)
    },
  })

/** Returns a function that finds where the browser loads a recording. An address at this server is valid for some minutes. */
export const addressOf =
  ({ id, file, url }: Recording, { score, sharingKey }: Omit<ScoreSource, 'revision'>) =>
  async (): Promise<string> => {
    if (!file) return url
    const query = sharingKey === undefined ? {} : { sharingKey }
    return (await call('createScoreTrackLink', { params: { score, track: id }, query })).url
  }

/** The name of a recording, or else the server that has it. */
export const nameOfRecording = ({ title, url }: Recording): string => title ?? new URL(url).hostname
