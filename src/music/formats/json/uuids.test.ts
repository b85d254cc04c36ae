import { expect, test } from 'vitest'
import { childrenNamed, measuresOf, partsOf, type ScoreDocument } from '../../model/document.ts'
import { writeJson } from './write.ts'
import { uuidsInJson } from './uuids.ts'
import { readMusicXml } from '../musicxml/read.ts'
import { identify } from '../../model/uuids.ts'

const fake = '00000000-0000-4000-8000-000000000000'

/** Two parts of different lengths, with texts and attributes that look like a uuid. */
function score(): ScoreDocument {
  const words = (text: string) =>
    `<direction><direction-type><words>${text}</words></direction-type></direction>`
  const measures = ['$uuid', `"$uuid":"${fake}"`, `{"$uuid":"${fake}"}`, `\\"$uuid":"${fake}"`, '♩'].map(
    (text, index) => `<measure number="${index + 1}" uuid="${fake}">${words(text)}</measure>`,
  )
  const document = readMusicXml(
    Buffer.from(`<score-partwise><part-list>
      <score-part id="P1"><part-name>Flute</part-name></score-part>
      <score-part id="P2"><part-name>Harp</part-name></score-part>
    </part-list><part id="P1">${measures[0]}</part><part id="P2">${measures.join('')}</part></score-partwise>`),
  )
  identify(document, () => crypto.randomUUID())
  return document
}

const identities = (document: ScoreDocument) =>
  new Set(partsOf(document).flatMap((part) => [part.uuid, ...measuresOf(part).map(({ uuid }) => uuid)]))

test('returns the uuids of all parts and measures, and none from texts', async () => {
  const document = score()
  expect(childrenNamed(document.root, 'part')).toHaveLength(2)
  expect(await uuidsInJson([Buffer.from(writeJson(document))])).toEqual(identities(document))
})

test('returns the same uuids wherever the JSON is cut', async () => {
  const document = score()
  const json = Buffer.from(writeJson(document))
  for (const size of [1, 7, 46, 64]) {
    const pieces = Array.from({ length: Math.ceil(json.length / size) }, (_, n) =>
      json.subarray(n * size, n * size + size),
    )
    expect(await uuidsInJson(pieces)).toEqual(identities(document))
  }
})
