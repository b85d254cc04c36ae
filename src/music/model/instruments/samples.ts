import type { Instrument } from './instrument.ts'
import { programs } from './table.ts'

/** The drum sets of the sound font by their program on channel 10. It plays others with the first one. */
const kits: Readonly<Record<number, string>> = { 0: 'standard-kit', 32: 'jazz-kit', 40: 'brush-kit' }

/**
 * The sound that stands for an instrument: its group and the name of its General MIDI program, such as
 * `woodwinds.alto-sax`. The MIDI program of a file can choose another sound for playback.
 */
export function sampleOf({ group, program, drums }: Instrument): string {
  const name = drums === undefined ? programs[program]?.name : (kits[program] ?? kits[0])
  return `${group}.${(name ?? '').toLowerCase().replaceAll(' ', '-')}`
}
