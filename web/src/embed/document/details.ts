import {
  all,
  attribute,
  childNames,
  children,
  first,
  type JsonElement,
  numberAt,
  textAt,
  textOf,
} from './json-form.ts'
import type { PartMeasure, Score, ScorePart, VoiceNote } from './score.ts'

/** What a programme that embeds a score can ask about a note or rest. */
export function noteDetails(part: ScorePart, measure: PartMeasure, note: VoiceNote): Record<string, unknown> {
  const { elements } = note
  const [head] = elements
  const notations = elements.flatMap((element) => all(element, 'notations'))
  const common = {
    articulations: notations.flatMap((one) => all(one, 'articulations').flatMap(childNames)),
    classicHarmony: null,
    durationType: textAt(head, 'type') ?? typeOf(note.quarters),
    dynamicStyle: dynamicOf(note.directions),
    harmony: note.harmony === undefined ? null : chordSymbol(note.harmony),
    isInSlur: isInSlur(part, measure, note),
    isRest: note.isRest,
    lyrics: all(head, 'lyric').map(lyricLine),
    nbDots: all(head, 'dot').length,
    nbGraces: note.graces,
    ornaments: note.isRest ? [] : ornamentsOf(notations),
    technical: notations.flatMap((one) => all(one, 'technical').flatMap(childNames)),
    tupletType: note.tuplet ?? null,
    wedgeType: wedgeOf(note.directions),
  }
  if (note.isRest) return common
  const has = (name: string) => notations.some((one) => first(one, name) !== undefined)
  return {
    ...common,
    ghostNotes: elements.map((element) => attribute(first(element, 'notehead'), 'parentheses') === 'yes'),
    hammerOnPullOffs: elements.map((element) =>
      all(element, 'notations').some((one) =>
        all(one, 'technical').some((sign) =>
          ['hammer-on', 'pull-off'].some((name) => attribute(first(sign, name), 'type') === 'start'),
        ),
      ),
    ),
    hasArpeggio: has('arpeggiate'),
    hasGlissando: has('glissando') || has('slide'),
    isChord: elements.length > 1,
    isTied: elements.some((element) => all(element, 'tie').some((tie) => attribute(tie, 'type') === 'start')),
    lines: elements.map((element) => lineOf(measure, note.staff, element)),
    pitches: elements.map(pitchOf),
  }
}

function pitchOf(element: JsonElement) {
  const pitch = first(element, 'pitch')
  const unpitched = first(element, 'unpitched')
  return pitch === undefined
    ? {
        step: textAt(unpitched, 'display-step') ?? '',
        octave: numberAt(unpitched, 'display-octave') ?? 0,
        alter: 0,
      }
    : {
        step: textAt(pitch, 'step') ?? '',
        octave: numberAt(pitch, 'octave') ?? 0,
        alter: numberAt(pitch, 'alter') ?? 0,
      }
}

const steps = 'CDEFGAB'
/** The note on the line on which a clef stands, as a number of steps above C0. */
const stepsOfClef: Readonly<Record<string, number>> = { G: 4 * 7 + 4, F: 3 * 7 + 3, C: 4 * 7 }

/** Returns the place on the staff: 0 for the bottom line, 1 for the line above it, a half for the space between them. */
export function lineOf(measure: PartMeasure, staff: number, element: JsonElement): number {
  const clef = measure.attributes.clefs[staff]
  const sign = textAt(clef, 'sign') ?? 'G'
  const line = numberAt(clef, 'line') ?? 2
  const octaves = numberAt(clef, 'clef-octave-change') ?? 0
  const { step, octave } = pitchOf(element)
  const written = octave * 7 + Math.max(0, steps.indexOf(step))
  return line - 1 + (written - 7 * octaves - (stepsOfClef[sign] ?? stepsOfClef.G ?? 0)) / 2
}

const typesOfQuarters: readonly (readonly [quarters: number, type: string])[] = [
  [4, 'whole'],
  [2, 'half'],
  [1, 'quarter'],
  [0.5, 'eighth'],
  [0.25, '16th'],
  [0.125, '32nd'],
  [0, '64th'],
]

/** A rest of a whole measure has no type. */
const typeOf = (quarters: number): string =>
  typesOfQuarters.find(([least]) => quarters >= least)?.[1] ?? 'quarter'

function dynamicOf(directions: readonly JsonElement[]): string | null {
  const [found] = directions.flatMap((direction) =>
    all(direction, 'direction-type').flatMap((type) => all(type, 'dynamics').flatMap(childNames)),
  )
  return found ?? null
}

function wedgeOf(directions: readonly JsonElement[]): string | null {
  const types = directions.flatMap((direction) =>
    all(direction, 'direction-type').flatMap((type) =>
      all(type, 'wedge').map((wedge) => attribute(wedge, 'type')),
    ),
  )
  return types.find((type) => type === 'crescendo' || type === 'diminuendo') ?? null
}

function ornamentsOf(notations: readonly JsonElement[]): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const { name, element } of notations.flatMap((one) => all(one, 'ornaments').flatMap(children))) {
    if (name === 'tremolo')
      found.tremolo = { nbBeam: Number(textOf(element)), type: attribute(element, 'type') }
    else if (name.endsWith('mordent')) found[name] = { long: attribute(element, 'long') }
    else found[name] = {}
  }
  return found
}

