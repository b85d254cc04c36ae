import { readMxl } from '../src/music/formats/mxl/read.ts'
import { readMusicXml } from '../src/music/formats/musicxml/read.ts'
import { browserPath } from '../test/support/browser-program.ts'
import { type CorpusFile, corpusFiles, corpusMissing } from '../test/support/corpus.ts'
import { base64, musicXml } from '../test/support/scores.ts'
import { once } from '../src/lib/once.ts'
import { longScore } from './long-score.ts'
import { type PageBrowser, slow, startBrowser } from './page-browser.ts'
import { printLighthousePoints } from './lighthouse.ts'
import { type Partita, startPartita } from './servers.ts'

interface Budget {
  readonly what: string
  readonly unit: string
  readonly limit: number
  /** For what must be at least the limit. */
  readonly isLeast?: boolean
}

/** A measured page: what is measured, and the values of one run in the same order. */
interface Measured {
  readonly name: string
  readonly budgets: readonly Budget[]
  measure(): Promise<readonly number[]>
}

/** Bytes of MusicXML for a volume of about 97 pages. */
const volumeBytes = 9_900_000
const firstPage = '.sheet svg'
const scores = 'main li'

/**
 * Prints what a user of the browser app waits for, against the budgets of docs/web-budgets.md: the median of several runs and their range, in a
 * real Chromium and with a server in a process of its own.
 * @param only the start of the names of the measured pages; all without it
 */
export async function benchPages(repeats: number, only = ''): Promise<void> {
  if (!browserPath) return console.log('Pages: there is no Chromium, so not measured')
  const partita = await startPartita()
  const browser = await startBrowser(partita.url)
  try {
    const { engraved, pages: measured } = await pagesOf(partita, browser)
    const rows: Record<string, Record<string, string>> = {}
    for (const { name, budgets, measure } of measured.filter((one) => one.name.startsWith(only))) {
      const runs: (readonly number[])[] = []
      for (let run = 0; run < repeats; run++) {
        process.stderr.write(`\r${name}, run ${run + 1}\u001b[K`)
        runs.push(await measure())
      }
      for (const [index, budget] of budgets.entries())
        rows[`${name}: ${budget.what}`] = rowOf(
          budget,
          runs.map((values) => values[index] ?? Number.NaN),
        )
    }
    process.stderr.write('\n')
    console.log(`\nPages, the median of ${repeats} runs`)
    console.table(rows)
    if ('lighthouse'.startsWith(only)) {
      const pages = { start: '/', library: '/scores', score: `/scores/${engraved}` }
      const urls = Object.fromEntries(Object.entries(pages).map(([name, path]) => [name, partita.url + path]))
      await printLighthousePoints(urls, browser.cookie)
    }
  } finally {
    await browser.close()
    await partita.stop()
  }
}

function rowOf({ unit, limit, isLeast }: Budget, values: readonly number[]): Record<string, string> {
  const sorted = values.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const shown = (value: number | undefined) => `${Number(value?.toFixed(1))} ${unit}`
  const isKept = isLeast ? median >= limit : median <= limit
  return {
    measured: shown(median),
    range: `${shown(sorted[0])} – ${shown(sorted.at(-1))}`,
    budget: `${isLeast ? '≥' : '≤'} ${limit} ${unit}`,
    kept: isKept ? 'yes' : 'NO',
  }
}

const [jsBudget, paint, usable] = [
  { what: 'JavaScript, compressed', unit: 'kB', limit: 150 },
  { what: 'first paint of content', unit: 'ms', limit: 1000 },
  { what: 'usable', unit: 'ms', limit: 1800 },
]
const [fastPaint, fastUsable] = [
  { ...paint, limit: 150 },
  { ...usable, limit: 300 },
]
const firstPageBudget = { what: 'first page of music', unit: 'ms', limit: 1200 }

