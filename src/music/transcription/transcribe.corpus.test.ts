import { describe, expect, test } from 'vitest'
import { corpusFiles, corpusTitle, hasCorpus } from '../../../test/support/corpus.ts'
import { readMidi } from '../formats/midi/read.ts'
import { createRepairs } from '../formats/repairs.ts'
import { childrenNamed, childText, type Element, measuresOf, partsOf } from '../model/document.ts'
import { shareOfOnsets } from '../testing/onset-check.ts'
import { parseMidi } from '../testing/parse-midi.ts'
import { performedMidi } from '../testing/performed-midi.ts'
import { readabilityOf } from '../testing/readability.ts'
import { orderFaults } from '../testing/schema-order.ts'

/** The readability of the import by webmscore 1.2.1, as it was until our own replaced it (docs/midi-import.md). */
const engine: Readonly<Record<string, number>> = {
  'bach_846.mid': 1.613,
  'bach_850.mid': 1.34,
  'childrens_corner_1.mid': 1.468,
  'childrens_corner_3.mid': 2.05,
  'childrens_corner_5.mid': 1.4,
  'concerto_for_orchestra_1.mid': 1.96,
  'menuet.mid': 1.533,
  'prelude.mid': 1.855,
  'symphony_7_2.mid': 1.501,
  'test__midi__bach__bach_846.mid': 1.613,
}
const LARGE = 200_000
/** The same file as another one. */
const copy = 'test__midi__bach__bach_846.mid'

const files = corpusFiles('midi')

const onsetsOf = (bytes: Uint8Array) => {
  const { notes, division } = parseMidi(bytes)
  return notes.map(({ start, key }) => ({ quarter: start / division, key }))
}

const durationsOf = (elements: readonly Element[]) =>
  elements.reduce((sum, element) => sum + Number(childText(element, 'duration') ?? 0), 0)

/** Whether a voice of a measure is shorter or longer than the others. */
function hasUnevenVoices(measure: Element): boolean {
  const backups = childrenNamed(measure, 'backup')
  const timed = measure.children.filter(
    ({ name, children }) => name === 'forward' || (name === 'note' && children[0]?.name !== 'chord'),
  )
  const voices = new Set(timed.map((element) => childText(element, 'voice')))
  const lengths = new Set(
    [...voices].map((voice) => durationsOf(timed.filter((element) => childText(element, 'voice') === voice))),
  )
  for (const backup of backups) lengths.add(durationsOf([backup]))
  return lengths.size !== 1
}

describe.skipIf(!hasCorpus)(corpusTitle('real MIDI files'), () => {
  const easier: string[] = []

  test.each(files)('$name keeps its onsets, also when played with an error of 20 ms', ({ name, bytes }) => {
    const document = readMidi(bytes, createRepairs())
    expect(orderFaults(document)).toEqual([])
    expect(shareOfOnsets(document, onsetsOf(bytes))).toBeGreaterThanOrEqual(0.99)
    if (readabilityOf(document, onsetsOf(bytes).length) <= (engine[name] ?? 0)) easier.push(name)
    for (const part of partsOf(document)) expect(measuresOf(part).filter(hasUnevenVoices)).toEqual([])
    if (bytes.length > LARGE || name === copy) return
    const played = readMidi(performedMidi(bytes, 20), createRepairs())
    expect(shareOfOnsets(played, onsetsOf(bytes))).toBeGreaterThanOrEqual(0.99)
  })

  test('are as easy to read as by the engine that was used before, in nine of ten files', () => {
    expect(easier.length / files.length).toBeGreaterThanOrEqual(0.9)
  })
})
