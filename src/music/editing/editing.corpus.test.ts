import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { corpusFiles, corpusTitle, hasCorpus } from '../../../test/support/corpus.ts'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { writeMusicXml } from '../formats/musicxml/write.ts'
import { readMxl } from '../formats/mxl/read.ts'
import { partsOf, type ScoreDocument } from '../model/document.ts'
import { identify } from '../model/uuids.ts'
import { editingFaults } from '../testing/editing-faults.ts'
import { testUuid } from '../testing/editing-score.ts'
import { choices, operationFor } from '../testing/random-operations.ts'
import { voiceFaults } from '../testing/voices.ts'
import { applyOperation } from './apply.ts'

/** The faults of a score. Files of other programs have some of their own. */
const faultsOf = (document: ScoreDocument): string[] => [
  ...editingFaults(document),
  ...partsOf(document).flatMap((part) => voiceFaults(part, 4)),
]

const movingFaults = new Set(['deleteMeasures', 'insertMeasures', 'setTime'])

describe.skipIf(!hasCorpus)(corpusTitle('operations on real scores'), () => {
  // Every twentieth song.
  const songs = corpusFiles('lieder-mxl').filter((_, index) => index % 20 === 0)

  it('add no faults to them, and change nothing in place', async () => {
    expect(songs.length).toBeGreaterThan(1)
    for (const [number, { name, bytes }] of songs.entries()) {
      const start = readMusicXml(await readMxl(bytes))
      let uuids = 0
      identify(start, () => testUuid(++uuids))
      const written = writeMusicXml(start)
      const known = new Set(faultsOf(start))
      let document = start
      for (const choice of fc.sample(choices, { seed: number, numRuns: 15 })) {
        const operation = operationFor(document, choice)
        // These move the faults that the file has to other times.
        if (movingFaults.has(operation.type)) continue
        const result = applyOperation(document, operation)
        if (result.isRefused) continue
        document = result.document
        const faults = faultsOf(document).filter((fault) => !known.has(fault))
        expect({ name, operation, faults }).toEqual({ name, operation, faults: [] })
      }
      expect(writeMusicXml(start)).toBe(written)
    }
  })
})