async function pagesOf(
  partita: Partita,
  browser: PageBrowser,
): Promise<{ engraved: string; pages: Measured[] }> {
  const add = async (data: string | Uint8Array, encoded = false): Promise<string> =>
    (await partita.post('/scores', encoded ? { data: base64(data), dataEncoding: 'base64' } : { data })).id
  const songs = corpusFiles('lieder-mxl').slice(0, 12)
  for (const { bytes } of songs) await add(bytes, true)
  const song = songs[0]?.bytes
  if (!song) console.log(`Pages: ${corpusMissing}, so a simple score is measured`)
  const newSong = () => (song ? add(song, true) : add(musicXml({ measures: Array(60).fill('C4 E4 G4 E4') })))
  const engraved = await newSong()
  const orchestra = await add(orchestraScore())
  // The server engraves the pages and makes the sound once.
  for (const id of [engraved, orchestra]) await browser.open(`/scores/${id}`, firstPage, {})

  const listed = (name: string, path: string): Measured[] => [
    {
      name: `${name}, slow`,
      budgets: [paint, usable, jsBudget],
      measure: () => browser.open(path, scores, slow),
    },
    {
      name: `${name}, fast`,
      budgets: [fastPaint, fastUsable],
      measure: () => browser.open(path, scores, {}),
    },
  ]
  const path = `/scores/${engraved}`
  const pages = [
    ...listed('home', '/'),
    ...listed('library', '/scores'),
    {
      name: 'score, slow',
      budgets: [paint, firstPageBudget, jsBudget],
      measure: () => browser.open(path, firstPage, slow),
    },
    {
      name: 'score, slow, second visit',
      budgets: [paint, firstPageBudget],
      measure: () => browser.open(path, firstPage, { ...slow, isSecondVisit: true }),
    },
    {
      name: 'score, slow, not engraved yet',
      budgets: [paint, { ...firstPageBudget, limit: 3000 }],
      measure: async () => browser.open(`/scores/${await newSong()}`, firstPage, slow),
    },
    {
      name: 'score, fast',
      budgets: [fastPaint, { ...firstPageBudget, limit: 250 }],
      measure: () => browser.open(path, firstPage, {}),
    },
    {
      name: 'player, 12 parts',
      budgets: [
        { what: 'frames', unit: '/s', limit: 58, isLeast: true },
        { what: 'longest frame', unit: 'ms', limit: 25 },
        { what: 'slowest click', unit: 'ms', limit: 200 },
      ],
      measure: () => browser.play(`/scores/${orchestra}`, {}),
    },
    {
      name: 'player, 12 parts, slow',
      budgets: [
        { what: 'frames', unit: '/s', limit: 30, isLeast: true },
        { what: 'longest frame', unit: 'ms', limit: 100 },
        { what: 'slowest click', unit: 'ms', limit: 200 },
      ],
      measure: () => browser.play(`/scores/${orchestra}`, { cpu: slow.cpu }),
    },
    ...(songs.length > 0 ? [volume(partita, browser, songs)] : []),
  ]
  return { engraved, pages }
}

function volume(partita: Partita, browser: PageBrowser, songs: readonly CorpusFile[]): Measured {
  const added = once(async () => {
    const documents = await Promise.all(songs.map(async ({ bytes }) => readMusicXml(await readMxl(bytes))))
    const data = base64(longScore(documents, volumeBytes))
    return (await partita.post('/scores', { data, dataEncoding: 'base64' })).id
  })
  return {
    name: 'volume, all pages seen',
    budgets: [
      { what: 'pages', unit: '', limit: 80, isLeast: true },
      { what: 'memory of scripts', unit: 'MB', limit: 100 },
      { what: 'memory of the process', unit: 'MB', limit: 250 },
    ],
    measure: async () => browser.memoryOf(`/scores/${await added()}`, firstPage),
  }
}

/** Twelve parts with four notes a measure, for a minute. */
function orchestraScore(): string {
  const parts = ['Flute', 'Oboe', 'Clarinet', 'Bassoon', 'Horn', 'Trumpet', 'Trombone', 'Tuba']
  const measures = Array.from({ length: 32 }, (_, index) => (index % 2 === 0 ? 'C4 D4 E4 F4' : 'G4 F4 E4 D4'))
  return musicXml({
    title: 'Orchestra',
    parts: [...parts, 'Violin', 'Viola', 'Violoncello', 'Contrabass'],
    measures,
  })
}
