import {
  completeImport,
  type MidiRemainder,
  prepareMidi,
  withoutLayout,
} from '../../music/formats/midi/import.ts'
import { readMusicXml } from '../../music/formats/musicxml/read.ts'
import { writeMusicXml } from '../../music/formats/musicxml/write.ts'
import { measuresOf, partsOf, type ScoreDocument } from '../../music/model/document.ts'
import { type EngineImport, serverFormat } from '../engine-format.ts'
import { type Breaks, breaksOf } from './breaks.ts'
import { partIdsOf } from './measure-ids.ts'
import { prepareForEngraving, measuresInView, openingOf } from './engraving.ts'

export const midiImport = {
  engine: 'webmscore',
  from: 'midi',
  prepare(bytes) {
    const { midi, remainder } = prepareMidi(bytes)
    return { file: midi, remainder }
  },
  complete: (xml: string, remainder: MidiRemainder) =>
    completeImport(readMusicXml(new TextEncoder().encode(withoutLayout(xml))), remainder),
  failure: {
    code: 'INVALID_MIDI',
    tooLarge: 'The MIDI file has too many notes for one score.',
    unreadable: 'The MIDI file cannot be made into notation.',
  },
} as const satisfies EngineImport

/** One page. */
export const svg = serverFormat({
  title: 'SVG',
  export: {
    name: 'svg',
    mediaType: 'image/svg+xml',
    extension: 'svg',
    write: {
      engine: 'webmscore',
      load: { weight: 3, timeLimit: 30_000, isShort: true },
      prepare: (document, { page }) => ({
        job: { to: 'svg', ...engravable(document), page, parts: partIdsOf(document) },
        isLast: true,
      }),
    },
  },
})

export const pdf = serverFormat({
  title: 'PDF',
  export: {
    name: 'pdf',
    mediaType: 'application/pdf',
    extension: 'pdf',
    write: {
      engine: 'webmscore',
      load: { weight: 5, timeLimit: 30_000 },
      prepare: (document) => ({ job: { to: 'pdf', ...engravable(document) }, isLast: true }),
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

function engravable(document: ScoreDocument): { xml: Uint8Array; breaks: Breaks } {
  const xml = new TextEncoder().encode(writeMusicXml(prepareForEngraving(document)))
  return { xml, breaks: breaksOf(document) }
}
