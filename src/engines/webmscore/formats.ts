import { writeMusicXml } from '../../music/formats/musicxml/write.ts'
import { measuresOf, partsOf, type ScoreDocument } from '../../music/model/document.ts'
import { serverFormat } from '../engine-format.ts'
import { breaksOf } from './breaks.ts'
import { extraFontsFor } from './extra-fonts.ts'
import { partIdsOf } from './measure-ids.ts'
import { withNoteColors } from './note-colors.ts'
import { prepareForEngraving, measuresInView, openingOf } from './engraving.ts'
import type { PageSetup } from './page-setup.ts'
import { engraverVersion } from './version.ts'
import type { EngravableScore } from './webmscore.child.ts'

/** One page. */
export const svg = serverFormat({
  title: 'SVG',
  export: {
    name: 'svg',
    mediaType: 'image/svg+xml',
    extension: 'svg',
    version: engraverVersion,
    write: {
      engine: 'webmscore',
      load: { weight: 3, timeLimit: 30_000, isShort: true },
      prepare(document, { page, setup }) {
        const { document: colored, colors } = withNoteColors(document)
        const parts = partIdsOf(document)
        const isCut = setup?.layout === 'line'
        return { job: { to: 'svg', ...engravable(colored, setup), page, parts, colors, isCut }, isLast: true }
      },
    },
  },
})

/** The time limit of a small PDF, in milliseconds. */
const pdfTime = 30_000
/** The milliseconds more for each byte of XML: a page has about 100 kB, and takes 0.1 s on an idle machine. */
const timePerByte = 5 / 1000
const maxMoreTime = 120_000

export const pdf = serverFormat({
  title: 'PDF',
  export: {
    name: 'pdf',
    mediaType: 'application/pdf',
    extension: 'pdf',
    version: engraverVersion,
    write: {
      engine: 'webmscore',
      load: { weight: 5, timeLimit: pdfTime },
      prepare(document, { setup }) {
        const score = engravable(document, setup)
        const more = Math.min(score.xml.length * timePerByte, maxMoreTime)
        return { job: { to: 'pdf', ...score }, isLast: true, timeLimit: pdfTime + more }
      },
    },
  },
})

/**
 * The upper part of the first page. The engine gets only the opening, which takes it a fraction of the time. Each attempt
 * doubles the opening; the first one nearly always fills the picture.
 */
export const thumbnail = serverFormat({
  title: 'thumbnail',
  export: {
    name: 'thumbnail.png',
    mediaType: 'image/png',
    extension: 'png',
    version: engraverVersion,
    write: {
      engine: 'webmscore',
      load: { weight: 1, timeLimit: 10_000, isShort: true },
      prepare(document, { attempt }) {
        const measures = measuresInView(document) * 2 ** attempt
        const isLast = partsOf(document).every((part) => measuresOf(part).length <= measures)
        return { job: { to: 'thumbnail', ...engravable(openingOf(document, measures)) }, isLast }
      },
    },
  },
})

/** Characters of XML, about ten pages. */
const largeScore = 1_000_000
/** Enough for several systems, and a small part of a large score. */
const measuresOfOpening = 64

function engravable(document: ScoreDocument, setup?: PageSetup): EngravableScore {
  const prepared = prepareForEngraving(document, setup)
  const xml = writeMusicXml(prepared)
  const breaks = breaksOf(prepared)
  const score = { xml: new TextEncoder().encode(xml), breaks, fonts: extraFontsFor(xml) }
  if (xml.length < largeScore || breaks.systems.length === 0) return score
  const opening = prepareForEngraving(openingOf(document, measuresOfOpening), setup)
  return {
    ...score,
    opening: { xml: new TextEncoder().encode(writeMusicXml(opening)), breaks: breaksOf(opening) },
  }
}
