import type { RenderedFile } from '../engine-format.ts'
import { thumbnailOf } from './page-picture.ts'
import { serveJobs } from '../hosts/serve-jobs.ts'
import { type Breaks, breaksToKeep, withoutBreaks } from './breaks.ts'
import { type PartIds, withMeasureIds } from './measure-ids.ts'

/** A score to engrave: a complete MusicXML file that `writeMusicXml` wrote, and its breaks. */
interface EngravableScore {
  readonly xml: Uint8Array
  readonly breaks: Breaks
}

/** A job of the engraving engine. */
export type EngravingJob =
  | ({ to: 'svg'; page: number; parts: readonly PartIds[] } & EngravableScore)
  | ({ to: 'pdf' } & EngravableScore)
  | ({ to: 'thumbnail' } & EngravableScore)
  /** The import of another format. */
  | { to: 'musicxml'; from: 'midi'; file: Uint8Array }

// If `fetch` exists, webmscore assumes a browser and loads its files from the web.
Reflect.deleteProperty(globalThis, 'fetch')
// webmscore assigns `navigator`, which only has a getter.
Object.defineProperty(globalThis, 'navigator', { value: {}, writable: true })
const { default: WebMscore } = await import('webmscore')
await WebMscore.ready

type Score = Awaited<ReturnType<typeof WebMscore.load>>

serveJobs<EngravingJob>((job) => (job.to === 'musicxml' ? musicXmlOf(job) : render(job)))

// A loaded score is never destroyed: webmscore would free it twice, and a later score would crash. The pool
// replaces the process instead.

async function musicXmlOf({ from, file }: Extract<EngravingJob, { to: 'musicxml' }>): Promise<string> {
  return (await WebMscore.load(from, file, [], false)).saveXml()
}

async function render(job: Exclude<EngravingJob, { to: 'musicxml' }>): Promise<RenderedFile> {
  const score = await engrave(job)
  if (job.to === 'svg') return svgPage(score, job)
  if (job.to === 'pdf') return { file: await score.savePdf(), isFilled: true }
  const { png, filled } = thumbnailOf(await score.saveSvg(0, false))
  return { file: png, isFilled: filled }
}

/** Bytes of XML, about 50 pages. To set a larger score twice can exceed the time limit. */
const largestSetTwice = 5_000_000

/** Sets a score with the breaks of the file, and again without those that do not fit unless the score is very large. */
async function engrave({ xml, breaks }: EngravableScore): Promise<Score> {
  const score = await WebMscore.load('musicxml', xml)
  if (breaks.systems.length === 0 || xml.length > largestSetTwice) return score
  const { elements } = await score.measurePositions()
  const kept = breaksToKeep(breaks, elements)
  if (kept === 'all') return score
  const changed = withoutBreaks(new TextDecoder().decode(xml), kept)
  return WebMscore.load('musicxml', new TextEncoder().encode(changed))
}

async function svgPage(
  score: Score,
  { page, parts }: Pick<Extract<EngravingJob, { to: 'svg' }>, 'page' | 'parts'>,
): Promise<RenderedFile> {
  const pages = await score.npages()
  if (page < 1 || page > pages) return { file: undefined, isFilled: true, pages }
  const svg = await score.saveSvg(page - 1, true)
  const { elements } = await score.measurePositions()
  const marked = withMeasureIds(asPrinted(svg), page - 1, elements, parts)
  return { file: new TextEncoder().encode(marked), isFilled: true, pages }
}

/**
 * Gives the page its real size (the engine draws 360 units per inch) and removes the random name that the
 * engine gives to a file.
 */
function asPrinted(svg: string): string {
  const inches = (units: string) => `${Number(units) / 360}in`
  return svg
    .replace(
      / width="([\d.]+)px" height="([\d.]+)px"/,
      (_, w, h) => ` width="${inches(w)}" height="${inches(h)}"`,
    )
    .replace(/<title>[^<]*<\/title>\s*/, '')
}
