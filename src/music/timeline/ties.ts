import type { Element } from '../model/document.ts'
import type { Ornament } from './ornament.ts'
import type { WrittenNote } from './written.ts'

/** A note that sounds, as long as ties may still make it longer. Ticks of the playback. */
export interface HeldNote {
  readonly note: WrittenNote
  /** The elements of its whole chain of ties. */
  readonly elements: Element[]
  readonly start: number
  /** The written end. A tied note must begin there. */
  writtenEnd: number
  /** The release without articulation. */
  end: number
  /** The time that articulation removes at the end. */
  cut: number
  /** The first ornament of its chain of ties, and the onset of the note that has it. */
  ornament: Ornament | undefined
  ornamentStart: number
}

interface OpenTie {
  readonly held: HeldNote
  /** The index of the played measure. */
  readonly place: number
  isTaken: boolean
}

export interface OpenTies {
  /** A tie starts at this note. */
  add(held: HeldNote, note: WrittenNote, place: number): void
  /** The note that the end of a tie at that tick continues. Undefined if there is none. */
  take(note: WrittenNote, tick: number, place: number): HeldNote | undefined
}

/**
 * Pairs the starts and ends of ties (MusicXML 4.0, element `tie`) in the order of playing, also across
 * repeats and jumps. An end continues the open note with the same sounding pitch that ends there, in its
 * voice or in another voice of the part. If none ends there, it continues the last open one since the measure
 * before. This covers keys that are held while others follow, and measures that are too short.
 */
export function openTies(): OpenTies {
  const ending = new Map<string, OpenTie[]>()
  const latest = new Map<string, OpenTie>()

  const takeFrom = (ties: OpenTie[] | undefined): HeldNote | undefined => {
    for (let tie = ties?.pop(); tie !== undefined; tie = ties?.pop()) {
      if (tie.isTaken) continue
      tie.isTaken = true
      return tie.held
    }
    return undefined
  }

  return {
    add(held, note, place) {
      const tie: OpenTie = { held, place, isTaken: false }
      const pitch = pitchName(note)
      for (const name of [`${pitch}@${held.writtenEnd}`, `${pitch}@${held.writtenEnd}/${note.voice}`]) {
        const ties = ending.get(name)
        if (ties === undefined) ending.set(name, [tie])
        else ties.push(tie)
      }
      for (const name of [pitch, `${pitch}/${note.voice}`]) latest.set(name, tie)
    },
    take(note, tick, place) {
      const pitch = pitchName(note)
      const adjacent =
        takeFrom(ending.get(`${pitch}@${tick}/${note.voice}`)) ?? takeFrom(ending.get(`${pitch}@${tick}`))
      if (adjacent !== undefined) return adjacent
      return takeFrom(
        [latest.get(pitch), latest.get(`${pitch}/${note.voice}`)].filter((tie): tie is OpenTie => {
          return tie !== undefined && tie.place >= place - 1 && tie.held.writtenEnd <= tick
        }),
      )
    },
  }
}

/** Enharmonic spellings have the same pitch. */
function pitchName({ key, bend, percussion }: WrittenNote): string {
  return `${key}${percussion ? 'x' : ''}${bend === 0 ? '' : `+${bend}`}`
}
