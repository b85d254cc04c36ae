import type { Timeline } from '../timeline/played.ts'

/** Lists the rules for timelines that this timeline breaks. */
export function faultsOf(timeline: Timeline): string[] {
  const faults: string[] = []
  const check = (isTrue: boolean, fault: string) => {
    if (!isTrue) faults.push(fault)
  }
  let end = 0
  let seconds = 0
  for (const { startTick, endTick, startSeconds, number } of timeline.measures) {
    check(
      startTick === end && endTick > startTick,
      `measure ${number} does not begin where the previous measure ends`,
    )
    check(startSeconds >= seconds, `measure ${number} begins earlier than the previous measure`)
    end = endTick
    seconds = startSeconds
  }
  check(timeline.durationTicks >= end, 'the end comes too early')
  check(timeline.tempos[0]?.tick === 0, 'no tempo at the beginning')
  for (const [index, { tick }] of timeline.tempos.entries()) {
    check(index === 0 || tick > (timeline.tempos[index - 1]?.tick ?? 0), `tempo ${index} is out of order`)
  }
  for (const { id, notes, lyrics, controls, programs } of timeline.parts) {
    for (const [index, { startTick, endTick, key, velocity, bend }] of notes.entries()) {
      const isInOrder = startTick >= (notes[index - 1]?.startTick ?? 0)
      const isInRange = key >= 0 && key <= 127 && velocity >= 1 && velocity <= 127 && Math.abs(bend) <= 0.5
      const isWhole = [startTick, endTick, key, velocity].every(Number.isInteger)
      const isInside = startTick >= 0 && endTick > startTick && endTick <= timeline.durationTicks
      check(
        isInOrder && isInRange && isWhole && isInside,
        `note ${index} of ${id} is out of order or out of range`,
      )
    }
    for (const { tick } of [...lyrics, ...controls, ...programs]) {
      check(
        tick >= 0 && tick <= timeline.durationTicks,
        `a lyric, control or program of ${id} is outside the timeline`,
      )
    }
  }
  return faults
}
