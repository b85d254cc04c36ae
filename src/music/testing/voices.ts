import { childrenNamed, childText, type Element, measuresOf } from '../document.ts'
import { walkMeasure } from '../measure-walk.ts'

/**
 * Where the voices of a part leave a gap, overlap or do not end together with the measure, one line a fault.
 * @param quarters the length that measures must have until a time signature says another one
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
      if (inChord ? onset + duration !== end : onset !== end) faults.push(`${at}: voice ${voice} breaks at ${onset}`)
      if (!inChord) ends.set(voice, onset + duration)
    })
    divisions = walked.divisions
    for (const [voice, end] of ends) {
      if (end !== length) faults.push(`${at}: voice ${voice} ends at ${end}`)
    }
    if (ends.size === 0) faults.push(`${at}: no voice`)
  }
  return faults
}

/** What a time signature in the measure says of its length, in quarters. */
function lengthIn(measure: Element): number | undefined {
  const times = childrenNamed(measure, 'attributes').flatMap((attributes) => childrenNamed(attributes, 'time'))
  const [time] = times.map((one) => (4 * Number(childText(one, 'beats'))) / Number(childText(one, 'beat-type')))
  return time
}
