import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeMusicXml } from '../formats/musicxml/write.ts'
import { type Element, measuresOf, partsOf, type ScoreDocument } from '../model/document.ts'
import { identifiedScore } from '../testing/editing-score.ts'
import { editingFaults } from '../testing/editing-faults.ts'
import { note, rest } from '../testing/mini-score.ts'
import { choices, operationFor } from '../testing/random-operations.ts'
import { orderFaults } from '../testing/schema-order.ts'
import { voiceFaults } from '../testing/voices.ts'
import { applyOperation } from './apply.ts'

const triplet = (pitch: string, sign = ''): string =>
  note(
    pitch,
    2,
    `<voice>1</voice><type>eighth</type><time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes></time-modification><staff>1</staff>${sign}`,
  )
const tuplet = (type: string): string => `<notations><tuplet type="${type}"/></notations>`
const slur = (type: string): string => `<notations><slur type="${type}" number="1"/></notations>`
const quarter = (pitch: string, more = '', before = ''): string =>
  note(pitch, 6, `${before}<voice>1</voice><type>quarter</type><staff>1</staff>${more}`)
const lower = `<backup><duration>24</duration></backup>${rest(24, '<voice>5</voice><staff>2</staff>')}`
const tied = (type: string): string => `<notations><tied type="${type}"/></notations>`

/** Two parts: a piano with tuplets, ties, a slur and a second voice, and a singer in whole notes. */
function startScore(): ScoreDocument {
  const time = '<time><beats>4</beats><beat-type>4</beat-type></time>'
  const piano = [
    `<attributes><divisions>6</divisions><key><fifths>1</fifths></key>${time}<staves>2</staves></attributes>${
      triplet('C4', tuplet('start')) + triplet('D4') + triplet('E4', tuplet('stop'))
    }${quarter('F4', slur('start'))}${quarter('F#4')}${quarter('G4', tied('start'), '<tie type="start"/>')}${lower}`,
    `${quarter('G4', tied('stop'), '<tie type="stop"/>')}${quarter('A4', slur('stop'))}<direction><direction-type><words>dolce</words></direction-type></direction>${
      quarter('B4') + quarter('C5')
    }<backup><duration>24</duration></backup>${note('E4', 24, '<voice>2</voice><type>whole</type><staff>1</staff>')}${lower}`,
    `${rest(24, '<voice>1</voice><staff>1</staff>')}${lower}`,
  ]
  const singer = [
    `<attributes><divisions>1</divisions><key><fifths>1</fifths></key>${time}</attributes>${note('G4', 4, '<voice>1</voice><type>whole</type><lyric><text>la</text></lyric>')}`,
    rest(4, '<voice>1</voice>'),
    rest(4, '<voice>1</voice>'),
  ]
  return identifiedScore(piano, singer)
}

const elementsOf = (document: ScoreDocument): Map<string, Element> =>
  new Map(
    partsOf(document).flatMap((part) =>
      measuresOf(part).map((one) => [`${part.uuid} ${one.uuid}`, one] as const),
    ),
  )

test('any operations leave full measures, valid notation, and all that they do not touch', () => {
  const start = startScore()
  const written = writeMusicXml(start)
  expect([...editingFaults(start), ...orderFaults(start)]).toEqual([])
  fc.assert(
    fc.property(fc.array(choices, { minLength: 1, maxLength: 12 }), (made) => {
      let document = start
      for (const choice of made) {
        const operation = operationFor(document, choice)
        const result = applyOperation(document, operation)
        if (result.isRefused) continue
        const before = elementsOf(document)
        const touched = new Set(result.changes.measures.map(({ part, measure }) => `${part} ${measure}`))
        for (const [place, element] of elementsOf(result.document))
          if (!touched.has(place) && !result.changes.isWhole) expect(element).toBe(before.get(place))
        document = result.document
        const faults = [
          ...editingFaults(document),
          ...orderFaults(document),
          ...partsOf(document).flatMap((part) => voiceFaults(part, 4)),
        ]
        expect({ operation, faults }).toEqual({ operation, faults: [] })
      }
    }),
    { seed: 19, numRuns: 60 },
  )
  expect(writeMusicXml(start)).toBe(written)
})
