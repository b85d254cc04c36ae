import { child, childrenNamed, type Element, measuresOf, partsOf, type ScoreDocument } from '../document.ts'
import { leaf, node } from '../element.ts'
import { recognizeInstrument } from '../instruments/recognition.ts'
import { concertFifths } from '../key-signature.ts'
import { type Interval, inverse, isUnison, simplestInterval, unison } from './interval.ts'
import { type Move, movedPart } from './move-part.ts'
import { fifthsOf, intervalOf, octavesOf } from './staff-state.ts'

/** An interval whose spelling can be left open. */
export interface Transposition {
  readonly semitones: number
  readonly steps?: number | undefined
}

/** The pitches in which a score is shown. */
export interface PitchSetting {
  readonly transpose?: Transposition | undefined
  /** True shows what sounds, but for octaves. False shows what transposing instruments read. As in the score by default. */
  readonly concertPitch?: boolean | undefined
}

/** Shows a score in other pitches. The same measures and notes stay at the same places of the document. */
export function withPitches(
  document: ScoreDocument,
  { transpose, concertPitch }: PitchSetting,
): ScoreDocument {
  const written =
    concertPitch === undefined ? document : concertPitch ? inConcertPitch(document) : inWrittenPitch(document)
  return transpose ? transposed(written, transpose) : written
}

/**
 * Transposes all pitched parts of a score: notes, key signatures and chord symbols. Key signatures of more than seven sharps or flats
 * are respelled, and so are the notes in them. What the notes of percussion mean does not change, so they stay.
 * @param transposition without steps, it gets the spelling whose key signature has the fewest sharps or flats
 */
export function transposed(document: ScoreDocument, { semitones, steps }: Transposition): ScoreDocument {
  const interval =
    steps === undefined ? simplestInterval(semitones, firstConcertKey(document)) : { semitones, steps }
  if (isUnison(interval)) return document
  return withParts(document, () => ({ intervalOf: () => interval, transpositionOf: () => undefined }))
}

const isConcertScore = (document: ScoreDocument): boolean => {
  const defaults = child(document.root, 'defaults')
  return defaults !== undefined && child(defaults, 'concert-score') !== undefined
}

const ofTranspose = (element: Element): Interval | undefined =>
  element.name === 'transpose' ? (intervalOf(element) ?? unison) : undefined

/**
 * Shows the parts of transposing instruments in the pitches that sound. Octaves stay: a double bass is still written an octave above
 * its sound.
 */
export function inConcertPitch(document: ScoreDocument): ScoreDocument {
  if (isConcertScore(document)) return document
  return withParts(document, (part) =>
    hasTransposition(part, 'transpose')
      ? {
          intervalOf: ({ transposition }) => transposition,
          transpositionOf: ofTranspose,
          replaced: (element) => [element.name === 'transpose' ? octavesOnly(element) : element],
        }
      : undefined,
  )
}

/** Shows a score that is stored in concert pitch (MusicXML 4.0, `concert-score`) as transposing instruments read it. */
export function inWrittenPitch(document: ScoreDocument): ScoreDocument {
  if (!isConcertScore(document)) return document
  const moved = withParts(document, (part) => {
    const isForPart = hasTransposition(part, 'for-part')
    if (!isForPart && !hasTransposition(part, 'transpose')) return undefined
    return {
      intervalOf: ({ transposition }) => inverse(transposition),
      transpositionOf: isForPart ? ofForPart : ofTranspose,
      replaced(element, siblings) {
        if (!isForPart) return [element]
        if (element.name === 'transpose') return []
        return [element.name === 'for-part' ? transposeOf(element, siblings) : element]
      },
    }
  })
  const children = moved.root.children.map((element) =>
    element.name === 'defaults'
      ? { ...element, children: element.children.filter(({ name }) => name !== 'concert-score') }
      : element,
  )
  return { root: { ...moved.root, children } }
}

function ofForPart(element: Element): Interval | undefined {
  const part = element.name === 'for-part' ? child(element, 'part-transpose') : undefined
  return part && (intervalOf(part) ?? unison)
}

/** The `transpose` for what a concert score says of the part. The octaves are those in which the score was shown. */
function transposeOf(forPart: Element, siblings: readonly Element[]): Element {
  const { semitones, steps } = ofForPart(forPart) ?? unison
  const shown = siblings.find(({ name }) => name === 'transpose')
  return node(
    'transpose',
    [leaf('diatonic', steps), leaf('chromatic', semitones), ...(shown ? octavesIn(shown) : [])],
    forPart.attributes,
  )
}

/** A `transpose` that leaves only its octaves. */
const octavesOnly = (transpose: Element): Element =>
  node(
    'transpose',
    [leaf('diatonic', 0), leaf('chromatic', 0), ...octavesIn(transpose)],
    transpose.attributes,
  )

function octavesIn(transpose: Element): Element[] {
  const octaves = octavesOf(transpose)
  return [...(octaves === 0 ? [] : [leaf('octave-change', octaves)]), ...childrenNamed(transpose, 'double')]
}

const hasTransposition = (part: Element, name: string): boolean =>
  measuresOf(part).some((measure) =>
    measure.children.some((element) => element.name === 'attributes' && child(element, name) !== undefined),
  )

/** Moves the pitched parts for which there is a move. */
function withParts(document: ScoreDocument, moveOf: (part: Element) => Move | undefined): ScoreDocument {
  const children = document.root.children.map((element) => {
    if (element.name !== 'part' || isPercussion(document, element)) return element
    const move = moveOf(element)
    return move ? movedPart(element, move) : element
  })
  return { root: { ...document.root, children } }
}

function isPercussion(document: ScoreDocument, part: Element): boolean {
  const list = child(document.root, 'part-list')
  const entries = list ? childrenNamed(list, 'score-part') : []
  const entry =
    entries.find(({ attributes }) => attributes.id === part.attributes.id) ??
    entries[partsOf(document).indexOf(part)]
  return entry !== undefined && recognizeInstrument(entry).drums !== undefined
}

/** The key signature with which a score begins, as it sounds. 0 without one. */
function firstConcertKey(document: ScoreDocument): number {
  for (const part of partsOf(document)) {
    if (isPercussion(document, part)) continue
    const [first] = measuresOf(part)
    const attributes = first ? childrenNamed(first, 'attributes') : []
    const key = attributes.flatMap((element) => child(element, 'key') ?? [])[0]
    const fifths = key && fifthsOf(key)
    if (fifths === undefined) continue
    const transpose = attributes.flatMap((element) => child(element, 'transpose') ?? [])[0]
    return concertFifths(fifths, isConcertScore(document) ? undefined : transpose)
  }
  return 0
}
