import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RenderedFile } from '../engine-format.ts'
import { thumbnailOf } from './page-picture.ts'
import { serveJobs } from '../hosts/serve-jobs.ts'
import { type Breaks, breaksToKeep, type KeptBreaks, withoutBreaks } from './breaks.ts'
import type { ExtraFont } from './extra-fonts.ts'
import { withFasterFunctions } from './faster-engine.ts'
import { cutToMusic } from './one-line.ts'
import { type PartIds, withMeasureIds } from './measure-ids.ts'
import type { NoteColors } from './note-colors.ts'
import { withNoteIds } from './note-marks.ts'

/** A score to engrave: a complete MusicXML file that `writeMusicXml` wrote, its breaks, and the fonts that its letters need. */
export interface EngravableScore {
  readonly xml: Uint8Array
  readonly breaks: Breaks
  readonly fonts: readonly ExtraFont[]
  /** The first measures of a large score with breaks. They show at little cost whether the breaks fit. */
  readonly opening?: { readonly xml: Uint8Array; readonly breaks: Breaks }
}

/** A job of the engraving engine. */
export type EngravingJob =
  | ({
      to: 'svg'
      page: number
      parts: readonly PartIds[]
      colors: NoteColors
      /** The page is cut to its music. */
      isCut: boolean
    } & EngravableScore)
  | ({ to: 'pdf' } & EngravableScore)
  | ({ to: 'thumbnail' } & EngravableScore)

// If `fetch` exists, webmscore assumes a browser and loads its files from the web.
Reflect.deleteProperty(globalThis, 'fetch')
// webmscore assigns `navigator`, which only has a getter.
Object.defineProperty(globalThis, 'navigator', { value: {}, writable: true })
interface Assembly {
  instantiate(module: Uint8Array, imports: object): Promise<unknown>
}
const wasm = Reflect.get(globalThis, 'WebAssembly') as unknown as Assembly
const { instantiate } = wasm
wasm.instantiate = (module, imports) => instantiate(withFasterFunctions(module), imports)
const { default: WebMscore } = await import('webmscore')
await WebMscore.ready
wasm.instantiate = instantiate

type Score = Awaited<ReturnType<typeof WebMscore.load>>

serveJobs<EngravingJob>(render)

// A loaded score is never destroyed: webmscore would free it twice, and a later score would crash. The pool
// replaces the process instead.

async function render(job: EngravingJob): Promise<RenderedFile> {
  const score = await engrave(job)
  if (job.to === 'svg') return svgPage(score, job)
  if (job.to === 'pdf') return { file: await score.savePdf(), isFilled: true, pages: await score.npages() }
  const { png, filled } = thumbnailOf(await score.saveSvg(0, false))
  return { file: png, isFilled: filled }
}

const require = createRequire(import.meta.url)
const fontPaths: Readonly<Record<ExtraFont, string>> = require('@librescore/fonts')
const loadedFonts = new Set<ExtraFont>()

/** The files of fonts that the engine does not have yet. It keeps them for later scores. */
function filesOf(fonts: readonly ExtraFont[]): Uint8Array[] {
  const missing = fonts.filter((font) => !loadedFonts.has(font))
  return missing.map((font) => {
    loadedFonts.add(font)
    return readFileSync(fontPaths[font])
  })
}

/** Bytes of XML, about 50 pages. To set a larger score twice can exceed the time limit. */
const largestSetTwice = 5_000_000

/**
 * Sets a score with the breaks of the file, and again without those that do not fit. A large score is set once: its opening
 * tells which breaks fit.
 */
async function engrave({ xml, breaks, fonts, opening }: EngravableScore): Promise<Score> {
  const files = filesOf(fonts)
  const early = opening && (await keptInOpening(opening, files))
  if (early && early !== 'all') return WebMscore.load('musicxml', changed(xml, early))
  const score = await WebMscore.load('musicxml', xml, opening ? [] : files)
  if (breaks.systems.length === 0 || xml.length > largestSetTwice) return score
  const { elements } = await score.measurePositions()
  const kept = breaksToKeep(breaks, elements)
  if (kept === 'all') return score
  return WebMscore.load('musicxml', changed(xml, kept))
}

const changed = (xml: Uint8Array, kept: Exclude<KeptBreaks, 'all'>): Uint8Array =>
  new TextEncoder().encode(withoutBreaks(new TextDecoder().decode(xml), kept))

/** The breaks to keep in an opening. The engine may break on the place where the score is cut, and only there. */
async function keptInOpening(
  { xml, breaks }: NonNullable<EngravableScore['opening']>,
  files: Uint8Array[],
): Promise<KeptBreaks> {
  try {
    const { elements } = await (await WebMscore.load('musicxml', xml, files)).measurePositions()
    return breaksToKeep(breaks, elements)
  } catch {
    return 'all'
  }
}

async function svgPage(
  score: Score,
  {
    page,
    parts,
    colors,
    isCut,
  }: Pick<Extract<EngravingJob, { to: 'svg' }>, 'page' | 'parts' | 'colors' | 'isCut'>,
): Promise<RenderedFile> {
  const pages = await score.npages()
  if (page < 1 || page > pages) return { file: undefined, isFilled: true, pages }
  const svg = await score.saveSvg(page - 1, true)
  const { elements } = await score.measurePositions()
  const cut = isCut ? cutToMusic(svg, elements) : svg
  const marked = withMeasureIds(withNoteIds(asPrinted(cut), parts, colors), page - 1, elements, parts)
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
