import { randomUUID } from 'node:crypto'
import { factsOf } from '../src/music/model/facts.ts'
import { readJson } from '../src/music/formats/json/read.ts'
import { writeJson } from '../src/music/formats/json/write.ts'
import { writeMidi } from '../src/music/formats/midi/write.ts'
import { readMusicXml } from '../src/music/formats/musicxml/read.ts'
import { writeMusicXml } from '../src/music/formats/musicxml/write.ts'
import { readMxl } from '../src/music/formats/mxl/read.ts'
import { writeMxl } from '../src/music/formats/mxl/write.ts'
import { timelineOf } from '../src/music/timeline/timeline.ts'
import { identify } from '../src/music/model/uuids.ts'
import { corpusFiles, corpusMissing } from '../test/support/corpus.ts'
import { benchEngines } from './engine-stages.ts'

/** Milliseconds of each run, by stage. */
type Times = Map<string, number[]>

/**
 * Prints how long each stage of import and export takes: for the songs of the corpus the CPU time of our own code, and for longer
 * scores the times and the memory of threads and engines.
 */
export async function benchStages(): Promise<void> {
  const songs = corpusFiles('lieder-mxl').map(({ bytes }) => bytes)
  if (songs.length === 0) {
    console.log(`Stages: ${corpusMissing}, so not measured`)
    return
  }

  const ownTimes: Times = new Map()
  // The first pass is a warm-up and does not count.
  for (const song of songs) await ownStages(song, new Map())
  for (const song of songs) await ownStages(song, ownTimes)
  print(`\nOur own code, ${songs.length} songs: CPU in milliseconds`, ownTimes)

  await benchEngines(songs)
}

async function ownStages(mxl: Uint8Array, times: Times): Promise<void> {
  const measure = async <Result>(stage: string, work: () => Result | Promise<Result>) => {
    const before = process.cpuUsage()
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    record(times, stage, (user + system) / 1000)
    return result
  }
  const started = process.cpuUsage()
  const bytes = await measure('import: unpack', () => readMxl(mxl))
  const document = await measure('import: read MusicXML', () => readMusicXml(bytes))
  await measure('import: assign uuids', () => identify(document, randomUUID))
  await measure('import: facts', () => factsOf(document))
  const timeline = await measure('import: timeline', () => timelineOf(document))
  const json = await measure('import: write JSON', () => writeJson(document))
  const { user, system } = process.cpuUsage(started)
  record(times, 'import: total', (user + system) / 1000)

  await measure('export: read JSON', () => readJson(json))
  await measure('export: write MIDI', () => writeMidi(timeline))
  await measure('export: MIDI in total', () => writeMidi(timelineOf(readJson(json))))
  const xml = await measure('export: write MusicXML', () => writeMusicXml(document))
  await measure('export: pack', () => writeMxl(xml))
}

function record(times: Times, stage: string, milliseconds: number): void {
  const recorded = times.get(stage)
  if (recorded) recorded.push(milliseconds)
  else times.set(stage, [milliseconds])
}

function print(title: string, times: Times): void {
  console.log(title)
  console.table(
    Object.fromEntries(
      [...times].map(([stage, values]) => {
        const sorted = values.sort((a, b) => a - b)
        const quantile = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
        return [stage, { median: quantile(0.5), p90: quantile(0.9), max: quantile(1) }]
      }),
    ),
  )
}
