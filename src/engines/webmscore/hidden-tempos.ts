import type { Element } from '../../music/model/document.ts'

/**
 * Leaves out the tempos of a part that only playback uses, and that stand in a measure without a direction, as Dorico writes them. The
 * engine makes a hidden mark of each, and then prints no metronome mark at the same place.
 */
export function withoutHiddenTempos(part: Element): Element {
  const children = part.children.map((measure) =>
    measure.children.some(isHiddenTempo)
      ? { ...measure, children: measure.children.filter((one) => !isHiddenTempo(one)) }
      : measure,
  )
  return { ...part, children }
}

const isHiddenTempo = ({ name, attributes }: Element): boolean =>
  name === 'sound' && attributes.tempo !== undefined
