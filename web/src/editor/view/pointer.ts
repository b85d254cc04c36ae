import type { ScoreDocument } from '../../../../src/music/model/document.ts'
import type { Position } from '../../../../src/music/editing/positions.ts'
import { eventOfNote, eventsIn, partsIn } from '../../../../src/music/editing/reading.ts'
import type { MusicLines } from './lines-view.ts'

/** Finds the place of the score that a pointer means: a note, or else the nearest event of the voice of the caret on that staff. */
export function positionAt(
  { clientX, clientY, target }: Pick<PointerEvent, 'clientX' | 'clientY' | 'target'>,
  score: ScoreDocument,
  caret: Position,
  lines: MusicLines,
): Position | undefined {
  const note = target instanceof Element ? target.closest<SVGElement>('[data-note]') : null
  const found = note && eventOfNote(score, note.dataset.note ?? '')
  if (found) return found.position
  const line = lines.lines().find(({ svg }) => contains(svg, clientY))
  const measures = [...(line?.svg.querySelectorAll<SVGElement>('[data-measure]') ?? [])]
  const measure = nearest(measures, (one) => distance(clientX, one, 'left', 'right'))
  const staffElements = [...(measure?.querySelectorAll(':scope > .v-staff') ?? [])]
  const staffElement = nearest(staffElements, (one) => distance(clientY, one, 'top', 'bottom'))
  const staves = partsIn(score).flatMap(({ uuid, staves }) =>
    Array.from({ length: staves }, (_, place) => ({ part: uuid, staff: place + 1 })),
  )
  const staff = staffElement && staves[staffElements.indexOf(staffElement)]
  if (!measure || !staff) return undefined
  const { voice } = staff.part === caret.part && staff.staff === caret.staff ? caret : { voice: 1 }
  const place = { ...staff, voice, measure: measure.dataset.measure ?? '' }
  const events = eventsIn(score, place).filter(({ isGrace }) => !isGrace)
  const event = nearest(events, ({ notes }) => {
    const drawn = measure.querySelector(`[data-note="${CSS.escape(notes[0]?.id ?? '')}"]`)
    return drawn ? distance(clientX, drawn, 'left', 'right') : Number.POSITIVE_INFINITY
  })
  return event?.position ?? { ...place, onset: 0 }
}

function contains(element: Element, y: number): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return y >= top && y <= bottom
}

/** How far a coordinate is from the box of an element. */
function distance(at: number, element: Element, from: 'left' | 'top', to: 'right' | 'bottom'): number {
  const box = element.getBoundingClientRect()
  return Math.max(0, box[from] - at, at - box[to])
}

function nearest<One>(all: readonly One[], distanceOf: (one: One) => number): One | undefined {
  let best: One | undefined
  let least = Number.POSITIVE_INFINITY
  for (const one of all) {
    const distance = distanceOf(one)
    if (distance < least || best === undefined) [best, least] = [one, distance]
  }
  return best
}
