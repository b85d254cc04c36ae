/**
 * What a voice of a score in shorthand says. Measures are separated by `|` (`||` a double bar; `|:` and `:|` a repeat),
 * what is in them by white space:
 *
 *     c4:4 d e f | f#4:8 g a bb c5:2 | e4+g4+c5:2. r:4 | R
 *
 * - a note: letter, accidentals (`#`, `b`), octave (4 begins with middle C), `:` and its length (`1 2 4 8 16`, dots). Octave
 *   and length hold until others are given; `x` is a note without pitch, `r` a rest, `R` a rest for the whole measure
 * - notes joined by `+` are a chord
 * - behind a note: `~` a tie to the next note, `(` and `)` a slur's beginning and end, `'` staccato, `>` an accent, `^` a fermata
 * - `3{ … }` triplets
 * - `!mf` a dynamic, `"words"` a text above, each before the note that it stands at
 * - `key:2`, `time:3/4` for the measure that they begin and those after it; `/` begins a line
 */

export interface Measure {
  tokens: Token[]
  key?: number | undefined
  time?: string | undefined
  newLine: boolean
  repeatsFrom: boolean
  repeatsTo: boolean
  isDouble: boolean
}

export type Token =
  | { kind: 'note'; note: ShorthandNote }
  | { kind: 'measure-rest' }
  | { kind: 'dynamic' | 'words'; text: string }

export interface ShorthandNote {
  /** Undefined for a rest. */
  pitch: { step: string; alter: number; octave: number } | 'unpitched' | undefined
  /** As it lasts, in a triplet less than its type says. */
  quarters: number
  /** As MusicXML names note types. */
  type: string
  dots: number
  inChord: boolean
  triplet: 'start' | 'within' | 'stop' | undefined
  tieStart: boolean
  tieStop: boolean
  slurStart: boolean
  slurStop: boolean
  staccato: boolean
  accent: boolean
  fermata: boolean
}

const types: Record<string, string> = { 1: 'whole', 2: 'half', 4: 'quarter', 8: 'eighth', 16: '16th' }

/** How many quarter notes fill a measure of this time. */
export function measureQuarters(time: string): number {
  const [beats = 0, beatType = 4] = time.split('/').map(Number)
  return (beats * 4) / beatType
}

/** @throws Error naming what it does not understand */
export function parseMeasures(text: string): Measure[] {
  const state: State = { octave: 4, length: '4', ties: new Set() }
  const measures: Measure[] = []
  let repeatsFrom = false
  for (const [, music = '', bar = ''] of text.matchAll(/((?:"[^"]*"|[^|":]|:(?!\|))*)(:?\|[|:]?|$)/g)) {
    if (music.trim() !== '') measures.push({ ...parseMeasure(music, state), repeatsFrom })
    const last = measures.at(-1)
    if (last && music.trim() !== '') {
      last.repeatsTo = bar.startsWith(':')
      last.isDouble = bar === '||'
    }
    repeatsFrom = bar.endsWith(':') || (music.trim() === '' && repeatsFrom)
  }
  return measures
}

/** What holds from one note to the next. */
interface State {
  octave: number
  length: string
  /** The pitches that are tied to what comes. */
  ties: Set<string>
}

function parseMeasure(text: string, state: State): Measure {
  const measure: Measure = { tokens: [], newLine: false, repeatsFrom: false, repeatsTo: false, isDouble: false }
  let inTriplet = false
  let isFirst = false
  for (const token of text.match(/"[^"]*"|\S+/g) ?? []) {
    const [name, value = ''] = token.split(':')
    if (token === '/') measure.newLine = true
    else if (name === 'key') measure.key = Number(value)
    else if (name === 'time') measure.time = value
    else if (token === 'R') measure.tokens.push({ kind: 'measure-rest' })
    else if (token.startsWith('"')) measure.tokens.push({ kind: 'words', text: token.slice(1, -1) })
    else if (token.startsWith('!')) measure.tokens.push({ kind: 'dynamic', text: token.slice(1) })
    else if (token === '3{') {
      inTriplet = true
      isFirst = true
    } else if (token === '}') {
      inTriplet = false
      const last = measure.tokens.findLast((one) => one.kind === 'note' && !one.note.inChord)
      if (last?.kind === 'note') last.note.triplet = 'stop'
    } else {
      for (const note of parseNotes(token, state, inTriplet)) {
        if (isFirst && !note.inChord) note.triplet = 'start'
        isFirst = false
        measure.tokens.push({ kind: 'note', note })
      }
    }
  }
  return measure
}

const noteToken = /^(?<heads>[a-gxr][#b\d]*(?:\+[a-g][#b\d]*)*)(?::(?<length>\d+\.*))?(?<marks>[~()'>^]*)$/

function parseNotes(token: string, state: State, inTriplet: boolean): ShorthandNote[] {
  const { heads = '', length = state.length, marks = '' } = noteToken.exec(token)?.groups ?? {}
  const [, value = '', points = ''] = /^(\d+)(\.*)$/.exec(length) ?? []
  const type = types[value]
  if (!heads || !type) throw new Error(`${token} is no note`)
  state.length = length
  const dots = points.length
  const written = (4 / Number(value)) * (2 - 0.5 ** dots)
  const quarters = inTriplet ? (written * 2) / 3 : written
  const tiedNow = new Set<string>()
  const notes = heads.split('+').map((head, index): ShorthandNote => {
    const pitch = parsePitch(head, state)
    const name = JSON.stringify(pitch)
    const tieStart = marks.includes('~')
    if (tieStart) tiedNow.add(name)
    return {
      pitch,
      quarters,
      type,
      dots,
      inChord: index > 0,
      triplet: inTriplet ? 'within' : undefined,
      tieStart,
      tieStop: state.ties.has(name),
      slurStart: index === 0 && marks.includes('('),
      slurStop: index === 0 && marks.includes(')'),
      staccato: index === 0 && marks.includes("'"),
      accent: index === 0 && marks.includes('>'),
      fermata: index === 0 && marks.includes('^'),
    }
  })
  state.ties = tiedNow
  return notes
}

function parsePitch(head: string, state: State): ShorthandNote['pitch'] {
  if (head === 'r') return undefined
  if (head === 'x') return 'unpitched'
  const [, letter = '', accidentals = '', octave] = /^([a-g])([#b]*)(\d?)$/.exec(head) ?? []
  if (!letter) throw new Error(`${head} is no pitch`)
  if (octave) state.octave = Number(octave)
  const alter = [...accidentals].reduce((sum, sign) => sum + (sign === '#' ? 1 : -1), 0)
  return { step: letter.toUpperCase(), alter, octave: state.octave }
}
