import { soundingAt, wordsOf } from './direction.ts'
import type { WrittenMark, WrittenPart } from './written.ts'

/** The end in ticks of the dashes after the words of a mark, undefined without dashes. */
export type DashesEnd = (mark: WrittenMark, tick: number) => number | undefined

interface Dashes {
  readonly mark: WrittenMark
  readonly start: number
  readonly end: number
}

/**
 * The dashes of a part (MusicXML 4.0, element `dashes`), which show how long words such as "cresc." and "accel." hold. They are
 * in the direction of the words, or in one of their own that begins there or up to a quarter note later, after the words.
 */
export function dashesOf(
  part: WrittenPart,
  columnStarts: readonly number[],
  ticksPerQuarter: number,
): DashesEnd {
  const all: Dashes[] = []
  const open = new Map<string, Omit<Dashes, 'end'>>()
  for (const [column, { marks }] of part.measures.entries()) {
    for (const mark of marks) {
      if (mark.element.name !== 'direction') continue
      const tick = (columnStarts[column] ?? 0) + soundingAt(mark)
      for (const { children } of mark.element.children) {
        for (const { name, attributes } of children) {
          if (name !== 'dashes') continue
          const { number = '1', type } = attributes
          const started = open.get(number)
          if (type === 'start') open.set(number, { mark, start: tick })
          else if (type === 'stop' && started !== undefined) {
            open.delete(number)
            if (tick > started.start) all.push({ ...started, end: tick })
          }
        }
      }
    }
  }
  return (mark, tick) => {
    const own =
      all.find((dashes) => dashes.mark === mark) ??
      all.find(
        ({ mark: other, start }) =>
          start >= tick && start <= tick + ticksPerQuarter && wordsOf(other.element) === '',
      )
    return own?.end
  }
}
