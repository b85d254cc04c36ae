import type { TextKey, Texts } from '../../../../src/texts/catalogue.ts'
import type { ScoreContents } from '../../../../src/music/model/measure-contents.ts'
import type { MeasureItem, WrittenLength } from '../../../../src/music/model/measure-items.ts'
import { pitchName, tonicOf, toneName } from './note-names.ts'

/** The lengths that have names. Others are not named. */
const values = ['breve', 'whole', 'half', 'quarter', 'eighth', '16th', '32nd', '64th', '128th'] as const
type Value = (typeof values)[number]
const isValue = (value: string | undefined): value is Value => values.includes(value as Value)

/** Musicians of all languages say these in Italian. */
const dynamics: Readonly<Record<string, string>> = {
  ppp: 'pianissimo possibile',
  pp: 'pianissimo',
  p: 'piano',
  mp: 'mezzo piano',
  mf: 'mezzo forte',
  f: 'forte',
  ff: 'fortissimo',
  fff: 'forte fortissimo',
  fp: 'forte piano',
  sf: 'sforzando',
  sfz: 'sforzato',
  fz: 'forzato',
  rf: 'rinforzando',
  rfz: 'rinforzando',
  sfp: 'sforzando piano',
}

/**
 * Describes a measure in words: “Measure 5. Time signature 3/4. Right hand: C4 quarter, D4 half.”
 * @param index the place of the measure in the score, from 0
 * @param part the place of the part whose notes are read, from 0; undefined for all parts
 */
export function spokenMeasure(
  texts: Texts,
  contents: ScoreContents,
  index: number,
  part: number | undefined,
): string {
  const { text } = texts
  const measure = contents.measures[index]
  if (!measure) return ''
  const list = (items: readonly MeasureItem[]) => items.map((item) => spokenItem(texts, item)).join(', ')
  const sentences = [text('reading.measure', { number: measure.number })]
  if (measure.signs.length > 0) sentences.push(begun(texts, list(measure.signs)))
  for (const [at, staves] of measure.parts.entries()) {
    if (part !== undefined && part !== at) continue
    const { name = '', staves: count = 1 } = contents.parts[at] ?? {}
    for (const { staff, voices } of staves) {
      const spoken = voices
        .map((items, voice) => {
          const notes = list(items)
          return notes && voice > 0 ? `${text('reading.voice', { number: voice + 1 })}: ${notes}` : notes
        })
        .filter(Boolean)
      const places = [
        part === undefined && contents.parts.length > 1 ? name : '',
        staffName(texts, staff, count),
      ]
      const place = places.filter(Boolean).join(', ')
      const notes = spoken.join('; ')
      if (notes) sentences.push(place ? `${begun(texts, place)}: ${notes}` : begun(texts, notes))
    }
  }
  return sentences.map((sentence) => (sentence.endsWith('.') ? sentence : `${sentence}.`)).join(' ')
}

/** Returns a sentence with its first letter in upper case, except for a German minor key: h-Moll. */
export const begun = ({ language }: Texts, sentence: string): string =>
  /^[a-h]\w{0,2}-/.test(sentence)
    ? sentence
    : sentence.charAt(0).toLocaleUpperCase(language) + sentence.slice(1)

/** Parts of two staves are played with two hands. */
function staffName({ text }: Texts, staff: number, count: number): string {
  if (count === 1) return ''
  if (count > 2) return text('reading.staff', { number: staff })
  return text(staff === 1 ? 'reading.rightHand' : 'reading.leftHand')
}

/** Describes one thing of a measure: “C4 quarter”. */
export function spokenItem(texts: Texts, item: MeasureItem): string {
  const { text } = texts
  switch (item.type) {
    case 'notes':
      return spokenNotes(texts, item)
    case 'rest':
      return item.isWholeMeasure ? text('reading.wholeRest') : lengthName(texts, item, 'rest')
    case 'tuplet':
      return text('reading.tuplet', { notes: item.notes, inTimeOf: item.inTimeOf })
    case 'key':
      return spokenKey(texts, item.fifths, item.mode)
    case 'time':
      return text('reading.time', { meter: item.meter })
    case 'tempo': {
      const mark = item.perMinute ? `${lengthName(texts, item, 'note')} = ${item.perMinute}` : ''
      return text('reading.tempo', { tempo: [item.text, mark].filter(Boolean).join(', ') })
    }
    case 'dynamics':
      return dynamics[item.mark] ?? item.mark
    case 'wedge':
      return text(wedges[item.change] ?? 'reading.wedgeStop')
    case 'words':
      return item.text
    case 'rehearsal':
      return text('reading.rehearsal', { mark: item.text })
    case 'chordSymbol':
      return text('reading.chordSymbol', { chord: item.text })
    case 'ending':
      return text('reading.ending', { number: item.text })
    default:
      return text(`reading.${item.type}`)
  }
}

const wedges: Readonly<Record<string, TextKey>> = {
  crescendo: 'reading.crescendo',
  diminuendo: 'reading.diminuendo',
}

function spokenNotes(texts: Texts, item: MeasureItem & { type: 'notes' }): string {
  const { text } = texts
  const { pitches, isGrace, isHeld, lyrics = [] } = item
  const names = pitches.map((pitch) => pitchName(texts, pitch)).join(' ') || text('reading.unpitched')
  const length = isGrace ? text('reading.grace') : lengthName(texts, item, 'note')
  return [
    `${pitches.length > 1 ? `${text('reading.chord')} ` : ''}${names}${length ? ` ${length}` : ''}`,
    ...(isHeld ? [text('reading.held')] : []),
    ...lyrics.map((syllable) => text('reading.lyric', { syllable })),
  ].join(' ')
}

/** Returns `dotted quarter`, or the same for a rest. Empty if the length has no name. */
function lengthName({ text }: Texts, { value, dots = 0 }: WrittenLength, kind: 'note' | 'rest'): string {
  if (!isValue(value)) return kind === 'rest' ? text('reading.rest') : ''
  const name = kind === 'rest' ? text(`reading.rest.${value}`) : text(`reading.note.${value}`)
  if (dots === 0) return name
  if (kind === 'rest') return text('reading.restDotted', { rest: name })
  return text(dots === 1 ? 'reading.dotted' : 'reading.doubleDotted', { value: name })
}

function spokenKey(texts: Texts, fifths: number, mode: string | undefined): string {
  const { text, language } = texts
  const signature =
    fifths === 0
      ? text('reading.noAccidentals')
      : text(fifths > 0 ? 'reading.sharps' : 'reading.flats', { count: Math.abs(fifths) })
  if (mode !== 'major' && mode !== 'minor') return signature
  const { step, alter } = tonicOf(fifths, mode === 'minor')
  const tonic = toneName(texts, step, alter)
  // German writes minor keys in lower case.
  const name = language === 'de' && mode === 'minor' ? tonic.toLowerCase() : tonic
  return `${text(mode === 'minor' ? 'reading.minor' : 'reading.major', { tonic: name })}, ${signature}`
}
