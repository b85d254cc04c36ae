import { randomUUID } from 'node:crypto'
import { progressBar } from '../src/commands/progress-bar.ts'
import type { ExportFormat } from '../src/engines/formats.ts'
import { createNotation } from '../src/engines/notation.ts'
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

/** Milliseconds of each run, by stage. */
type Times = Map<string, number[]>

/**
 * Prints how long each stage of import and export takes for the songs of the corpus: CPU time of this process
 * for our own code, wall time for threads and engines.
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

  const engineTimes: Times = new Map()
  const mp3Speed = await engineStages(songs, engineTimes)
  print(`\nThrough threads and engines, warm: wall time in milliseconds`, engineTimes)
  console.log(`MP3: ${mp3Speed.toFixed(0)} × real time`)
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

/** @returns seconds of music per second of MP3 export */
async function engineStages(songs: readonly Uint8Array[], times: Times): Promise<number> {
  const notation = createNotation({ processes: 1 })
  const waiters = { callers: ['bench'] }
  const formats: ExportFormat[] = ['midi', 'thumbnail.png', 'svg', 'pdf', 'mp3']
  const bar = progressBar('Engines', songs.length, {})
  let played = 0
  let rendering = 0
  try {
    await notation.warm()
    for (const [index, song] of songs.entries()) {
      const { json, durationTime } = await measureTime(times, 'import', index, () =>
        notation.read({ bytes: song }, waiters),
      )
      for (const format of formats) {
        const before = performance.now()
        await measureTime(times, format, index, () => notation.write({ json }, format, waiters))
        if (format === 'mp3' && index > 0) {
          rendering += performance.now() - before
          played += durationTime
        }
      }
      bar.step()
    }
  } finally {
    bar.stop()
    await notation.close()
  }
  return (played * 1000) / rendering
}

/** Measures one run of a stage. The run for the first song is a warm-up and does not count. */
async function measureTime<Result>(
  times: Times,
  stage: string,
  index: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = performance.now()
  const result = await work()
  if (index > 0) record(times, stage, performance.now() - before)
  return result
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
