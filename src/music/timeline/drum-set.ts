import type { Drum, Instrument } from '../model/instruments/instrument.ts'
import { findInstrumentByKey } from '../model/instruments/table.ts'

/** The place of an unpitched note on the staff, as the pitch that a treble clef would show there, and its head. */
export interface DrumPlace {
  readonly step: string | undefined
  readonly octave: number | undefined
  readonly notehead: string | undefined
}

const drumSet = findInstrumentByKey('unpitched-percussion.drumset-rock')?.drums ?? []
const SNARE = 38
/** The standard sound of sets and of percussion in general. */
const SETS = 'drum.group'

/**
 * The key (0–127) of an unpitched note by its place on the staff, and by its notehead if several drums are there. The
 * instrument's own drums come first. Places that they do not have are those of a drum set, or mean the nearest drum if
 * the instrument is a single kind of drum, such as bongos.
 */
export function drumKeyAt(place: DrumPlace, instrument: Instrument | undefined): number {
  const drums = instrument?.drums ?? []
  const isSet = drums.length === 0 || instrument?.sound.startsWith(SETS)
  const drum = drumAt(drums, place) ?? (isSet ? drumAt(drumSet, place) : nearestDrum(drums, place))
  return drum?.midiNote ?? SNARE
}

/** Among several drums at the place: the one with that notehead, or else with an ordinary one. */
function drumAt(drums: readonly Drum[], { step, octave, notehead }: DrumPlace): Drum | undefined {
  const there = drums.filter(({ display }) => display === `${step}${octave}`)
  return (
    there.find((drum) => drum.notehead === notehead) ??
    there.find((drum) => drum.notehead === undefined) ??
    there[0]
  )
}

function nearestDrum(drums: readonly Drum[], { step, octave }: DrumPlace): Drum | undefined {
  const height = heightOf(step, octave)
  const distance = ({ display = '' }: Drum) =>
    Math.abs(heightOf(display.charAt(0), Number(display.slice(1))) - height)
  return drums.reduce<Drum | undefined>(
    (best, drum) => (best !== undefined && distance(best) <= distance(drum) ? best : drum),
    undefined,
  )
}

/** In steps. A note without a place is on the middle line. */
function heightOf(step = 'B', octave = 4): number {
  return octave * 7 + 'CDEFGAB'.indexOf(step)
}
