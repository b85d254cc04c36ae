import type { Sheet } from '../sheet/sheet.ts'

/** A note with its printed noteheads. */
export interface TimedNote {
  /** In seconds at the written tempo. */
  readonly start: number
  readonly end: number
  /** The place of the part in the score, from 0. */
  readonly part: number
  /** MIDI key. */
  readonly key: number
  /** The ids of the noteheads; several if they are tied. */
  readonly ids: readonly string[]
}

/** The server's export `noteTimes`. */
interface NoteTimes {
  readonly measures: readonly string[]
  readonly parts: readonly {
    readonly uuid: string
    readonly notes: readonly (readonly [
      start: number,
      end: number,
      key: number,
      ...places: (readonly [measure: number, index: number])[],
    ])[]
  }[]
}

/** Reads the export `noteTimes`. Returns its notes in the order of time, and the uuids of the parts in the order of the score. */
export function readNoteTimes(json: string): { notes: TimedNote[]; partUuids: string[] } {
  const { measures, parts } = JSON.parse(json) as NoteTimes
  const notes = parts
    .flatMap(({ uuid, notes }, part) =>
      notes.map(([start, end, key, ...places]) => ({
        start,
        end,
        part,
        key,
        ids: places.map(([measure, index]) => `${measures[measure]}-${uuid}-${index}`),
      })),
    )
    .sort((a, b) => a.start - b.start)
  return { notes, partUuids: parts.map(({ uuid }) => uuid) }
}

/** The length of a uuid, with which the id of a notehead begins: that of its measure. */
const uuidLength = 36

/** Returns the uuid of the measure in which a notehead is. */
export const measureOfNote = (id: string): string => id.slice(0, uuidLength)

/** Lights up the notes that sound. */
export interface Lights {
  /** @param seconds undefined if nothing sounds */
  show(seconds: number | undefined): void
}

/** @param notes in the order of time */
export function createLights(notes: readonly TimedNote[], sheet: Pick<Sheet, 'note'>): Lights {
  const lit = new Set<TimedNote>()
  let next = 0
  let last = 0

  function mark(note: TimedNote, isLit: boolean): void {
    for (const id of note.ids)
      for (const element of sheet.note(id)) element.classList.toggle('is-sounding', isLit)
  }
  function putOut(isOver: (note: TimedNote) => boolean): void {
    for (const note of lit) {
      if (!isOver(note)) continue
      lit.delete(note)
      mark(note, false)
    }
  }
  return {
    show(seconds) {
      if (seconds === undefined || seconds < last) {
        putOut(() => true)
        next = 0
      }
      last = seconds ?? 0
      if (seconds === undefined) return
      putOut(({ end }) => end <= seconds)
      for (let note = notes[next]; note && note.start <= seconds; note = notes[++next]) {
        if (note.end <= seconds) continue
        lit.add(note)
      }
      // Also those of before: their page may be new.
      for (const note of lit) mark(note, true)
    },
  }
}
