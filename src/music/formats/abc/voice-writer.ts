import { child, childrenNamed, childText, type Element } from '../../model/document.ts'
import { numberOf } from '../../timeline/written.ts'
import { chordsWithSpaces, lengthsOf } from './lengths.ts'
import { lyricLines } from './lyrics.ts'
import { directionText, harmonyText, tempoOf } from './marks.ts'
import { pitchWriter } from './pitches.ts'
import { type Clef, clefOf, decorations, type Key, keyOf, meterOf } from './signs.ts'
import { type Chord, type Mark, type PartVoices, signsOf, staffOf, type Voice } from './voices.ts'

/** What the header of the tune says, and what a voice needs from the whole score. */
export interface VoiceContext {
  readonly key: Key
  readonly meter: string
  /** The tempo in the header, and the element that sets it. */
  readonly tempo: { readonly value: string; readonly element: Element } | undefined
  readonly ticksPerQuarter: number
  /** The length of each measure of the score, in ticks. */
  readonly lengths: readonly number[]
  /** Whether the voice has the directions, chord symbols and tempos of its staff. */
  readonly hasMarks: boolean
  /** Whether it is the first voice of its part, which has the marks of staves without a voice too. */
  readonly isFirst: boolean
}

export interface VoiceWriter {
  /** The clef and the transposition at the start, which the header of the voice has. */
  readonly clef: Clef
  /** Semitones from the written to the sounding pitch. */
  readonly transpose: number
  /** The number of measures of its part. */
  readonly measures: number
  /** The next measure without bar lines: the fields for the changes at its start, and its music. */
  nextMeasure(): { readonly fields: string; readonly music: string }
  /** The `w:` lines of the measures since the last call. */
  takeLyrics(): string[]
}

/** Creates the writer of one voice. It must be asked for the measures in their order. */
export function voiceWriter(
  { marks, lengths }: PartVoices,
  voice: Voice,
  context: VoiceContext,
): VoiceWriter {
  const start = attributesAt(marks[0] ?? [], voice.staff)
  let clef = start.clef ?? { name: 'treble', octaves: 0 }
  const first = { clef, transpose: start.transpose ?? 0 }
  let key = context.key
  let meter = context.meter
  const pitches = pitchWriter()
  const hairpins = new Map<string, string>()
  let written: Chord[] = []
  let column = 0

  /** Returns the fields for attributes, and applies them. */
  function changesText(element: Element): string {
    const changes = attributesAt([{ at: 0, element }], voice.staff)
    let text = ''
    if (changes.key && changes.key.name !== key.name) text += `[K:${changes.key.name}]`
    if (changes.meter && changes.meter !== meter) text += `[M:${changes.meter}]`
    if (changes.clef && changes.clef.name !== clef.name) text += `[K:clef=${changes.clef.name}]`
    key = changes.key ?? key
    meter = changes.meter ?? meter
    clef = changes.clef ?? clef
    return text
  }

  const isHere = ({ element }: Mark) =>
    context.hasMarks && (staffOf(element) === voice.staff || (context.isFirst && element.name === 'sound'))

  function fieldsText(mark: Mark): string {
    const { element } = mark
    if (element.name === 'attributes') return changesText(element)
    const isTempo = element.name === 'direction' || element.name === 'sound'
    const tempo = isTempo && isHere(mark) && element !== context.tempo?.element && tempoOf(element)
    // A bracket would end the field, also between quotes.
    return tempo ? `[Q:${tempo.replaceAll(']', ')')}]` : ''
  }

  function signText(mark: Mark): string {
    if (!isHere(mark)) return ''
    if (mark.element.name === 'harmony') return harmonyText(mark.element)
    return mark.element.name === 'direction' ? directionText(mark.element, hairpins) : ''
  }

  function chordText(chord: Chord): string {
    if (chord.kind === 'space') return 'x'
    const text = chord.kind === 'rest' ? 'z' : notesText(chord.notes)
    return '('.repeat(chord.slurs.begin) + decorationsOf(chord.notes) + text
  }

  function notesText(notes: readonly Element[]): string {
    const written = notes.map((note) => pitches.text(note, key, clef.octaves))
    return written.length === 1
      ? (written[0] ?? '')
      : `[${notes.map((note, i) => written[i] + tieText(note)).join('')}]`
  }

  function gracesText({ graces }: Chord): string {
    if (graces.length === 0) return ''
    const isSlashed = child(graces[0]?.[0] as Element, 'grace')?.attributes.slash === 'yes'
    const notes = graces.map((chord) => {
      const texts = chord.map((note) => pitches.graceText(note, key, clef.octaves))
      return texts.length === 1 ? texts[0] : `[${texts.join('')}]`
    })
    return `{${isSlashed ? '/' : ''}${notes.join('')}}`
  }

  return {
    ...first,
    measures: lengths.length,
    nextMeasure() {
      pitches.startMeasure()
      const length = context.lengths[column] ?? 0
      const chords = chordsWithSpaces(voice.measures[column] ?? [], length, context.ticksPerQuarter)
      const marksOfMeasure = marks[column] ?? []
      column++
      written.push(...chords)
      const lengthOf = lengthsOf(chords, context.ticksPerQuarter)
      const isChange = ({ at, element }: Mark) => at === 0 && element.name === 'attributes'
      const fields = marksOfMeasure.filter(isChange).map(fieldsText).join('')
      const waiting = marksOfMeasure.filter((mark) => !isChange(mark)).sort((a, b) => a.at - b.at)
      let next = 0
      let text = ''
      for (const [place, chord] of chords.entries()) {
        const isLast = place === chords.length - 1
        const from = next
        while (next < waiting.length && (isLast || (waiting[next]?.at ?? 0) <= chord.onset)) next++
        const here = waiting.slice(from, next)
        // A field between the signs of a note and the note would part them.
        const [before, after] = [
          here.filter(({ at }) => at <= chord.onset),
          here.filter(({ at }) => at > chord.onset),
        ]
        const ownFields = before.map(fieldsText).join('')
        const signs = here.map(signText).join('')
        const { tuplet, length } = lengthOf(chord)
        const [note] = chord.notes
        const tie = chord.notes.length === 1 && note ? tieText(note) : ''
        const ends = length + tie + ')'.repeat(chord.slurs.end)
        text += `${ownFields}${tuplet}${signs}${gracesText(chord)}${chordText(chord)}${ends}${isBeamed(note) ? '' : ' '}`
        text += after.map(fieldsText).join('')
      }
      return { fields, music: text }
    },
    takeLyrics() {
      const lines = lyricLines(written)
      written = []
      return lines
    },
  }
}

