import { childText, type Element } from '../../model/document.ts'
import { respelled } from '../../model/key-signature.ts'
import { tableOf } from '../../timeline/table.ts'
import { numberOf } from '../../timeline/written.ts'

/** The decorations of ABC 2.1 (section 4.14) for the elements in `notations`, by their names. */
export const decorations = tableOf({
  staccato: '.',
  staccatissimo: '!wedge!',
  tenuto: '!tenuto!',
  accent: '!accent!',
  'strong-accent': '!accent!',
  'detached-legato': '.!tenuto!',
  'breath-mark': '!breath!',
  'trill-mark': '!trill!',
  turn: '!turn!',
  'inverted-turn': '!invertedturn!',
  mordent: '!mordent!',
  'inverted-mordent': '!uppermordent!',
  'up-bow': '!upbow!',
  'down-bow': '!downbow!',
  'open-string': '!open!',
  harmonic: '!open!',
  stopped: '!plus!',
  'thumb-position': '!thumb!',
  'snap-pizzicato': '!snap!',
  fermata: '!fermata!',
  arpeggiate: '!arpeggio!',
})

/** The dynamics of ABC 2.1. Others become text. */
export const dynamics: ReadonlySet<string> = new Set([
  'pppp',
  'ppp',
  'pp',
  'p',
  'mp',
  'mf',
  'f',
  'ff',
  'fff',
  'ffff',
  'sfz',
])

/** Note values as fractions of a whole note, numerator and denominator. */
export const noteValues = tableOf<readonly [number, number]>({
  breve: [2, 1],
  whole: [1, 1],
  half: [1, 2],
  quarter: [1, 4],
  eighth: [1, 8],
  '16th': [1, 16],
  '32nd': [1, 32],
})

const clefNames = tableOf({
  G2: 'treble',
  G1: 'treble1',
  F4: 'bass',
  F3: 'bass3',
  F5: 'bass5',
  C1: 'alto1',
  C2: 'alto2',
  C3: 'alto',
  C4: 'tenor',
  C5: 'bass3',
})
const withOctave = /^(treble|bass|alto)$/

export interface Clef {
  /** As the parameter `clef` names it. */
  readonly name: string
  /** The octaves that ABC adds when it is played. The notes are written without them. */
  readonly octaves: number
}

/** Reads a `clef` (MusicXML 4.0). ABC has a clef one octave higher or lower only of some clefs. */
export function clefOf(clef: Element): Clef {
  const sign = childText(clef, 'sign') ?? 'G'
  const usualLine = sign === 'F' ? 4 : sign === 'C' ? 3 : 2
  const name = clefNames.get(`${sign}${numberOf(childText(clef, 'line')) ?? usualLine}`)
  if (name === undefined) return { name: sign === 'percussion' ? 'perc' : 'treble', octaves: 0 }
  const octaves = numberOf(childText(clef, 'clef-octave-change')) ?? 0
  if (Math.abs(octaves) !== 1 || !withOctave.test(name)) return { name, octaves: 0 }
  return { name: `${name}${octaves > 0 ? '+8' : '-8'}`, octaves }
}

const circle = 'Fb Cb Gb Db Ab Eb Bb F C G D A E B F# C# G# D# A# E# B#'.split(' ')
/** For each mode its suffix, and its place on the circle of fifths seen from major. */
const modes = tableOf<readonly [string, number]>({
  major: ['', 0],
  ionian: ['', 0],
  minor: ['m', 3],
  aeolian: ['m', 3],
  dorian: ['Dor', 2],
  phrygian: ['Phr', 4],
  lydian: ['Lyd', -1],
  mixolydian: ['Mix', 1],
  locrian: ['Loc', 5],
})

export interface Key {
  /** The value of a `K:` field. */
  readonly name: string
  /** The number of sharps; negative for flats. */
  readonly fifths: number
}

export const noKey: Key = { name: 'C', fifths: 0 }

/** Reads a `key` (MusicXML 4.0). A key of single notes (`key-step`) becomes one without signature. */
export function keyOf(key: Element): Key {
  const written = numberOf(childText(key, 'fifths'))
  if (written === undefined) return { name: 'none', fifths: 0 }
  const fifths = Math.max(-7, Math.min(7, respelled(Math.round(written))))
  const [suffix, place] = modes.get(childText(key, 'mode')?.toLowerCase() ?? '') ?? ['', 0]
  return { name: `${circle[fifths + place + 8]}${suffix}`, fifths }
}

const sharpOrder = 'FCGDAEB'

/** The alteration of a step in a key: 1, 0 or -1. */
export function alterationIn({ fifths }: Key, step: string): number {
  const place = sharpOrder.indexOf(step)
  if (fifths > 0 && place < fifths) return 1
  return fifths < 0 && place >= 7 + fifths ? -1 : 0
}

/** Reads a `time` (MusicXML 4.0) as the value of an `M:` field. */
export function meterOf(time: Element): string {
  const beats = childText(time, 'beats')
  const type = childText(time, 'beat-type')
  const symbol = time.attributes.symbol
  if (symbol === 'common' && beats === '4' && type === '4') return 'C'
  if (symbol === 'cut' && beats === '2' && type === '2') return 'C|'
  if (!/^\d+( *\+ *\d+)*$/.test(beats ?? '') || !/^\d+$/.test(type ?? '')) return 'none'
  return beats?.includes('+') ? `(${beats.replaceAll(' ', '')})/${type}` : `${beats}/${type}`
}
