import type { Element } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import { MAX_REPEAT_TIMES } from '../../model/limits.ts'
import type { MeasureModel } from '../measure-model.ts'
import type { Outcome } from '../operation.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'

const styles = [
  'regular',
  'dashed',
  'dotted',
  'heavy',
  'light-light',
  'light-heavy',
  'tick',
  'short',
  'none',
] as const

/** Gives the bar line behind a measure a style, in all parts. */
export interface SetBarline {
  readonly type: 'setBarline'
  /** The uuid of the measure. */
  readonly measure: string
  readonly style: (typeof styles)[number]
}

/** Begins or ends a repeat at a measure, or takes the sign away, in all parts. */
export interface SetRepeat {
  readonly type: 'setRepeat'
  readonly measure: string
  readonly side: 'start' | 'end'
  readonly isRepeat: boolean
  /** How often the music is played, if not twice. Only at the end. */
  readonly times?: number
}

/** Puts measures under an ending (a volta bracket), or takes the endings from them, in all parts. */
export interface SetEnding {
  readonly type: 'setEnding'
  /** The uuids of the measures. Those between them belong to it. */
  readonly measures: readonly string[]
  /** The numbers of the times, such as `1` or `1, 2`. Null removes the endings. */
  readonly numbers: string | null
}

export function setBarline(session: Session, { measure, style }: SetBarline): Outcome {
  if (!styles.includes(style)) refuse('invalidValue')
  eachPart(session, measure, (model) =>
    withBarline(model, 'right', (children) => [
      ...(style === 'regular' ? [] : [leaf('bar-style', style)]),
      // A repeat has its own style.
      ...children.filter(({ name }) => name !== 'bar-style' && name !== 'repeat'),
    ]),
  )
  return { notes: [] }
}

export function setRepeat(session: Session, { measure, side, isRepeat, times }: SetRepeat): Outcome {
  const isCount = times === undefined || (Number.isInteger(times) && times >= 2 && times <= MAX_REPEAT_TIMES)
  if (!isCount || (side !== 'start' && side !== 'end')) refuse('invalidValue')
  const isStart = side === 'start'
  eachPart(session, measure, (model, isLast) =>
    withBarline(model, isStart ? 'left' : 'right', (children) => {
      const kept = children.filter(({ name }) => name !== 'bar-style' && name !== 'repeat')
      if (!isRepeat) {
        const had = children.some(({ name }) => name === 'repeat')
        if (!had) return children
        return isLast && !isStart ? [leaf('bar-style', 'light-heavy'), ...kept] : kept
      }
      const repeat = node('repeat', [], {
        direction: isStart ? 'forward' : 'backward',
        ...(times !== undefined && times !== 2 && !isStart ? { times: String(times) } : {}),
      })
      return [leaf('bar-style', isStart ? 'heavy-light' : 'light-heavy'), ...kept, repeat]
    }),
  )
  return { notes: [] }
}

const numbersForm = /^[1-9]\d?(, ?[1-9]\d?)*$/

export function setEnding(session: Session, { measures, numbers }: SetEnding): Outcome {
  if (measures.length === 0) refuse('noSuchMeasure')
  if (numbers !== null && !numbersForm.test(numbers)) refuse('invalidValue')
  for (const part of session.parts) {
    const editor = session.part(part)
    const places = measures.map(editor.indexOfMeasure)
    const [first, last] = [Math.min(...places), Math.max(...places)]
    for (let index = first; index <= last; index++) {
      for (const side of ['left', 'right'] as const) {
        const model = withBarline(editor.modelAt(index), side, (children) =>
          children.filter(({ name }) => name !== 'ending'),
        )
        if (model !== editor.modelAt(index)) editor.replace(index, model)
      }
    }
    if (numbers === null) continue
    const start = leaf('ending', `${numbers.replaceAll(/(\d+)/g, '$1.')}`, { number: numbers, type: 'start' })
    editor.replace(
      first,
      withBarline(editor.modelAt(first), 'left', (children) => withEnding(children, start)),
    )
    editor.replace(
      last,
      withBarline(editor.modelAt(last), 'right', (children) => {
        const isRepeated = children.some(({ name }) => name === 'repeat')
        return withEnding(
          children,
          node('ending', [], { number: numbers, type: isRepeated ? 'stop' : 'discontinue' }),
        )
      }),
    )
  }
  return { notes: [] }
}

/** The repeat is the last child of a bar line. */
const withEnding = (children: readonly Element[], ending: Element): Element[] => [
  ...children.filter(({ name }) => name !== 'repeat'),
  ending,
  ...children.filter(({ name }) => name === 'repeat'),
]

function eachPart(
  session: Session,
  measure: string,
  change: (model: MeasureModel, isLast: boolean) => MeasureModel,
): void {
  for (const part of session.parts) {
    const editor = session.part(part)
    const index = editor.indexOfMeasure(measure)
    editor.replace(index, change(editor.modelAt(index), index === editor.measures.length - 1))
  }
}

/** Changes a bar line of a measure. One without children is left out, and a new one is added. */
function withBarline(
  model: MeasureModel,
  side: 'left' | 'right',
  change: (children: readonly Element[]) => readonly Element[],
): MeasureModel {
  const place = model.marks.findIndex(
    ({ element }) => element.name === 'barline' && (element.attributes.location ?? 'right') === side,
  )
  const present = model.marks[place]
  const children = change(present?.element.children ?? [])
  if (present === undefined) {
    if (children.length === 0) return model
    const element = node('barline', [...children], { location: side })
    const onset = side === 'left' ? 0 : model.end
    return { ...model, marks: [...model.marks, { element, onset, stream: 0 }] }
  }
  const old = present.element.children
  if (children.length === old.length && children.every((child, index) => child === old[index])) return model
  if (children.length === 0) return { ...model, marks: model.marks.toSpliced(place, 1) }
  return {
    ...model,
    marks: model.marks.with(place, { ...present, element: { ...present.element, children: [...children] } }),
  }
}
