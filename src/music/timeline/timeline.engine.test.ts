import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Element, measuresOf, partsOf, type ScoreDocument } from '../model/document.ts'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { writeMusicXml } from '../formats/musicxml/write.ts'
import { readMxl } from '../formats/mxl/read.ts'
import { parseMidi } from '../testing/parse-midi.ts'
import { asWritten } from './playback-options.ts'
import { timelineOf } from './timeline.ts'
import type { Timeline } from './played.ts'

/**
 * Compares the timeline with another engine (webmscore), by the onsets and pitches of all sounding notes.
 *
 * These differ on purpose and are removed from both before the strict comparison:
 * - ornaments and tremolos, which both play as several notes, at different speeds;
 * - arpeggios, which both spread at different speeds;
 * - grace notes, which both play on the beat with different durations;
 * - cue notes, which are silent in both; rests in their place keep the engine from importing them as
 * something else. With all of these, every difference must be in a measure that has one of them.
 *
 * Three of the 40 Lieder differ in other ways and have their own tests below. The other 37 agree in every
 * note.
 */
const exact = ['lc5015435', 'lc5071694', 'lc6249298', 'lc6834542', 'lc6878940', 'lc8707581']
const special = ['lc5054946', 'lc6218732', 'lc6245973']

const lieder = new URL('../../../../shared/corpus/lieder-mxl/', import.meta.url)

interface Comparison {
  readonly document: ScoreDocument
  readonly timeline: Timeline
  /** How often each onset and pitch, as `tick/key`, is only there. */
  readonly onlyInTimeline: ReadonlyMap<string, number>
  readonly onlyInEngine: ReadonlyMap<string, number>
  readonly notes: number
}

function isOrnamental({ name, children }: Element): boolean {
  return (
    name === 'ornaments' ||
    name === 'arpeggiate' ||
    (name === 'note' && children.some((one) => one.name === 'grace'))
  )
}

/** The score without the elements that are played differently on purpose. */
function plain({ root }: ScoreDocument): ScoreDocument {
  const strip = (element: Element): Element => {
    const children = element.children.filter((one) => !isOrnamental(one)).map(strip)
    const isCue = element.name === 'note' && children.some(({ name }) => name === 'cue')
    if (!isCue) return { ...element, children }
    const silent = children.filter(({ name }) => name !== 'cue' && name !== 'chord')
    return {
      ...element,
      children: silent.map((one) => (one.name === 'pitch' ? { ...one, name: 'rest', children: [] } : one)),
    }
  }
  return { root: strip(root) }
}

function compare(document: ScoreDocument, theirFile: Uint8Array): Comparison {
  const timeline = timelineOf(document, asWritten)
  const engineMidi = parseMidi(theirFile)
  // The grid is theirs, 480 ticks a quarter note.
  const ourTicks = (tick: number) => Math.round((tick * engineMidi.division) / timeline.ticksPerQuarter)
  const difference = new Map<string, number>()
  const count = (name: string, by: number) => difference.set(name, (difference.get(name) ?? 0) + by)
  const notes = timeline.parts.flatMap((part) => part.notes)
  for (const { startTick, key } of notes) count(`${ourTicks(startTick)}/${key}`, 1)
  for (const { start, key } of engineMidi.notes) count(`${start}/${key}`, -1)
  const entries = [...difference]
  return {
    document,
    timeline,
    onlyInTimeline: new Map(entries.filter(([, by]) => by > 0)),
    onlyInEngine: new Map(entries.filter(([, by]) => by < 0).map(([name, by]) => [name, -by])),
    notes: notes.length,
  }
}

/** The measures, as indices, in which something is only there. */
function measuresWith(
  differences: ReadonlyMap<string, number>,
  { measures, ticksPerQuarter }: Timeline,
): Set<number> {
  const indexes = new Set<number>()
  for (const name of differences.keys()) {
    const tick = (Number(name.split('/')[0]) * ticksPerQuarter) / 480
    indexes.add(measures.findLast(({ startTick }) => startTick <= tick)?.index ?? -1)
  }
  return indexes
}

