import { fail } from '../errors.ts'
import { type Thumbnail, thumbnailOf } from './page-picture.ts'
import { serveJobs } from './serve-jobs.ts'

/** What the engraving engine does. `xml` is a whole MusicXML file that our own reader has accepted. */
export type EngravingJob =
  | { to: 'svg'; xml: Uint8Array; page: number }
  | { to: 'pdf'; xml: Uint8Array }
  | { to: 'thumbnail'; xml: Uint8Array }
  | { to: 'musicxml'; midi: Uint8Array }

export interface EngravingAnswers {
  svg: Uint8Array
  pdf: Uint8Array
  thumbnail: Thumbnail
  musicxml: string
}

// webmscore takes fetch for a sign of a browser and then looks for its files on the web.
Reflect.deleteProperty(globalThis, 'fetch')
// It also writes to `navigator`, which only has a getter.
Object.defineProperty(globalThis, 'navigator', { value: {}, writable: true })
const { default: WebMscore } = await import('webmscore')
await WebMscore.ready

serveJobs<EngravingJob>(async (job) => {
  // A loaded score is never destroyed: that frees it twice, and a later score dies of it. The pool recycles instead.
  switch (job.to) {
    case 'svg':
      return svgPage(job.xml, job.page)
    case 'pdf':
      return (await WebMscore.load('musicxml', job.xml)).savePdf()
    case 'thumbnail':
      return thumbnailOf(await (await WebMscore.load('musicxml', job.xml)).saveSvg(0, false))
    case 'musicxml':
      return (await WebMscore.load('midi', job.midi, [], false)).saveXml()
  }
})

async function svgPage(xml: Uint8Array, page: number): Promise<Uint8Array> {
  const score = await WebMscore.load('musicxml', xml)
  const pages = await score.npages()
  if (!(page >= 1 && page <= pages)) {
    fail('INVALID_PARAMETER', { param: 'page', message: `The score has ${pages} pages; there is no page ${page}.` })
  }
  return new TextEncoder().encode(asPrinted(await score.saveSvg(page - 1, true)))
}

/** The page in its real size (the engine draws 360 units an inch), and without the random name that it gives a file. */
function asPrinted(svg: string): string {
  const inches = (units: string) => `${Number(units) / 360}in`
  return svg
    .replace(/ width="([\d.]+)px" height="([\d.]+)px"/, (_, w, h) => ` width="${inches(w)}" height="${inches(h)}"`)
    .replace(/<title>[^<]*<\/title>\s*/, '')
}