function lyricLine(lyric: JsonElement, index: number) {
  const syllabic = textAt(lyric, 'syllabic')
  const extend = first(lyric, 'extend')
  const text = all(lyric, 'text').map(textOf).join(' ')
  return {
    text,
    level: Number(attribute(lyric, 'number') ?? index + 1) - 1 || 0,
    hasRightConnection: syllabic === 'begin' || syllabic === 'middle',
    hasRightMelisma: extend !== undefined && text !== '',
    isMelisma: extend !== undefined && text === '',
  }
}

function chordSymbol(harmony: JsonElement) {
  const root = first(harmony, 'root')
  const bass = first(harmony, 'bass')
  const kind = first(harmony, 'kind')
  return {
    kind: textOf(kind),
    type: attribute(kind, 'text') ?? '',
    root: { 'root-step': textAt(root, 'root-step') ?? '', 'root-alter': textAt(root, 'root-alter') ?? '0' },
    bass:
      bass === undefined
        ? null
        : { 'bass-step': textAt(bass, 'bass-step') ?? '', 'bass-alter': textAt(bass, 'bass-alter') ?? '0' },
    suspension: textOf(kind).startsWith('suspended') ? textOf(kind) : null,
    degrees: all(harmony, 'degree').map((degree) => ({
      'degree-value': numberAt(degree, 'degree-value') ?? 0,
      'degree-alter': numberAt(degree, 'degree-alter') ?? 0,
      'degree-type': textAt(degree, 'degree-type') ?? 'add',
    })),
  }
}

/** Whether a slur begins or ends at the note, or goes over it. */
function isInSlur(part: ScorePart, measure: PartMeasure, note: VoiceNote): boolean {
  const voice = measure.voices.find(({ notes }) => notes.includes(note))?.voice
  const open = new Set<string>()
  for (const other of part.measures) {
    for (const one of other.voices.find((each) => each.voice === voice)?.notes ?? []) {
      const slurs = one.elements.flatMap((element) =>
        all(element, 'notations').flatMap((notation) => all(notation, 'slur')),
      )
      const of = (type: string) =>
        slurs
          .filter((slur) => attribute(slur, 'type') === type)
          .map((slur) => attribute(slur, 'number') ?? '1')
      for (const number of of('start')) open.add(number)
      if (one === note) return !note.isRest && (open.size > 0 || slurs.length > 0)
      for (const number of of('stop')) open.delete(number)
    }
  }
  return false
}

const quartersOfUnit: Readonly<Record<string, number>> = {
  whole: 4,
  half: 2,
  quarter: 1,
  eighth: 0.5,
  '16th': 0.25,
}

/** What holds in a measure: clef, key, time, tempo and transposition. */
export function measureDetails(
  { parts }: Pick<Score, 'parts'>,
  part: ScorePart,
  measureIndex: number,
  staff: number,
): Record<string, unknown> {
  const measure = part.measures[measureIndex]
  const { clefs = [], key, time, transpose } = measure?.attributes ?? {}
  const clef = clefs[staff] ?? clefs[0]
  const signature = { beats: numberAt(time, 'beats') ?? 4, 'beat-type': numberAt(time, 'beat-type') ?? 4 }
  return {
    clef: {
      sign: textAt(clef, 'sign') ?? 'G',
      line: numberAt(clef, 'line') ?? 2,
      'clef-octave-change': numberAt(clef, 'clef-octave-change') ?? 0,
    },
    key: { fifths: numberAt(key, 'fifths') ?? 0 },
    time: signature,
    'displayed-time': signature,
    displayedTime: signature,
    tempo: tempoAt(parts[0], measureIndex),
    transpose: { chromatic: textAt(transpose, 'chromatic') ?? '0' },
    voicesData: voicesData(part, measure),
  }
}

function voicesData(part: ScorePart, measure: PartMeasure | undefined) {
  const voices = measure?.voices.map(({ voice }) => part.voices.indexOf(voice)) ?? []
  return { voices, mainVoiceIdx: voices[0] ?? 0 }
}

interface Tempo {
  readonly bpm: number
  readonly qpm: number
  readonly durationType: string
  readonly nbDots: number
}

/** Returns the tempo at the end of a measure. Files write tempos in the first part. */
function tempoAt(part: ScorePart | undefined, measureIndex: number): Tempo {
  let tempo: Tempo = { bpm: 120, qpm: 120, durationType: 'quarter', nbDots: 0 }
  if (!part) return tempo
  for (const { element } of part.measures.slice(0, measureIndex + 1)) {
    for (const { name, element: child } of children(element)) {
      if (name === 'sound') tempo = withSound(tempo, child)
      if (name !== 'direction') continue
      const [mark] = all(child, 'direction-type').flatMap((type) => all(type, 'metronome'))
      const bpm = numberAt(mark, 'per-minute')
      if (bpm !== undefined) {
        const durationType = textAt(mark, 'beat-unit') ?? 'quarter'
        const nbDots = all(mark, 'beat-unit-dot').length
        const qpm = bpm * (quartersOfUnit[durationType] ?? 1) * (2 - 0.5 ** nbDots)
        tempo = { bpm, qpm, durationType, nbDots }
      } else tempo = withSound(tempo, first(child, 'sound'))
    }
  }
  return tempo
}

/** A tempo for the playback alone, without a metronome mark. */
function withSound(tempo: Tempo, sound: JsonElement | undefined): Tempo {
  const qpm = Number(attribute(sound, 'tempo'))
  return qpm > 0 ? { bpm: qpm, qpm, durationType: 'quarter', nbDots: 0 } : tempo
}
