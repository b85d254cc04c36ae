import { child, childrenNamed, type Element } from '../model/document.ts'
import { PAN, VOLUME } from './controls.ts'
import { type InstrumentSound, type PartSounds, soundAfter } from './part-sounds.ts'
import type { ControlChange, PlayedMeasure, ProgramChange } from './played.ts'
import type { WrittenMark, WrittenPart } from './written.ts'

export interface SoundChanges {
  readonly programs: ProgramChange[]
  readonly controls: ControlChange[]
}

/**
 * The instrument changes of a part: notes name their instrument, and a `midi-instrument` in a `sound` changes
 * the program, volume or pan of an instrument (MusicXML 4.0). Each change is made at the first note that it
 * affects.
 */
export function soundChangesOf(
  part: WrittenPart,
  sounds: PartSounds,
  measures: readonly PlayedMeasure[],
): SoundChanges {
  const changes: SoundChanges = { programs: [], controls: [] }
  let current = changeProgram(undefined, sounds.instrument(undefined), 0, changes)
  const changesOfMeasures = part.measures.map(({ marks }) => marks.flatMap(midiInstrumentsAt))
  if (sounds.instrumentCount < 2 && changesOfMeasures.every((list) => list.length === 0)) return changes

  const changed = new Map<string, InstrumentSound>()
  for (const { index, startTick } of measures) {
    const pending = changesOfMeasures[index] ?? []
    let next = 0
    const changeUntil = (at: number) => {
      for (let change = pending[next]; change !== undefined && change.at <= at; change = pending[++next]) {
        const written = sounds.instrument(change.id)
        changed.set(written.id, soundAfter(changed.get(written.id) ?? written, change.midi))
      }
    }
    for (const note of part.measures[index]?.notes ?? []) {
      changeUntil(note.at)
      if (note.percussion) continue
      const sound = changed.get(note.instrument) ?? sounds.instrument(note.instrument)
      current = changeProgram(current, sound, startTick + note.at, changes)
    }
    changeUntil(Number.POSITIVE_INFINITY)
  }
  return changes
}

/** Adds the differences from the sound before. Returns the new sound. */
function changeProgram(
  before: InstrumentSound | undefined,
  sound: InstrumentSound,
  tick: number,
  { programs, controls }: SoundChanges,
): InstrumentSound {
  if (sound.program !== before?.program || sound.bank !== before.bank) {
    programs.push({ tick, program: sound.program, bank: sound.bank })
  }
  if (sound.volume !== undefined && sound.volume !== before?.volume) {
    controls.push({ tick, controller: VOLUME, value: sound.volume })
  }
  if (sound.pan !== undefined && sound.pan !== before?.pan)
    controls.push({ tick, controller: PAN, value: sound.pan })
  return { ...sound, volume: sound.volume ?? before?.volume, pan: sound.pan ?? before?.pan }
}

interface MidiInstrumentChange {
  readonly at: number
  readonly id: string
  readonly midi: Element
}

function midiInstrumentsAt({ at, element }: WrittenMark): MidiInstrumentChange[] {
  const sound =
    element.name === 'sound' ? element : element.name === 'direction' ? child(element, 'sound') : undefined
  if (sound === undefined || sound.children.length === 0) return []
  return childrenNamed(sound, 'midi-instrument').map((midi) => ({ at, id: midi.attributes.id ?? '', midi }))
}
