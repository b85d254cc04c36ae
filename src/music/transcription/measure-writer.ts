import { greatestCommonDivisor } from '../../lib/numbers.ts'
import type { Element } from '../model/document.ts'
import { leaf, node } from '../model/element.ts'
import type { GridWindow } from './grid.ts'
import type { Key } from './keys.ts'
import { type Measure, QUARTER } from './measures.ts'
import { chordElements, type NoteStyle, restElement } from './note-writer.ts'
import type { ScoreDirection } from './score-directions.ts'
import { createSpeller } from './spelling.ts'
import type { PlacedNote, VoiceChord } from './staff-note.ts'
import { plainSymbols, tupletSymbols, type WrittenSymbol } from './symbols.ts'
import { type Division, divisionsOf, type Tuplet } from './windows.ts'

/** The music of a staff. */
export interface StaffVoices {
  readonly voices: readonly (readonly VoiceChord[])[]
  readonly windows: readonly GridWindow[]
}

export interface PartMusic {
  readonly divisions: number
  readonly staves: readonly StaffVoices[]
  /** Index of the part. */
  readonly part: number
  readonly isPercussion: boolean
  /** From written to sounding pitch. */
  readonly semitones: number
  /** By place. */
  readonly directions: readonly ScoreDirection[]
  /** Written key signatures, by place. */
  readonly keys: readonly (Key & { readonly at: number })[]
}

/** As few divisions of a quarter note as let all notes and tuplets be whole numbers of them. */
export function divisionsOfPart(staves: readonly StaffVoices[]): number {
  let common = QUARTER / 4
  const add = (units: number) => {
    common = greatestCommonDivisor(common, units)
  }
  for (const { voices, windows } of staves) {
    for (const { length, division } of windows) add(length / division.steps)
    for (const voice of voices) {
      for (const { start, end } of voice) {
        add(start)
        add(end)
      }
    }
  }
  return QUARTER / common
}

/** A part of a voice within a measure, relative to its start. Without a chord it is silence. */
interface Segment {
  readonly from: number
  readonly to: number
  readonly chord: VoiceChord | undefined
}

/** Each staff has four voices, as in most programs: the second staff starts with voice 5. */
const VOICES_OF_STAFF = 4

