import { findInstrumentByKey } from '../model/instruments/table.ts'

/** A percussion instrument and its place on a staff of five lines with a percussion clef. */
export interface DrumPlace {
  readonly name: string
  readonly step: string
  readonly octave: number
  /** The shape of its notes, if it is not the ordinary one. */
  readonly notehead: 'x' | 'circle-x' | 'diamond' | 'triangle' | undefined
}

type Row = readonly [name: string, place: string, notehead?: DrumPlace['notehead']]

/** The drums of the usual drum set in the table of instruments, by key. */
const drumSet = new Map(
  findInstrumentByKey('unpitched-percussion.drumset-rock')?.drums?.map((drum) => [drum.midiNote, drum]),
)

/** The other percussion keys of General MIDI 1. Their places are near related instruments. */
const rows: Readonly<Record<number, Row>> = {
  39: ['Hand Clap', 'C5', 'triangle'],
  40: ['Electric Snare Drum', 'C5', 'diamond'],
  48: ['High-mid Tom', 'D5', 'diamond'],
  54: ['Tambourine', 'B4', 'triangle'],
  58: ['Vibraslap', 'B5', 'circle-x'],
  59: ['Ride Cymbal 2', 'D5', 'x'],
  60: ['High Bongo', 'E5', 'circle-x'],
  61: ['Low Bongo', 'A4', 'diamond'],
  62: ['Muted High Conga', 'B4', 'x'],
  63: ['Open High Conga', 'B4', 'diamond'],
  64: ['Low Conga', 'G4', 'diamond'],
  65: ['High Timbale', 'D5', 'circle-x'],
  66: ['Low Timbale', 'B4', 'circle-x'],
  67: ['High Agogo', 'F5', 'triangle'],
  68: ['Low Agogo', 'D5', 'triangle'],
  69: ['Cabasa', 'G5', 'diamond'],
  70: ['Maracas', 'G5', 'triangle'],
  71: ['Short Whistle', 'A5', 'diamond'],
  72: ['Long Whistle', 'A5', 'triangle'],
  73: ['Short Guiro', 'A4', 'x'],
  74: ['Long Guiro', 'A4', 'circle-x'],
  75: ['Claves', 'E5', 'x'],
  76: ['High Wood Block', 'E5', 'diamond'],
  77: ['Low Wood Block', 'C5', 'circle-x'],
  78: ['Muted Cuica', 'G4', 'x'],
  79: ['Open Cuica', 'G4', 'circle-x'],
  80: ['Muted Triangle', 'A5', 'circle-x'],
  81: ['Open Triangle', 'B5', 'triangle'],
}

/** The instrument of a percussion key, 0–127. A key that General MIDI does not name is on the line of the snare. */
export function drumAt(key: number): DrumPlace {
  const drum = drumSet.get(key)
  if (drum?.display !== undefined) {
    const { name, display, notehead } = drum
    return { name, step: display.charAt(0), octave: Number(display.slice(1)), notehead }
  }
  const [name, place, notehead] = rows[key] ?? [`Percussion ${key}`, 'C5', 'circle-x']
  return { name, step: place.charAt(0), octave: Number(place.slice(1)), notehead }
}
