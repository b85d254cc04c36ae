import type { RenderedFile } from '../engine-format.ts'
import { thumbnailOf } from './page-picture.ts'
import { serveJobs } from '../hosts/serve-jobs.ts'

/** A job of the engraving engine. `xml` is a complete MusicXML file that our own reader has accepted. */
export type EngravingJob =
  | { to: 'svg'; xml: Uint8Array; page: number }
  | { to: 'pdf'; xml: Uint8Array }
  | { to: 'thumbnail'; xml: Uint8Array }
  /** The import of another format. */
  | { to: 'musicxml'; from: 'midi'; file: Uint8Array }

// If `fetch` exists, webmscore assumes a browser and loads its files from the web.
Reflect.deleteProperty(globalThis, 'fetch')
// webmscore assigns `navigator`, which only has a getter.
Object.defineProperty(globalThis, 'navigator', { value: {}, writable: true })
const { default: WebMscore } = await import('webmscore')
await WebMscore.ready

serveJobs<EngravingJob>((job) => (job.to === 'musicxml' ? musicXmlOf(job) : render(job)))

// A loaded score is never destroyed: webmscore would free it twice, and a later score would crash. The pool
// replaces the process instead.

async function musicXmlOf({ from, file }: Extract<EngravingJob, { to: 'musicxml' }>): Promise<string> {
  return (await WebMscore.load(from, file, [], false)).saveXml()
}

async function render(job: Exclude<EngravingJob, { to: 'musicxml' }>): Promise<RenderedFile> {
  if (job.to === 'svg') return svgPage(job.xml, job.page)
  const score = await WebMscore.load('musicxml', job.xml)
  if (job.to === 'pdf') return { file: await score.savePdf(), isFilled: true }
  const { png, filled } = thumbnailOf(await score.saveSvg(0, false))
  return { file: png, isFilled: filled }
}

async function svgPage(xml: Uint8Array, page: number): Promise<RenderedFile> {
  const score = await WebMscore.load('musicxml', xml)
  const pages = await score.npages()
  const exists = page >= 1 && page <= pages
  const file = exists ? new TextEncoder().encode(asPrinted(await score.saveSvg(page - 1, true))) : undefined
  return { file, isFilled: true, pages }
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
