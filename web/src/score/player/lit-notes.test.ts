import { describe, expect, it } from 'vitest'
import { createLights, measureOfNote, readNoteTimes } from './lit-notes.ts'

const uuids = ['6f1c8a54-0000-4000-8000-000000000001', '6f1c8a54-0000-4000-8000-000000000002']
const times = {
  measures: uuids,
  parts: [
    { uuid: 'lower', notes: [[0, 4, 48, [0, 0], [1, 0]]] },
    {
      uuid: 'upper',
      notes: [
        [0, 1, 60, [0, 0]],
        [1, 2, 62, [0, 1]],
        [3, 4, 64, [1, 1]],
      ],
    },
  ],
}
const { notes } = readNoteTimes(JSON.stringify(times))

/** Lights on a sheet that has all notes but those of `missing`. */
function lights(missing: readonly string[] = []) {
  const on = new Set<string>()
  const { show } = createLights(notes, {
    note: (id) =>
      missing.includes(id)
        ? []
        : ([
            { classList: { toggle: (_: string, isOn: boolean) => (isOn ? on.add(id) : on.delete(id)) } },
          ] as never),
  })
  return (seconds: number | undefined) => {
    show(seconds)
    return [...on].map((id) => id.slice(35)).sort()
  }
}

describe('the lights of notes', () => {
  it('are on while their notes sound, with all heads of a tied note', () => {
    const at = lights()
    expect(at(0)).toEqual(['1-lower-0', '1-upper-0', '2-lower-0'])
    expect(at(1.5)).toEqual(['1-lower-0', '1-upper-1', '2-lower-0'])
    expect(at(2.5)).toEqual(['1-lower-0', '2-lower-0'])
    expect(at(3.5)).toEqual(['1-lower-0', '2-lower-0', '2-upper-1'])
    expect(at(4)).toEqual([])
  })

  it('follow a jump back, and go out when the music stops', () => {
    const at = lights()
    at(3.5)
    expect(at(0.5)).toEqual(['1-lower-0', '1-upper-0', '2-lower-0'])
    expect(at(undefined)).toEqual([])
    expect(at(3)).toEqual(['1-lower-0', '2-lower-0', '2-upper-1'])
  })

  it('go on when the page of a note comes later', () => {
    const missing = [notes[0]?.ids[1] ?? '']
    const at = lights(missing)
    expect(at(0)).toEqual(['1-lower-0', '1-upper-0'])
    missing.pop()
    expect(at(0.1)).toEqual(['1-lower-0', '1-upper-0', '2-lower-0'])
  })

  it('know the measures of their notes', () => {
    expect(notes.flatMap(({ ids }) => ids.map(measureOfNote)).every((uuid) => uuids.includes(uuid))).toBe(
      true,
    )
  })
})
