import { hash } from 'node:crypto'
import type { PitchSetting } from '../../../music/model/transposition/transpose.ts'
import type { PageSetup } from '../../../engines/webmscore/page-setup.ts'
import type { Context } from '../../../context.ts'
import { engineOf, type ExportFormat, exportFormats } from '../../../engines/formats.ts'

/** The options of an export of a revision. */
export interface ExportOptions {
  readonly format: ExportFormat
  /** The uuids of the parts. All parts by default. */
  readonly parts?: readonly string[] | undefined
  /** The page of an `svg`, from 1. The first page by default. */
  readonly page?: number | undefined
  /** How an `svg` or a `pdf` is set on pages, instead of as the score says. */
  readonly setup?: PageSetup | undefined
  /** The pitches, instead of those of the score. */
  readonly pitches?: PitchSetting | undefined
  /** Whether chord symbols are played in a `midi`, `mp3` or `wav`. By default, if the notes have no chords. */
  readonly chordSymbols?: boolean | undefined
  /** Synchronization points of a recording as JSON, which replace those of the playback. */
  readonly recordingPoints?: string | undefined
}

/**
 * Returns the key of an export of a revision. It has the version of what makes the file. Parts and points are hashed because a
 * hundred uuids are too long for an index.
 */
export function variantOf({ soundFont }: Context, options: ExportOptions): string {
  const { format, parts, page = 1, setup, pitches, chordSymbols, recordingPoints } = options
  const { version } = exportFormats[format]
  const isSound = engineOf(exportFormats[format]) === 'audio'
  const choices = [
    ...(version ? [`by=${version()}`] : []),
    ...(isSound && soundFont.hash !== undefined ? [`font=${soundFont.hash}`] : []),
    ...(recordingPoints ? [`recorded=${hash('sha256', recordingPoints, 'base64url')}`] : []),
    ...(format === 'svg' && page > 1 ? [`page=${page}`] : []),
    ...(setup && (format === 'svg' || format === 'pdf') ? choicesOf(setup) : []),
    ...(pitches ? pitchesIn(pitches) : []),
    ...(chordSymbols !== undefined && sounding.has(format) ? [`chordSymbols=${chordSymbols}`] : []),
    ...(parts ? [`parts=${hash('sha256', parts.toSorted().join(','), 'base64url')}`] : []),
  ]
  return choices.length > 0 ? `${format}?${choices.join('&')}` : format
}

const sounding: ReadonlySet<ExportFormat> = new Set(['midi', 'mp3', 'wav'])

const pitchesIn = ({ transpose, concertPitch }: PitchSetting): string[] => [
  ...(transpose ? [`transpose=${transpose.semitones},${transpose.steps ?? ''}`] : []),
  ...(concertPitch === undefined ? [] : [`concertPitch=${concertPitch}`]),
]

/** Whether few readers want the same file: there are too many selections of parts, and too many transpositions. */
export const isForFew = ({ parts, pitches }: Pick<ExportOptions, 'parts' | 'pitches'>): boolean =>
  parts !== undefined || pitches !== undefined

const choicesOf = ({ layout, paper, staffSize, defaultPaper }: PageSetup): string[] => [
  ...(layout ? [`layout=${layout}`] : []),
  ...(paper
    ? [`paper=${paper}`]
    : defaultPaper && defaultPaper !== 'a4'
      ? [`defaultPaper=${defaultPaper}`]
      : []),
  ...(staffSize === undefined ? [] : [`staffSize=${staffSize}`]),
]
