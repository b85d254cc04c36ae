import { childrenNamed, childText, type Element, measuresOf } from '../model/document.ts'
import { walkMeasure } from '../model/measure-walk.ts'

/**
 * Returns the positions at which the voices of a part have a gap, overlap, or do not end with the measure,
 * one line each.
 * @param quarters the length of a measure before the first time signature
 */
export function voiceFaults(part: Element, quarters: number): string[] {
  const faults: string[] = []
  let length = quarters
  let divisions = 1
  for (const measure of measuresOf(part)) {
    const ends = new Map<string, number>()
    length = lengthIn(measure) ?? length
    const at = `measure ${measure.attributes.number}`
    const walked = walkMeasure(measure, divisions, (element, onset, duration) => {
      if (element.name !== 'note') return
      const voice = childText(element, 'voice') ?? '1'
      const end = ends.get(voice) ?? 0
      const inChord = element.children.some(({ name }) => name === 'chord')
      if (isApart(inChord ? onset + duration : onset, end))
        faults.push(`${at}: voice ${voice} breaks at ${onset}`)
      if (!inChord) ends.set(voice, onset + duration)
    })
    divisions = walked.divisions
    for (const [voice, end] of ends) {
      if (isApart(end, length)) faults.push(`${at}: voice ${voice} ends at ${end}`)
    }
    if (ends.size === 0) faults.push(`${at}: no voice`)
  }
  return faults
}

/** Sums of thirds are not exact. */
const isApart = (one: number, other: number): boolean => Math.abs(one - other) > 1e-9

/** The length of the measure by its time signature, in quarter notes. */
function lengthIn(measure: Element): number | undefined {
  const times = childrenNamed(measure, 'attributes').flatMap((attributes) =>
    childrenNamed(attributes, 'time'),
  )
  const [time] = times.map(
    (one) => (4 * Number(childText(one, 'beats'))) / Number(childText(one, 'beat-type')),
  )
  return time
}
