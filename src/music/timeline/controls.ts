import { child, type Element } from '../model/document.ts'
import { soundingAt } from './direction.ts'
import type { ControlChange, PlayedMeasure } from './played.ts'
import { numberOf, type WrittenMark, type WrittenPart } from './written.ts'

/** A control change in the written score. */
interface WrittenControl {
  /** Ticks from the start of its measure. */
  readonly at: number
  readonly controller: number
  readonly value: number
}

export const VOLUME = 7
export const PAN = 10
const DAMPER = 64
const SOSTENUTO = 66
const SOFT = 67

/**
 * The pedals in the order of playing. After a jump, they are in the state of the written score at that place.
 * At the end they are up.
 */
export function pedalChangesOf(part: WrittenPart, measures: readonly PlayedMeasure[]): ControlChange[] {
  const written = part.measures.map(({ marks }) => pedalsOf(marks))
  if (written.every((controls) => controls.length === 0)) return []
  const stateBefore = pedalStates(written)
  const changes: ControlChange[] = []
  let state: PedalState = new Map()
  const changePedals = (target: PedalState, tick: number) => {
    for (const controller of [DAMPER, SOSTENUTO, SOFT]) {
      const value = target.get(controller) ?? 0
      if (value !== (state.get(controller) ?? 0)) changes.push({ tick, controller, value })
    }
    state = new Map(target)
  }
  for (const { index, startTick, endTick } of measures) {
    changePedals(stateBefore[index] ?? allUp, startTick)
    for (const { at, controller, value } of written[index] ?? []) {
      const tick = Math.min(startTick + at, endTick)
      const before = state.get(controller) ?? 0
      if (value === 0 && before === 0) continue
      // A pedal that is already down is lifted before it is pressed again.
      if (value > 0 && before > 0) changes.push({ tick, controller, value: 0 })
      changes.push({ tick, controller, value })
      state = new Map(state).set(controller, value)
    }
  }
  changePedals(allUp, measures.at(-1)?.endTick ?? 0)
  return changes
}

/** The value of each pedal controller, 0 when absent. */
type PedalState = ReadonlyMap<number, number>
const allUp: PedalState = new Map()

/** The state of the pedals before each measure of the written score. */
function pedalStates(written: readonly (readonly WrittenControl[])[]): PedalState[] {
  let state: PedalState = allUp
  return written.map((controls) => {
    const before = state
    if (controls.length > 0)
      state = new Map([...before, ...controls.map((one) => [one.controller, one.value] as const)])
    return before
  })
}

/**
 * The pedals of a measure: MusicXML 4.0, element `pedal`, and the attributes `damper-pedal`, `soft-pedal` and
 * `sostenuto-pedal` of `sound`.
 */
function pedalsOf(marks: readonly WrittenMark[]): WrittenControl[] {
  const controls: WrittenControl[] = []
  for (const mark of marks) {
    if (mark.element.name !== 'direction' && mark.element.name !== 'sound') continue
    const sound = mark.element.name === 'sound' ? mark.element : child(mark.element, 'sound')
    const at = soundingAt(mark)
    const fromSound = sound === undefined ? [] : explicitPedals(sound)
    const changes = fromSound.length > 0 ? fromSound : shownPedals(mark.element)
    for (const [controller, value] of changes) controls.push({ at, controller, value })
  }
  return controls.sort((a, b) => a.at - b.at)
}

type PedalChange = readonly [controller: number, value: number]

function explicitPedals({ attributes }: Element): PedalChange[] {
  const changes: PedalChange[] = []
  const add = (controller: number, value: string | undefined) => {
    if (value === undefined) return
    const percent = value === 'yes' ? 100 : value === 'no' ? 0 : numberOf(value)
    if (percent !== undefined)
      changes.push([controller, Math.min(127, Math.max(0, Math.round(percent * 1.27)))])
  }
  add(DAMPER, attributes['damper-pedal'])
  add(SOSTENUTO, attributes['sostenuto-pedal'])
  add(SOFT, attributes['soft-pedal'])
  return changes
}

function shownPedals(direction: Element): PedalChange[] {
  const changes: PedalChange[] = []
  for (const type of direction.children) {
    const pedal = type.name === 'direction-type' ? child(type, 'pedal') : undefined
    switch (pedal?.attributes.type) {
      case 'start':
      case 'resume':
        changes.push([DAMPER, 127])
        break
      case 'sostenuto':
        changes.push([SOSTENUTO, 127])
        break
      case 'change':
        changes.push([DAMPER, 0], [DAMPER, 127])
        break
      case 'stop':
      case 'discontinue':
        changes.push([DAMPER, 0], [SOSTENUTO, 0])
        break
    }
  }
  return changes
}
