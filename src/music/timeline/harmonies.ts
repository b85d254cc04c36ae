import { child, childrenNamed, childText, type Element } from '../model/document.ts'
import { addedDegree, chordKinds } from './chord-kinds.ts'
import { semitonesOf } from './pitch.ts'
import { numberOf } from './written.ts'

/** A note of a chord. */
export interface ChordTone {
  /** 1 is the root, 3 the third. */
  readonly degree: number
  /** Semitones above the root. */
  readonly interval: number
  /** 0 for C to 11 for B. */
  readonly pitchClass: number
}

/** The notes of a chord symbol. */
export interface Harmony {
  /** The pitch class of the bass. */
  readonly bass: number
  /** One of each pitch class, in the order of the degrees; empty for "no chord". */
  readonly tones: readonly ChordTone[]
}

/** The tonic of a key signature, for numerals. */
export interface Tonic {
  readonly fifths: number
  readonly isMinor: boolean
}

const majorScale = [0, 2, 4, 5, 7, 9, 11]
const minorScale = [0, 2, 3, 5, 7, 8, 10]
const HIGHEST_DEGREE = 20

/**
 * Reads a chord symbol (MusicXML 4.0, element `harmony`): its root or numeral, kind, degrees, inversion and bass. Of
 * several chords in one element the first counts. Undefined if it names no chord: a `function`, an alternate
 * analysis, or a kind that is not in the specification.
 * @param semitones from the written to the sounding pitch of the part
 */
export function harmonyOf(harmony: Element, semitones: number, tonic: Tonic): Harmony | undefined {
  if (harmony.attributes.type === 'alternate') return undefined
  const kind = childText(harmony, 'kind')
  if (kind === 'none') return { bass: 0, tones: [] }
  const root = rootOf(harmony, tonic)
  const degrees = chordKinds.get(kind ?? '')
  if (root === undefined || degrees === undefined) return undefined
  const pitchClassAt = (interval: number) => modulo(Math.round(root + interval + semitones), 12)
  const tones: ChordTone[] = []
  for (const [degree, interval] of alteredBy(childrenNamed(harmony, 'degree'), degrees)) {
    const pitchClass = pitchClassAt(interval)
    if (tones.every((other) => other.pitchClass !== pitchClass)) tones.push({ degree, interval, pitchClass })
  }
  const bass = child(harmony, 'bass')
  const written = bass && pitchOf(bass, 'bass')
  const inversion = numberOf(childText(harmony, 'inversion')) ?? 0
  return {
    bass:
      written === undefined
        ? (tones[inversion]?.pitchClass ?? pitchClassAt(0))
        : modulo(Math.round(written + semitones), 12),
    tones,
  }
}

function rootOf(harmony: Element, tonic: Tonic): number | undefined {
  const root = child(harmony, 'root')
  if (root !== undefined) return pitchOf(root, 'root')
  const numeral = child(harmony, 'numeral')
  const degree = numeral && numberOf(childText(numeral, 'numeral-root'))
  if (numeral === undefined || degree === undefined) return undefined
  const key = child(numeral, 'numeral-key')
  const written = key && childText(key, 'numeral-fifths')
  const fifths = written === undefined ? tonic.fifths : smallNumber(written)
  const mode = key && childText(key, 'numeral-mode')
  const isMinor = mode === undefined ? tonic.isMinor : mode !== 'major'
  const scale = isMinor ? minorScale : majorScale
  const alter = smallNumber(childText(numeral, 'numeral-alter'))
  return modulo(fifths * 7 + (isMinor ? 9 : 0), 12) + (scale[modulo(Math.round(degree) - 1, 7)] ?? 0) + alter
}

function pitchOf(element: Element, name: 'root' | 'bass'): number | undefined {
  const step = semitonesOf.get(childText(element, `${name}-step`)?.toUpperCase() ?? '')
  return step === undefined ? undefined : step + smallNumber(childText(element, `${name}-alter`))
}

/** The degrees of a chord with their intervals after its `degree` elements, in order. */
function alteredBy(changes: readonly Element[], kind: ReadonlyMap<number, number>): [number, number][] {
  const degrees = new Map(kind)
  for (const change of changes) {
    const degree = Math.round(numberOf(childText(change, 'degree-value')) ?? 0)
    if (degree < 1 || degree > HIGHEST_DEGREE) continue
    const alter = smallNumber(childText(change, 'degree-alter'))
    const type = childText(change, 'degree-type')
    if (type === 'subtract') degrees.delete(degree)
    else
      degrees.set(
        degree,
        (type === 'alter' ? (degrees.get(degree) ?? addedDegree(degree)) : addedDegree(degree)) + alter,
      )
  }
  return [...degrees].sort(([a], [b]) => a - b)
}

/** A number of the score from -12 to 12, 0 without one: no alteration, transposition within an octave, or key signature is larger. */
export function smallNumber(text: string | undefined): number {
  return Math.min(12, Math.max(-12, numberOf(text) ?? 0))
}

const modulo = (value: number, by: number) => ((value % by) + by) % by
