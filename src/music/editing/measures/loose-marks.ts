import type { Element, ScoreDocument } from '../../model/document.ts'
import { measuresOf, partsOf } from '../../model/document.ts'
import { directionTypesOf, withoutType } from '../directions/marks.ts'
import { withMeasures } from './measure-list.ts'

/** Signs of directions with a start and a stop, and the types that begin them. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  wedge: ['crescendo', 'diminuendo'],
  'octave-shift': ['up', 'down'],
  dashes: ['start'],
  bracket: ['start'],
  pedal: ['start', 'sostenuto'],
}

/** The signs of a part, and its endings, of which both ends are there. */
function matchedSigns(part: Element): Set<Element> {
  const matched = new Set<Element>()
  const open = new Map<string, Element[]>()
  for (const measure of measuresOf(part)) {
    for (const sign of signsOf(measure)) {
      const { type, number = '1' } = sign.attributes
      const key = `${sign.name} ${sign.name === 'ending' ? '' : number}`
      const starts = sign.name === 'ending' ? ['start'] : (beginnings[sign.name] ?? [])
      if (type !== undefined && starts.includes(type)) open.set(key, [sign])
      else if (type === 'stop' || type === 'discontinue') {
        const begun = open.get(key)
        open.delete(key)
        if (begun) for (const one of [...begun, sign]) matched.add(one)
      } else open.get(key)?.push(sign)
    }
  }
  return matched
}

const signsOf = (measure: Element): Element[] =>
  measure.children.flatMap((one) =>
    one.name === 'barline'
      ? one.children.filter(({ name }) => name === 'ending')
      : directionTypesOf(one).filter(({ name }) => name in beginnings),
  )

/**
 * Removes hairpins, octave lines, pedals and endings that have lost their other end.
 * @param before the document in which they had both
 */
export function withMatchedMarks(document: ScoreDocument, before: ScoreDocument): ScoreDocument {
  const matchedBefore = new Map(partsOf(before).map((part) => [part.uuid, matchedSigns(part)]))
  return withMeasures(document, (part) => {
    const matched = matchedSigns(part)
    const old = matchedBefore.get(part.uuid)
    return measuresOf(part).map((measure) => {
      const loose = signsOf(measure).filter((sign) => old?.has(sign) && !matched.has(sign))
      return loose.length > 0 ? withoutSigns(measure, loose) : measure
    })
  })
}

function withoutSigns(measure: Element, doomed: readonly Element[]): Element {
  const children = measure.children.flatMap((one) => {
    if (one.name === 'barline') {
      const kept = one.children.filter((inner) => !doomed.includes(inner))
      if (kept.length === one.children.length) return [one]
      return kept.length > 0 ? [{ ...one, children: kept }] : []
    }
    const inOne = directionTypesOf(one).filter((type) => doomed.includes(type))
    const left = inOne.reduce<Element | undefined>((left, type) => left && withoutType(left, type), one)
    return left ? [left] : []
  })
  return { ...measure, children }
}
