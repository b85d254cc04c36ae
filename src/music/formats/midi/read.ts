import { fail } from '../../../errors.ts'
import type { ScoreDocument } from '../../model/document.ts'
import { documentFault } from '../../model/limits.ts'
import type { Performance } from '../../transcription/performance.ts'
import { transcribe } from '../../transcription/transcribe.ts'
import type { Repairs } from '../repairs.ts'
import { type MidiFile, readMidiFile } from './midi-file.ts'
import { partsOfMidi } from './parts.ts'
import { signaturesOf } from './signatures.ts'

/** The credits that our own writer puts into the first track: `Composer: …`. */
const credit = /^(Composer|Lyricist|Arranger): (.+)$/s
/** A line of the header of a karaoke file: the title, then the author. */
const karaokeTitle = /^@T(.+)$/s

/**
 * Reads a MIDI file and writes it as a score (docs/midi-import.md).
 * @throws INVALID_MIDI with the problem, and the byte unless it concerns the whole file
 */
export function readMidi(bytes: Uint8Array, repairs: Repairs): ScoreDocument {
  const file = readMidiFile(bytes, repairs)
  const document = transcribe(performanceOf(file))
  const fault = documentFault(document)
  if (fault !== undefined)
    fail('INVALID_MIDI', { message: `The MIDI file has too much music for one score. ${fault}.` })
  return { ...document, isChecked: true }
}

function performanceOf(file: MidiFile): Performance {
  const { ticksPerQuarter, tempos, markers, copyright } = file
  const { parts, transposing } = partsOfMidi(file)
  const { meters, keys } = signaturesOf(file, transposing)
  const inQuarters = <Event extends { readonly tick: number }>({ tick, ...event }: Event) => ({
    ...event,
    quarter: tick / ticksPerQuarter,
  })
  const texts = file.tracks.flatMap((track) => track.texts.map(({ text }) => text.trim()))
  const titles = texts.flatMap((text) => karaokeTitle.exec(text)?.[1]?.trim() ?? [])
  const creators = texts.flatMap((text): [string, string][] => {
    const [, type = '', name = ''] = credit.exec(text) ?? []
    return name === '' ? [] : [[type.toLowerCase(), name]]
  })
  return {
    resolution: 1 / ticksPerQuarter,
    tempos: tempos.map(inQuarters),
    meters: meters.map(({ tick, beats, beatType }) => inQuarters({ tick, beats, beatType })),
    keys: keys.map(({ tick, fifths, isMinor }) => inQuarters({ tick, fifths, isMinor })),
    markers: markers.map(inQuarters),
    parts,
    title: titles[0] ?? file.title,
    rights: copyright,
    creators,
  }
}
