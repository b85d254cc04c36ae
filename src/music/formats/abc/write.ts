import { creditsOf, oneLine } from '../../model/credits.ts'
import {
  child,
  childrenNamed,
  childText,
  type Element,
  partsOf,
  type ScoreDocument,
} from '../../model/document.ts'
import { ticksPerQuarterOf } from '../../timeline/ticks.ts'
import { type BarLines, barLinesOf } from './bar-lines.ts'
import { tempoOf } from './marks.ts'
import { keyOf, meterOf, noKey } from './signs.ts'
import { fieldText, quotedText } from './text.ts'
import { type PartVoices, voicesOf } from './voices.ts'
import { type VoiceContext, type VoiceWriter, voiceWriter } from './voice-writer.ts'

/** The number of measures in a line of the file. */
const measuresOfLine = 4

/**
 * Writes a score in ABC 2.1 (abcnotation.com, December 2011), in UTF-8. Pitches are the written ones; `transpose` of a voice
 * says what sounds. All voices have all measures, four in a line. docs/formats.md lists what ABC cannot hold.
 */
export function writeAbc(document: ScoreDocument): Uint8Array {
  const ticksPerQuarter = ticksPerQuarterOf(document)
  const parts = partsOf(document)
  const read = parts.map((part) => voicesOf(part, ticksPerQuarter))
  const barLines = barLinesOf(parts)
  const firstKey = firstOf(read, 'key')
  const firstMeter = firstOf(read, 'time')
  const context = {
    key: firstKey ? keyOf(firstKey) : noKey,
    meter: firstMeter ? meterOf(firstMeter) : 'none',
    tempo: firstTempo(read),
    ticksPerQuarter,
    lengths: barLines.after.map((_, column) => columnLength(read, column, ticksPerQuarter)),
  }
  const writers = read.map((part) =>
    part.voices.map((voice, place) => {
      const hasMarks = part.voices.findIndex(({ staff }) => staff === voice.staff) === place
      return voiceWriter(part, voice, { ...context, hasMarks, isFirst: place === 0 })
    }),
  )
  const lines = [
    ...headerLines(document, context),
    ...staffLines(document, read, writers),
    `K:${context.key.name}`,
    ...musicLines(writers.flat(), barLines),
  ]
  return new TextEncoder().encode(`${lines.join('\n')}\n`)
}

type Header = Pick<VoiceContext, 'meter' | 'tempo'>

function headerLines(document: ScoreDocument, { meter, tempo }: Header): string[] {
  const { title, subtitle, composer, lyricist, arranger } = creditsOf(document)
  const fields: [name: string, text: string | undefined][] = [
    ['T:', title],
    ['T:', subtitle],
    ['C:', composer],
    ['N:Words: ', lyricist],
    ['N:Arrangement: ', arranger],
  ]
  return [
    '%abc-2.1',
    'X:1',
    ...fields.flatMap(([name, text]) => (text ? [name + fieldText(text)] : [])),
    'L:1/8',
    `M:${meter}`,
    ...(tempo ? [`Q:${tempo.value}`] : []),
  ]
}

/** The fields that say which voices share a staff, and the clef and name of each voice. */
function staffLines(
  document: ScoreDocument,
  parts: readonly PartVoices[],
  writers: readonly (readonly VoiceWriter[])[],
): string[] {
  const partList = child(document.root, 'part-list')
  const scoreParts = partList ? childrenNamed(partList, 'score-part') : []
  const ids = partsOf(document).map(({ attributes }) => attributes.id)
  let number = 0
  const groups: string[] = []
  const voices: string[] = []
  for (const [place, { voices: ofPart }] of parts.entries()) {
    const about = scoreParts.find(({ attributes }) => attributes.id === ids[place]) ?? scoreParts[place]
    const byStaff = Map.groupBy(ofPart, ({ staff }) => staff)
    const staves: string[] = []
    for (const onStaff of byStaff.values()) {
      const numbers = onStaff.map(() => ++number)
      staves.push(numbers.length > 1 ? `(${numbers.join(' ')})` : String(numbers[0]))
    }
    groups.push(staves.length > 1 ? `{${staves.join(' | ')}}` : (staves[0] ?? ''))
    for (const [index, writer] of (writers[place] ?? []).entries()) {
      const name = index === 0 ? nameOf(about, 'part-name') : undefined
      const short = index === 0 ? nameOf(about, 'part-abbreviation') : undefined
      const { clef, transpose } = writer
      voices.push(
        [
          `V:${voices.length + 1} clef=${clef.name}`,
          ...(name ? [`name=${quotedText(name)}`] : []),
          ...(short ? [`snm=${quotedText(short)}`] : []),
          ...(transpose ? [`transpose=${transpose}`] : []),
        ].join(' '),
      )
    }
  }
  return [`%%score ${groups.join(' ')}`, ...voices]
}

function nameOf(scorePart: Element | undefined, field: string): string | undefined {
  return scorePart && oneLine(childText(scorePart, field))
}

/** The measures in lines of four, each line once for each voice, with its lyrics below. */
function musicLines(voices: readonly VoiceWriter[], barLines: BarLines): string[] {
  const ofVoices = voices.map((voice) => linesOf(voice, barLines))
  return barLines.after.flatMap((_, line) =>
    ofVoices.flatMap((lines, place) => {
      const { music, lyrics } = lines[line] ?? { music: '', lyrics: [] }
      return music === '' ? [] : [`V:${place + 1}`, music.trim(), ...lyrics.map((verse) => `w: ${verse}`)]
    }),
  )
}

/**
 * The lines of a voice. Fields for changes at the start of a line stand at the end of the line before: some programs take those
 * at the start for the voice that was written before.
 */
function linesOf(
  voice: VoiceWriter,
  { start, after, endings }: BarLines,
): { music: string; lyrics: string[] }[] {
  const lines: { music: string; lyrics: string[] }[] = []
  const columns = Math.min(after.length, voice.measures)
  for (let column = 0; column < columns; column++) {
    if (column % measuresOfLine === 0) {
      const last = lines.at(-1)
      if (last) last.lyrics = voice.takeLyrics()
      lines.push({ music: column === 0 ? start : '', lyrics: [] })
    }
    const { fields, music } = voice.nextMeasure()
    const line = lines.at(-1)
    const withFields = (column % measuresOfLine === 0 && lines.at(-2)) || line
    if (withFields) withFields.music += fields
    if (line) line.music += `${endings[column] ?? ''}${music}${after[column]} `
  }
  const last = lines.at(-1)
  if (last) last.lyrics = voice.takeLyrics()
  return lines
}

/** The length of a column in ticks: that of its longest measure. An empty column is as long as a measure of four quarters. */
function columnLength(parts: readonly PartVoices[], column: number, ticksPerQuarter: number): number {
  return Math.max(0, ...parts.map(({ lengths }) => lengths[column] ?? 0)) || 4 * ticksPerQuarter
}

/** The first `key` or `time` of the score. */
function firstOf(parts: readonly PartVoices[], name: 'key' | 'time'): Element | undefined {
  for (const { element } of parts[0]?.marks[0] ?? []) {
    const found = element.name === 'attributes' ? child(element, name) : undefined
    if (found) return found
  }
  return undefined
}

/** The tempo at the start of the first part that has one there. */
function firstTempo(parts: readonly PartVoices[]): VoiceContext['tempo'] {
  for (const { marks } of parts) {
    for (const { at, element } of marks[0] ?? []) {
      if (at > 0 || (element.name !== 'direction' && element.name !== 'sound')) continue
      const value = tempoOf(element)
      if (value !== undefined) return { value, element }
    }
  }
  return undefined
}
