import { describe, expect, test } from 'vitest'
import { direction, miniTimeline, note, words } from '../testing/mini-score.ts'

const mark = (sign: string, sound = '') => direction(`<dynamics><${sign}/></dynamics>`, sound)
const wedge = (type: string, number = 1) => direction(`<wedge type="${type}" number="${number}"/>`)
const quarter = note('C4', 1)
const accent = '<notations><articulations><accent/></articulations></notations>'

function velocities(...measures: string[]): number[] {
  return miniTimeline(measures).parts[0]?.notes.map(({ velocity }) => velocity) ?? []
}

describe('dynamics', () => {
  test('are mezzo-forte before any mark, and hold until the next one', () => {
    expect(velocities(quarter + mark('p') + quarter + quarter, mark('ff') + quarter)).toEqual([
      80, 49, 49, 112,
    ])
  })

  test('of a sound are percent of forte (90) and have priority over the mark', () => {
    expect(velocities(mark('f', '<sound dynamics="50"/>') + quarter)).toEqual([45])
    expect(velocities(`<sound dynamics="100"/>${quarter}`)).toEqual([90])
  })

  test('of a note itself have priority over all others', () => {
    expect(
      velocities(mark('pp') + note('C4', 1, accent, 'dynamics="110" end-dynamics="50"') + quarter),
    ).toEqual([99, 33])
    expect(miniTimeline([note('C4', 1, '', 'end-dynamics="50"')]).parts[0]?.notes[0]?.releaseVelocity).toBe(
      45,
    )
  })

  test('of one part do not affect other parts', () => {
    const timeline = miniTimeline([mark('pp') + quarter], [quarter])
    expect(timeline.parts.map(({ notes }) => notes[0]?.velocity)).toEqual([33, 80])
  })

  test('of a sforzato apply to one place only, even if a sound gives them', () => {
    expect(
      velocities(mark('p') + quarter + mark('sf', '<sound dynamics="124.44"/>') + quarter + quarter),
    ).toEqual([49, 73, 49])
  })

  test('fp is forte for one place, then piano', () => {
    expect(velocities(mark('fp') + quarter + quarter)).toEqual([96, 49])
  })

  test('are read from other-dynamics if the mark is known', () => {
    expect(
      velocities(direction('<dynamics><other-dynamics>pp</other-dynamics></dynamics>') + quarter),
    ).toEqual([33])
  })

  test('are increased by accents', () => {
    expect(velocities(mark('p') + note('C4', 1, accent) + quarter)).toEqual([65, 49])
  })
})

describe('words', () => {
  const measure = (before: string) => before + quarter.repeat(4)
  const dashes = (type: string) => direction(`<dashes type="${type}"/>`)

  test('such as cresc. lead to the next mark', () => {
    const louder = velocities(measure(mark('p') + words('cresc.')), measure(''), mark('f') + quarter)
    expect(louder).toEqual([49, 55, 61, 67, 73, 78, 84, 90, 96])
    expect(velocities(measure(mark('f') + words('dim.')), mark('p') + quarter)).toEqual([96, 84, 73, 61, 49])
  })

  test('with dashes end with them', () => {
    const start = mark('p') + words('poco a poco cresc.') + dashes('start')
    expect(velocities(measure(start), measure(dashes('stop')))).toEqual([49, 53, 57, 61, 65, 65, 65, 65])
  })

  test('without a mark to come change the loudness to the end of the following measure', () => {
    const all = velocities(measure(mark('p') + words('decresc.')), measure(''), measure(''))
    expect(all).toEqual([49, 47, 45, 43, 41, 39, 37, 35, 33, 33, 33, 33])
  })

  test.each(['senza cresc.', 'Cdim7', 'dim lights', 'non dim.', `cresc. ${'x'.repeat(60)}`])(
    'about something else do nothing: %s',
    (text) => {
      expect(velocities(measure(mark('p') + words(text)))).toEqual([49, 49, 49, 49])
    },
  )

  test('name a wedge that begins with them', () => {
    const both = mark('p') + words('cresc.') + wedge('crescendo')
    expect(velocities(measure(both), measure(wedge('stop')), mark('f') + quarter)).toEqual([
      49, 53, 57, 61, 65, 65, 65, 65, 96,
    ])
  })

  test('may lead to nothing, as a wedge with niente', () => {
    const niente = (type: string) => direction(`<wedge type="${type}" niente="yes"/>`)
    expect(velocities(measure(words('dim. al niente')), mark('p') + quarter)).toEqual([80, 60, 41, 21, 49])
    expect(velocities(measure(wedge('diminuendo')), measure(niente('stop'))).slice(0, 5)).toEqual([
      80, 60, 41, 21, 1,
    ])
    expect(velocities(measure(mark('mf') + niente('crescendo')), measure(wedge('stop'))).slice(0, 5)).toEqual(
      [1, 21, 41, 60, 80],
    )
  })
})

describe('wedges', () => {
  test('change evenly to the mark at their end', () => {
    const measure = mark('p') + wedge('crescendo') + quarter.repeat(4)
    expect(velocities(measure, wedge('stop') + mark('f') + quarter)).toEqual([49, 61, 73, 84, 96])
  })

  test('change by one step without a mark at their end, and the new level holds', () => {
    expect(
      velocities(mark('mf') + wedge('diminuendo') + quarter.repeat(2) + wedge('stop') + quarter.repeat(2)),
    ).toEqual([80, 72, 64, 64])
  })

  test('change by one step before a sudden mark that contradicts them', () => {
    const measure = mark('mf') + wedge('crescendo') + quarter.repeat(2) + wedge('stop') + mark('p') + quarter
    expect(velocities(measure)).toEqual([80, 88, 49])
  })

  test('may cross barlines, and are distinguished by their numbers', () => {
    expect(
      velocities(
        mark('p') +
          wedge('crescendo', 1) +
          quarter.repeat(2) +
          wedge('stop', 1) +
          wedge('diminuendo', 2) +
          quarter.repeat(2),
        wedge('stop', 2) + quarter,
      ),
    ).toEqual([49, 57, 65, 57, 49])
  })

  test('have no effect without an end', () => {
    expect(velocities(wedge('crescendo') + quarter.repeat(2))).toEqual([80, 80])
  })
})