/** Writes the measures of a part one after the other. */
export function measureWriter(music: PartMusic) {
  const { divisions, staves, directions, keys } = music
  const unit = QUARTER / divisions
  const speller = createSpeller()
  const resolutions = resolutionsOf(staves)
  const style: NoteStyle = {
    ...music,
    unit,
    hasStaves: staves.length > 1,
    speller,
    resolutionOf: (note) => resolutions.get(note),
  }
  let nextDirection = 0
  let nextKey = 0
  const places = staves.map(({ voices }) => voices.map(() => 0))
  const windowPlaces = staves.map(() => 0)
  /** The units of the last note of each voice by its number; 0 for a rest. */
  const lastDurations = new Map<number, number>()

  /** The chords of a voice that sound in a measure. */
  function chordsIn(staff: number, voice: number, { start, length }: Measure): VoiceChord[] {
    const chords = staves[staff]?.voices[voice] ?? []
    const own = places[staff] as number[]
    while ((chords[own[voice] ?? 0]?.end ?? Number.POSITIVE_INFINITY) <= start)
      own[voice] = (own[voice] ?? 0) + 1
    const found: VoiceChord[] = []
    for (let place = own[voice] ?? 0; place < chords.length; place++) {
      const chord = chords[place] as VoiceChord
      if (chord.start >= start + length) break
      found.push(chord)
    }
    return found
  }

  function windowsIn(staff: number, { start, length }: Measure): GridWindow[] {
    const windows = staves[staff]?.windows ?? []
    const found: GridWindow[] = []
    let place = windowPlaces[staff] ?? 0
    for (; place < windows.length; place++) {
      const window = windows[place] as GridWindow
      if (window.start >= start + length) break
      if (window.start >= start) found.push(window)
    }
    windowPlaces[staff] = place
    return found
  }

  /** The directions up to the end of a symbol, with their distance from its start. */
  function directionsUntil(from: number, to: number): Element[] {
    const elements: Element[] = []
    for (
      let next = directions[nextDirection];
      next !== undefined && next.at < to;
      next = directions[nextDirection]
    ) {
      elements.push(next.write(Math.max(0, Math.round((next.at - from) / unit))))
      nextDirection += 1
    }
    return elements
  }

  function writeVoice(
    segments: readonly Segment[],
    windows: readonly GridWindow[],
    measure: Measure,
    place: { staff: number; voice: number; isFirst: boolean },
  ): Element[] {
    const elements: Element[] = []
    const number = place.staff * VOICES_OF_STAFF + place.voice + 1
    for (const piece of piecesOf(segments, windows, measure, place.voice > 0)) {
      const { symbol, chord } = piece
      const at = measure.start + symbol.start
      if (place.isFirst) elements.push(...directionsUntil(at, at + symbol.duration))
      if (piece.isHidden) {
        elements.push(
          node('forward', [
            leaf('duration', symbol.duration / unit),
            leaf('voice', number),
            ...(style.hasStaves ? [leaf('staff', place.staff + 1)] : []),
          ]),
        )
      } else if (chord === undefined) {
        const isMeasure = segments.length === 1 && place.voice === 0
        elements.push(
          restElement(symbol, { ...style, number, staff: place.staff + 1 }, piece.tuplet, isMeasure),
        )
      } else {
        const isStart = chord.start === at
        const isEnd = chord.end === at + symbol.duration
        const previous = lastDurations.get(number)
        const written = { symbol, chord, isStart, isEnd, tuplet: piece.tuplet, previous }
        elements.push(...chordElements(written, { ...style, number, staff: place.staff + 1 }))
      }
      if (!piece.isHidden) lastDurations.set(number, chord === undefined ? 0 : symbol.duration)
    }
    return elements
  }

  return {
    /** The elements of a measure, without its attributes. */
    write(measure: Measure): Element[] {
      while ((keys[nextKey]?.at ?? Number.POSITIVE_INFINITY) < measure.start + measure.length - QUARTER / 2) {
        speller.setKey(keys[nextKey] as Key)
        nextKey += 1
      }
      const elements: Element[] = []
      const duration = leaf('duration', measure.length / unit)
      for (const [staff, { voices }] of staves.entries()) {
        const windows = windowsIn(staff, measure)
        const sounding = Array.from({ length: Math.max(1, voices.length) }, (_, voice) =>
          chordsIn(staff, voice, measure),
        )
        const used = sounding.filter((chords) => chords.length > 0)
        for (const [voice, chords] of (used.length > 0 ? used : [[]]).entries()) {
          if (elements.some(({ name }) => name === 'note')) elements.push(node('backup', [duration]))
          const isFirst = staff === 0 && voice === 0
          const segments = segmentsOf(chords, measure)
          elements.push(...writeVoice(segments, windows, measure, { staff, voice, isFirst }))
        }
      }
      return elements
    },
  }
}

/**
 * The keys a semitone away to which the notes of each voice move, also after repetitions of the note. None if a chord has both
 * neighbours of a note.
 */
function resolutionsOf(staves: readonly StaffVoices[]): ReadonlyMap<PlacedNote, number> {
  const resolutions = new Map<PlacedNote, number>()
  for (const voice of staves.flatMap(({ voices }) => voices)) {
    for (const [index, { notes: following }] of [...voice.slice(1).entries()].reverse()) {
      for (const note of voice[index]?.notes ?? []) {
        const repeated = following.find(({ key }) => key === note.key)
        const near = new Set(following.map(({ key }) => key).filter((key) => Math.abs(key - note.key) === 1))
        const key = repeated === undefined ? [...near][0] : resolutions.get(repeated)
        if (key !== undefined && near.size < 2) resolutions.set(note, key)
      }
    }
  }
  return resolutions
}

function segmentsOf(chords: readonly VoiceChord[], { start, length }: Measure): Segment[] {
  const segments: Segment[] = []
  let at = 0
  for (const chord of chords) {
    const from = Math.max(0, chord.start - start)
    const to = Math.min(length, chord.end - start)
    if (from > at) segments.push({ from: at, to: from, chord: undefined })
    if (to > Math.max(from, at)) segments.push({ from: Math.max(from, at), to, chord })
    at = Math.max(at, to)
  }
  if (at < length) segments.push({ from: at, to: length, chord: undefined })
  return segments
}

