import { expect, test } from 'vitest'
import { readMusicXml } from '../../music/formats/musicxml/read.ts'
import { child, childText, type Element, measuresOf, type ScoreDocument } from '../../music/model/document.ts'
import { miniScore, note } from '../../music/testing/mini-score.ts'
import { withoutCrashCauses } from './crash-causes.ts'

const repaired = ({ root }: ScoreDocument) => root.children.map(withoutCrashCauses)

test('leaves out the wavy lines of the last measure, on which the engine crashes', () => {
  const trill =
    '<notations><ornaments><trill-mark/><wavy-line type="start"/><wavy-line type="stop"/></ornaments></notations>'
  const ornaments = (element: Element): string[] =>
    element.children.flatMap((inner) =>
      inner.name === 'ornaments' ? inner.children.map(({ name }) => name) : ornaments(inner),
    )
  const score = repaired(miniScore([note('C4', 4, trill), note('C4', 4, trill)]))
  expect(measuresOf(score.at(-1) as Element).map(ornaments)).toEqual([
    ['trill-mark', 'wavy-line', 'wavy-line'],
    ['trill-mark'],
  ])
})

test('puts an unpitched note without a position on the middle line', () => {
  const unpitched = (inside: string) => `<note><unpitched>${inside}</unpitched><duration>4</duration></note>`
  const placed = '<display-step>E</display-step><display-octave>4</display-octave>'
  const part = repaired(miniScore([unpitched(''), unpitched(placed)])).at(-1) as Element
  const places = measuresOf(part).map((measure) => {
    const position = child(child(measure, 'note') as Element, 'unpitched') as Element
    return [childText(position, 'display-step'), childText(position, 'display-octave')]
  })
  expect(places).toEqual([
    ['B', '4'],
    ['E', '4'],
  ])
})

test('leaves out the groups that contain no part', () => {
  const start = (number: number) => `<part-group number="${number}" type="start"/>`
  const stop = (number: number) => `<part-group number="${number}" type="stop"/>`
  const part = '<score-part id="P1"><part-name>Drum</part-name></score-part>'
  const listOf = (content: string) => {
    const xml = `<score-partwise><part-list>${content}</part-list><part id="P1"><measure number="1"/></part></score-partwise>`
    const [list] = repaired(readMusicXml(Buffer.from(xml)))
    return list?.children.map(({ name, attributes }) => (name === 'part-group' ? attributes.type : name))
  }
  expect(listOf(part + start(1) + stop(1))).toEqual(['score-part'])
  expect(listOf(part + start(1) + start(2) + stop(2) + stop(1))).toEqual(['score-part'])
  expect(listOf(start(1) + start(2) + stop(2) + part + stop(1))).toEqual(['start', 'score-part', 'stop'])
})

test('writes the names of drums in ASCII, and no other names', () => {
  const names = '<score-instrument id="P1-I1"><instrument-name>Côté “1”</instrument-name></score-instrument>'
  const [list] = repaired(miniScore({ measures: [note('C4', 4)], name: 'Größe', scorePart: names }))
  const [part] = list?.children ?? []
  expect(part && childText(part, 'part-name')).toBe('Größe')
  const instrument = part && child(part, 'score-instrument')
  expect(instrument && childText(instrument, 'instrument-name')).toBe('Cote ?1?')
})
