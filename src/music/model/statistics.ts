import { childText, type Element, measuresOf, partsOf, type ScoreDocument } from './document.ts'
import { isSoundingNote, walkMeasure } from './measure-walk.ts'
import { pairByUuid } from './pairing.ts'

export interface NoteChanges {
  /** Notes that are in the newer revision only. */
  additions: number
  /** Notes that were in the older revision only. */
  deletions: number
}

/**
 * Counts the notes that a revision adds and removes, in time linear in the notes of both.
 *
 * Parts, and measures within parts, are compared with the ones with the same uuid, or with the unmatched ones
 * at the same position. Within a measure a note is the same if it has the same onset, pitch, duration, voice
 * and staff. Divisions, beams and articulations do not matter. So a changed note counts as one added and one
 * removed. Rests and cue notes do not count.
 * @param before the older revision; undefined for the first revision, in which every note is added
 */
export function compareNotes(before: ScoreDocument | undefined, after: ScoreDocument): NoteChanges {
  const changes = { additions: 0, deletions: 0 }
  for (const [oldPart, newPart] of pairByUuid(before === undefined ? [] : partsOf(before), partsOf(after))) {
    const oldMeasures = oldPart === undefined ? [] : describePart(oldPart)
    const newMeasures = newPart === undefined ? [] : describePart(newPart)
    for (const [oldMeasure, newMeasure] of pairByUuid(oldMeasures, newMeasures)) {
      const ofMeasure = countNoteChanges(oldMeasure?.notes ?? [], newMeasure?.notes ?? [])
      changes.additions += ofMeasure.additions
      changes.deletions += ofMeasure.deletions
    }
  }
  return changes
}

interface DescribedMeasure {
  readonly uuid?: string | undefined
  readonly notes: string[]
}

/** Returns the sounding notes of each measure of a part, as texts that are equal for equal notes. */
export function describePart(part: Element): DescribedMeasure[] {
  let divisions = 1
  return measuresOf(part).map((measure) => {
    const notes: string[] = []
    const walked = walkMeasure(measure, divisions, (element, onset, duration) => {
      if (element.name === 'note' && isSoundingNote(element))
        notes.push(describeNote(element, onset, duration))
    })
    divisions = walked.divisions
    return { uuid: measure.uuid, notes }
  })
}

function describeNote(note: Element, onset: number, duration: number): string {
  let sound = ''
  let voice = '1'
  let staff = '1'
  for (const element of note.children) {
    switch (element.name) {
      case 'pitch': {
        const alter = Number(childText(element, 'alter') ?? 0)
        sound += `${childText(element, 'step')}${childText(element, 'octave')}${alter}`
        break
      }
      case 'unpitched':
        sound += `x${childText(element, 'display-step')}${childText(element, 'display-octave')}`
        break
      case 'instrument':
        sound += element.attributes.id
        break
      case 'voice':
        voice = element.text.trim()
        break
      case 'staff':
        staff = element.text.trim()
        break
    }
  }
  return `${onset} ${duration} ${sound} ${voice} ${staff}`
}

/** Counts the notes that are only in one of two measures. */
export function countNoteChanges(before: readonly string[], after: readonly string[]): NoteChanges {
  const remaining = new Map<string, number>()
  for (const note of before) remaining.set(note, (remaining.get(note) ?? 0) + 1)
  let unchanged = 0
  for (const note of after) {
    const count = remaining.get(note) ?? 0
    if (count === 0) continue
    remaining.set(note, count - 1)
    unchanged++
  }
  return { additions: after.length - unchanged, deletions: before.length - unchanged }
}