/** The decorations of a chord, each once. */
function decorationsOf(notes: readonly Element[]): string {
  const found = new Set<string>()
  for (const sign of notes.flatMap(signsOf)) {
    const signs = ['articulations', 'ornaments', 'technical'].includes(sign.name) ? sign.children : [sign]
    for (const { name } of signs) {
      const decoration = decorations.get(name)
      if (decoration !== undefined) found.add(decoration)
    }
  }
  return [...found].join('')
}

/** A file that has only the signs of ties means them. */
function tieText(note: Element): string {
  const ties = childrenNamed(note, 'tie')
  const signs = ties.length > 0 ? ties : signsOf(note).filter(({ name }) => name === 'tied')
  return child(note, 'pitch') && signs.some(({ attributes }) => attributes.type === 'start') ? '-' : ''
}

/** Notes without a space between them have one beam. */
function isBeamed(note: Element | undefined): boolean {
  const beam =
    note && childrenNamed(note, 'beam').find(({ attributes }) => (attributes.number ?? '1') === '1')
  return beam?.text.trim() === 'begin' || beam?.text.trim() === 'continue'
}

interface Changes {
  key: Key | undefined
  meter: string | undefined
  clef: Clef | undefined
  transpose: number | undefined
}

/** The attributes of a staff that the marks at the start set. */
function attributesAt(marks: readonly Mark[], staff: number): Changes {
  const changes: Changes = { key: undefined, meter: undefined, clef: undefined, transpose: undefined }
  for (const { at, element } of marks) {
    if (element.name !== 'attributes' || at > 0) continue
    for (const one of element.children) {
      const number = numberOf(one.attributes.number)
      // A clef without a number is that of the first staff. Everything else without one is for all staves.
      if (number === undefined ? one.name === 'clef' && staff !== 1 : number !== staff) continue
      if (one.name === 'key') changes.key = keyOf(one)
      else if (one.name === 'time') changes.meter = meterOf(one)
      else if (one.name === 'clef') changes.clef = clefOf(one)
      else if (one.name === 'transpose') changes.transpose = transpositionOf(one)
    }
  }
  return changes
}

function transpositionOf(transpose: Element): number {
  const chromatic = numberOf(childText(transpose, 'chromatic')) ?? 0
  return Math.round(chromatic) + 12 * Math.round(numberOf(childText(transpose, 'octave-change')) ?? 0)
}
