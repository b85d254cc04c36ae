import type { Element, ScoreDocument } from '../../model/document.ts'
import type { Interval } from '../../model/transposition/interval.ts'
import type { Event } from '../measure-model.ts'
import { mapNotations } from '../note-element.ts'
import { voiceOfStream } from '../part-editor.ts'
import { Refusal } from '../refusal.ts'
import { matchedSpanners, spanners } from '../repair-spanners.ts'
import { openSession } from '../session.ts'
import { tupletsOf } from '../tuplets.ts'
import { findSelection, type Selection, type TimePiece } from './selection.ts'

/** Notes that belong together: a chord, a rest, or a tuplet. */
export interface ClipGroup {
  /** Ticks from the start of the clip. */
  readonly from: number
  readonly to: number
  readonly isTuplet: boolean
  readonly events: readonly {
    /** Ticks from the start of the group. */
    readonly onset: number
    readonly ticks: number
    readonly isGrace: boolean
    readonly notes: readonly Element[]
  }[]
}

/** Copied music, as plain data. */
export interface Clip {
  /** In ticks. */
  readonly length: number
  readonly voices: readonly {
    /** The distance from the first copied staff, in score order. */
    readonly staff: number
    /** From 1 to 4. */
    readonly voice: number
    /** From the written to the sounding pitch, without octaves. */
    readonly transposition: Interval
    readonly groups: readonly ClipGroup[]
  }[]
}

/** Copies the notes of a selection with their lyrics and signs. Undefined if the score has no such place. */
export function copySelection(document: ScoreDocument, selection: Selection): Clip | undefined {
  try {
    return clipOf(document, selection)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function clipOf(document: ScoreDocument, selection: Selection): Clip {
  const { staves, pieces } = findSelection(openSession(document), selection)
  const starts: number[] = []
  let length = 0
  for (const { from, to } of pieces) {
    starts.push(length)
    length += to - from
  }
  const voices = staves.flatMap(({ editor, staff }, row) => {
    const byVoice = new Map<number, ClipGroup[]>()
    for (const [place, piece] of pieces.entries()) {
      for (const stream of editor.modelAt(piece.index).streams) {
        if (editor.staffOf(stream) !== staff) continue
        const voice = voiceOfStream(editor, stream)
        const shift = (starts[place] ?? 0) - piece.from
        const groups = groupsOf(stream.events, piece, shift)
        byVoice.set(voice, [...(byVoice.get(voice) ?? []), ...groups])
      }
    }
    const { transpose } = editor.stateAt(pieces[0]?.index ?? 0)
    const transposition = { semitones: transpose?.chromatic ?? 0, steps: transpose?.diatonic ?? 0 }
    return [...byVoice].map(([voice, groups]) => ({
      staff: row,
      voice,
      transposition,
      groups: complete(groups),
    }))
  })
  return { length, voices }
}

/** Leaves out slurs and similar signs with one end in the copied music. */
function complete(groups: readonly ClipGroup[]): ClipGroup[] {
  const matched = matchedSpanners(groups.flatMap(({ events }) => events.flatMap(({ notes }) => notes)))
  return groups.map((group) => ({
    ...group,
    events: group.events.map((event) => ({
      ...event,
      notes: event.notes.map((note) =>
        mapNotations(note, (sign) => (spanners.has(sign.name) && !matched.has(sign) ? [] : [sign])),
      ),
    })),
  }))
}

/**
 * Divides the events of a time into chords and whole tuplets. Of tuplets that reach out of it nothing is copied.
 * @param shift from the time in the measure to that in the clip
 */
function groupsOf(all: readonly Event[], piece: TimePiece, shift: number): ClipGroup[] {
  const tuplets = tupletsOf(all)
  const groups: ClipGroup[] = []
  for (let place = 0; place < all.length; place++) {
    const tuplet = tuplets.find(({ first }) => first === place)
    const members = all.slice(place, (tuplet?.last ?? nextMain(all, place)) + 1)
    place += members.length - 1
    const [first, last] = [members[0], members.at(-1)]
    if (first === undefined || last === undefined) continue
    const end = last.onset + last.ticks
    if (first.onset < piece.from || first.onset >= piece.to || (tuplet && end > piece.to)) continue
    groups.push({
      from: first.onset + shift,
      to: Math.min(end, piece.to) + shift,
      isTuplet: tuplet !== undefined,
      events: members.map(({ onset, ticks, isGrace, notes }) => ({
        onset: onset - first.onset,
        ticks,
        isGrace,
        notes,
      })),
    })
  }
  return groups.filter(({ from, to }) => to > from)
}

/** Grace notes go with the note that they belong to. */
function nextMain(events: readonly { readonly isGrace: boolean }[], from: number): number {
  const found = events.findIndex(({ isGrace }, place) => place >= from && !isGrace)
  return found < 0 ? events.length - 1 : found
}