function hasOrnament(element: Element): boolean {
  return isOrnamental(element) || element.children.some(hasOrnament)
}

function ornamentalMeasures(document: ScoreDocument): Set<number> {
  const indexes = new Set<number>()
  for (const part of partsOf(document)) {
    for (const [index, measure] of measuresOf(part).entries()) if (hasOrnament(measure)) indexes.add(index)
  }
  return indexes
}

const sum = (counts: ReadonlyMap<string, number>) =>
  counts.values().reduce((total, count) => total + count, 0)

describe.skipIf(!existsSync(lieder))('against webmscore (skipped without ../shared/corpus)', () => {
  let folder = ''
  const plainScores = new Map<string, Comparison>()
  const fullScores = new Map<string, Comparison>()

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'partita-engine-'))
    const cases: { name: string; path: string; document: ScoreDocument; results: Map<string, Comparison> }[] =
      []
    for (const name of [...exact, ...special]) {
      const full = readMusicXml(await readMxl(readFileSync(new URL(`${name}.mxl`, lieder))))
      cases.push({
        name,
        path: join(folder, `${name}.plain.xml`),
        document: plain(full),
        results: plainScores,
      })
      if (exact.includes(name)) {
        cases.push({ name, path: join(folder, `${name}.xml`), document: full, results: fullScores })
      }
    }
    for (const { path, document } of cases) writeFileSync(path, writeMusicXml(document))
    const script = new URL('../testing/webmscore-midi.child.ts', import.meta.url).pathname
    execFileSync(process.execPath, [script, ...cases.map(({ path }) => path)], { stdio: 'ignore' })
    for (const { name, path, document, results: into } of cases)
      into.set(name, compare(document, readFileSync(`${path}.mid`)))
  }, 120_000)

  afterAll(() => rmSync(folder, { recursive: true }))

  test.each(exact)('%s has the same notes at the same times', (name) => {
    const { onlyInTimeline, onlyInEngine, notes } = plainScores.get(name) as Comparison
    expect(notes).toBeGreaterThan(150)
    expect([...onlyInTimeline.keys(), ...onlyInEngine.keys()]).toEqual([])
  })

  test.each(exact)('%s unchanged differs only in ornaments, arpeggios or grace notes', (name) => {
    const { document, timeline, onlyInTimeline, onlyInEngine } = fullScores.get(name) as Comparison
    const differing = [...measuresWith(onlyInTimeline, timeline), ...measuresWith(onlyInEngine, timeline)]
    const explained = ornamentalMeasures(document)
    expect(differing.filter((index) => !explained.has(index))).toEqual([])
  })

  test('lc6245973: a tie without an end does not remove another note', () => {
    // The engine ties measure 24's D to the D of the next measure, six notes later.
    const { timeline, onlyInTimeline, onlyInEngine, notes } = plainScores.get('lc6245973') as Comparison
    expect([sum(onlyInTimeline), sum(onlyInEngine)]).toEqual([1, 0])
    expect(measuresWith(onlyInTimeline, timeline).size).toBe(1)
    expect(sum(onlyInTimeline) / notes).toBeLessThan(0.001)
  })

  test('lc6218732: notes that are tied into the second ending are not struck again', () => {
    // The engine strikes the three notes in the two parts that have them once more.
    const { timeline, onlyInTimeline, onlyInEngine } = plainScores.get('lc6218732') as Comparison
    expect([sum(onlyInTimeline), sum(onlyInEngine)]).toEqual([0, 6])
    expect(measuresWith(onlyInEngine, timeline).size).toBe(1)
  })

  test('lc5054946: a first ending before a third one is played twice', () => {
    // The bracket reads "1.u.2." and has number="1"; the engine plays it once.
    const { onlyInTimeline, onlyInEngine, notes, timeline } = plainScores.get('lc5054946') as Comparison
    expect(timeline.measures.filter(({ index }) => index === 15)).toHaveLength(2)
    expect(sum(onlyInEngine)).toBe(0)
    expect(sum(onlyInTimeline) / notes).toBeCloseTo(1 / 3, 1)
  })
})
