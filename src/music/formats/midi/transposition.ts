import type { Instrument, Transposition } from '../../model/instruments/instrument.ts'
import { plainName, readingsOf } from '../../model/instruments/names.ts'
import { soundingInterval } from '../../model/instruments/table.ts'

/** Instruments that are built in many keys, and their variants in the table: `horn`, `horn-in-e`, `bass-clarinet`. */
const built = /^(?:(bass|piccolo)-)?(horn|trumpet|cornet|clarinet)(?:-in-.+)?$/
/** Words of the two octaves of horns in B♭, C and the keys between: `Horn in B♭ alto`, `Horn in hoch B`. */
const register = /(?:^| )(?:(alto|hoch|high|aigu|agudo)|(basso|tief|low|grave))(?= |$)/
/** The diatonic steps of a key from C, by its pitch class. Keys between two steps are flat, but for F sharp. */
const stepsOf = [0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6]
/** Horns in B♭ and above sound an octave lower than the nearest way if the name does not say “alto”. */
const LOWEST_BASSO = 10
/** Trumpets, cornets and clarinets are at most this many semitones above C; others are below it. */
const HIGHEST = 5

/**
 * The transposition of a part. If the name of a horn, trumpet, cornet or clarinet tells a key or an octave that the table of instruments
 * does not have for it, the name counts. Keys are read as for the search of instruments: a plain B is B flat, H is B.
 */
export function transpositionOf(instrument: Instrument, name: string): Transposition | undefined {
  const [, size, kind] = built.exec(instrument.id) ?? []
  if (kind === undefined) return instrument.transposition
  const plain = plainName(name)
  const [, high, low] = (kind === 'horn' && register.exec(plain)) || []
  const octave = high ? 'alto' : low ? 'basso' : undefined
  const text = octave === undefined ? name : plain.replace(register, '')
  const own = soundingInterval(instrument)
  const named = readingsOf(text).find(({ key }) => key !== undefined)?.key
  const isOwn = named === undefined || named === (own + 120) % 12
  if (isOwn && octave === undefined) return instrument.transposition
  const key = named ?? (own + 120) % 12
  return writtenAs(key, kind === 'horn' ? hornInterval(key, octave) : intervalOf(key, size))
}

function hornInterval(key: number, octave: 'alto' | 'basso' | undefined): number {
  const alto = key === 0 ? 0 : key - 12
  const isBasso = octave === undefined ? key === 0 || key >= LOWEST_BASSO : octave === 'basso'
  return isBasso ? alto - 12 : alto
}

function intervalOf(key: number, size: string | undefined): number {
  if (size === 'piccolo') return key
  return (key > HIGHEST ? key - 12 : key) - (size === 'bass' ? 12 : 0)
}

/** @param key the pitch class of the interval */
function writtenAs(key: number, semitones: number): Transposition | undefined {
  if (semitones === 0) return undefined
  const octaveChange = Math.trunc(semitones / 12)
  const chromatic = semitones - 12 * octaveChange
  const step = stepsOf[key] ?? 0
  return {
    chromatic,
    diatonic: chromatic < 0 ? step - 7 : step,
    ...(octaveChange === 0 ? {} : { octaveChange }),
  }
}