interface Piece {
  readonly symbol: WrittenSymbol
  readonly chord: VoiceChord | undefined
  /** Silence that is not printed, in a voice that is only there at times. */
  readonly isHidden: boolean
  readonly tuplet: 'start' | 'stop' | 'inside' | undefined
}

/** The symbols of a voice in a measure. */
function piecesOf(
  segments: readonly Segment[],
  windows: readonly GridWindow[],
  measure: Measure,
  isSecondary: boolean,
): Piece[] {
  const pieces: Piece[] = []
  const tuplets = windows.flatMap((window) => tupletsOf(window, segments, measure))
  const addPlain = (segment: Segment, from: number, to: number) => {
    if (from >= to) return
    const isHidden = isSecondary && segment.chord === undefined
    const isWhole = from === 0 && to === measure.length && segment.chord === undefined
    const symbols =
      isHidden || isWhole
        ? [{ start: from, duration: to - from, type: undefined, dots: 0 }]
        : plainSymbols(from, to, measure, segment.chord === undefined)
    for (const symbol of symbols) pieces.push({ symbol, chord: segment.chord, isHidden, tuplet: undefined })
  }
  let next = 0
  for (const segment of segments) {
    let at = segment.from
    while (at < segment.to) {
      while (next < tuplets.length && (tuplets[next] as PlacedTuplet).end <= at) next += 1
      const tuplet = tuplets[next]
      if (tuplet === undefined || tuplet.start >= segment.to) {
        addPlain(segment, at, segment.to)
        break
      }
      addPlain(segment, at, tuplet.start)
      const from = Math.max(at, tuplet.start)
      const to = Math.min(segment.to, tuplet.end)
      const step = (tuplet.end - tuplet.start) / tuplet.division.actual
      const symbols = tupletSymbols(
        Math.round((from - tuplet.start) / step),
        Math.round((to - tuplet.start) / step),
        tuplet.division,
        { start: tuplet.start, length: tuplet.end - tuplet.start },
      )
      for (const [index, symbol] of symbols.entries()) {
        const isStart = index === 0 && from === tuplet.start
        const isStop = index === symbols.length - 1 && to === tuplet.end
        pieces.push({
          symbol,
          chord: segment.chord,
          isHidden: false,
          tuplet: isStart ? 'start' : isStop ? 'stop' : 'inside',
        })
      }
      at = to
    }
  }
  return pieces
}

interface PlacedTuplet {
  /** Relative to the measure. */
  readonly start: number
  readonly end: number
  readonly division: Tuplet
}

/**
 * The tuplets that a voice needs in a window: the simplest ones that have its notes. A sextuplet of which a half has one note is
 * a triplet in the other half.
 */
function tupletsOf(
  { start, length, division }: GridWindow,
  segments: readonly Segment[],
  measure: Measure,
): PlacedTuplet[] {
  if (division.tuplet === undefined) return []
  const from = start - measure.start
  const { steps } = division
  const inside = new Set<number>()
  for (const segment of segments) {
    for (const place of [segment.from, segment.to])
      if (place > from && place < from + length) inside.add(Math.round(((place - from) * steps) / length))
  }
  const middle = steps / 2
  const { actual, normal, value } = division.tuplet
  const halves = [
    [...inside].filter((place) => place < middle),
    [...inside].filter((place) => place > middle),
  ]
  if (
    inside.has(middle) &&
    actual % 2 === 0 &&
    normal % 2 === 0 &&
    halves.some((half) => half.length === 0)
  ) {
    const half = halves[0]?.length === 0 ? 1 : 0
    if (halves[half]?.length === 0) return []
    const begin = from + (half * length) / 2
    return [
      { start: begin, end: begin + length / 2, division: { actual: actual / 2, normal: normal / 2, value } },
    ]
  }
  const tuplet = simplest([...inside].reduce(greatestCommonDivisor, steps), division, length)
  return tuplet === undefined ? [] : [{ start: from, end: from + length, division: tuplet }]
}

/** The tuplet with the fewest notes that has a note at each place. All places are multiples of a number of steps. */
function simplest(common: number, { steps }: Division, length: number): Tuplet | undefined {
  if (common === steps) return undefined
  return divisionsOf(length).find((one) => one.steps === steps / common)?.tuplet
}
