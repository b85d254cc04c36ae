import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../errors.ts'
import { factsOf, type ScoreFacts } from './facts.ts'
import { findInstrumentByKey } from './instruments/table.ts'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { readMxl } from '../formats/mxl/read.ts'

const corpus = new URL('../../../../shared/corpus/', import.meta.url)
const noCorpus = !existsSync(corpus)
const skipped = 'SKIPPED: there are no scores at ../shared/corpus'

async function factsOfFile(path: string): Promise<ScoreFacts> {
  const bytes = readFileSync(new URL(path, corpus))
  return factsOf(readMusicXml(path.endsWith('.mxl') ? await readMxl(bytes) : bytes))
}

const song = ['vocals.voice-oohs', 'keyboards.piano']
const choir = ['vocals.soprano', 'vocals.alto', 'vocals.tenor', 'vocals.bass']

describe('facts of the OpenScore Lieder', () => {
  it.for<[file: string, facts: Partial<ScoreFacts>]>([
    [
      'lc6834542',
      {
        title: '5 Lieder und Gesänge',
        subtitle: 'Dein Angesicht',
        composer: 'Robert Schumann',
        lyricist: 'Heinrich Heine',
        instruments: song,
        mainTempoQpm: 50,
        mainKeySignature: -3,
      },
    ],
    ['lc6583477', { title: 'Just for Today', subtitle: undefined, mainTempoQpm: 92, mainKeySignature: -1 }],
    [
      'lc4999596',
      { title: 'L’anneau d’argent', composer: 'Cécile Chaminade', numberMeasures: 73, mainTempoQpm: 52 },
    ],
    // Seven tempos. The last one, 114, holds for 20 measures, the second longest for 17.
    ['lc5644074', { subtitle: 'Auf dem Meere', numberMeasures: 63, mainTempoQpm: 114, noteCount: 861 }],
    // 34 measures in one sharp, 18 in four.
    ['lc6010916', { subtitle: "L'opprimée", mainKeySignature: 1, noteCount: 1281 }],
    // 34 measures of 3/4 at 76 outlast 42 of 2/4 at 88; a voice that a bassoon plays.
    ['lc31421012', { instruments: song, mainTempoQpm: 76, mainKeySignature: -3, noteCount: 1393 }],
    ['lc5801791', { mainTempoQpm: 80, mainKeySignature: -4, noteCount: 346 }],
    // One cue note, which is not counted.
    ['lc6214846', { mainTempoQpm: 124, mainKeySignature: 5, noteCount: 667 }],
    // A lyricist and a poet.
    ['lc6447910', { title: 'Peterisms, Set 2', subtitle: 'Lusty Juventus', lyricist: 'Robert Wever' }],
    ['lc5015435', { subtitle: 'Die Wetterfahne', mainTempoQpm: undefined, mainKeySignature: 0 }],
    // A part named after a person.
    ['lc5093803', { instruments: song, lyricist: 'Johann Wolfgang von Goethe' }],
    ['lc5087917', { instruments: ['woodwinds.flute', 'keyboards.piano'], numberMeasures: 12 }],
    ['lc6878940', { instruments: ['vocals.voice-oohs', ...song], mainTempoQpm: 72, noteCount: 2873 }],
    ['lc6218732', { instruments: [...choir, 'keyboards.piano'], mainTempoQpm: 198 }],
    // The sounds are female and male voices; the names are more specific.
    ['lc8707581', { instruments: choir, mainTempoQpm: 120, numberMeasures: 55 }],
  ])('%s', async ([file, facts], ctx) => {
    if (noCorpus) ctx.skip(skipped)
    expect(await factsOfFile(`lieder-mxl/${file}.mxl`)).toMatchObject(facts)
  })

  it('are complete enough for a list of scores', async (ctx) => {
    if (noCorpus) ctx.skip(skipped)
    const files = readdirSync(new URL('lieder-mxl/', corpus))
    for (const file of files) {
      const facts = await factsOfFile(`lieder-mxl/${file}`)
      expect(facts.title, file).toBeDefined()
      expect(facts.composer, file).toBeDefined()
      expect(facts.mainKeySignature, file).toBeDefined()
      expect(facts.noteCount, file).toBeGreaterThan(100)
    }
    expect(files.length).toBeGreaterThanOrEqual(40)
  })
})

describe('facts of the MusicXML test suite', () => {
  it.for<[file: string, facts: Partial<ScoreFacts>]>([
    ['41c-StaffGroups.xml', { noteCount: 30, numberMeasures: 1, mainKeySignature: 0 }],
    [
      '72a-TransposingInstruments.xml',
      { instruments: ['brass.trumpet', 'brass.horn-in-e-flat', 'keyboards.piano'] },
    ],
    [
      '72c-TransposingInstruments-Change.xml',
      { instruments: ['woodwinds.clarinet-in-e-flat'], numberMeasures: 3 },
    ],
    [
      '73a-Percussion.xml',
      {
        instruments: [
          'pitched-percussion.timpani',
          'unpitched-percussion.cymbals',
          'unpitched-percussion.triangle',
        ],
        noteCount: 9,
      },
    ],
    ['43b-MultiStaff-DifferentKeys.xml', { mainKeySignature: 0 }],
    ['51b-Header-Quotes.xml', { composer: 'Some "Tester" Name' }],
    ['51d-EmptyTitle.xml', { composer: undefined }],
  ])('%s', async ([file, facts], ctx) => {
    if (noCorpus) ctx.skip(skipped)
    expect(await factsOfFile(`musicxml-suite/${file}`)).toMatchObject(facts)
  })

  it('have known instruments and valid keys for every file that can be read', async (ctx) => {
    if (noCorpus) ctx.skip(skipped)
    let readable = 0
    for (const file of readdirSync(new URL('musicxml-suite/', corpus))) {
      const facts = await factsOfFile(`musicxml-suite/${file}`).catch((error: unknown) => {
        if (error instanceof Failure) return undefined
        throw error
      })
      if (facts === undefined) continue
      readable++
      expect(
        facts.instruments.every((key) => findInstrumentByKey(key) !== undefined),
        file,
      ).toBe(true)
      expect(facts.numberMeasures, file).toBeGreaterThan(0)
      expect(Math.abs(facts.mainKeySignature ?? 0), file).toBeLessThanOrEqual(7)
    }
    expect(readable).toBeGreaterThanOrEqual(149)
  })
})
