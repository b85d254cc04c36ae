import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contentUrl } from '../lib/content.ts'
import { partsOf } from '../music/model/document.ts'
import { factsOf, type ScoreFacts } from '../music/model/facts.ts'
import { readMusicXml } from '../music/formats/musicxml/read.ts'
import { orderFaults } from '../music/testing/schema-order.ts'
import { voiceFaults } from '../music/testing/voices.ts'

interface Piece {
  /** Quarter notes that fill a measure. */
  quarters: number
  facts: Partial<ScoreFacts>
}

const pieces: Record<string, Piece> = {
  'clap-and-tap.musicxml': {
    quarters: 4,
    facts: {
      title: 'Clap and Tap',
      instruments: [
        'unpitched-percussion.hand-clap',
        'unpitched-percussion.wood-block',
        'unpitched-percussion.bass-drum',
      ],
      numberMeasures: 16,
      mainTempoQpm: 92,
      mainKeySignature: undefined,
    },
  },
  'lamp-in-the-window.musicxml': {
    quarters: 3,
    facts: {
      title: 'The Lamp in the Window',
      lyricist: 'Partita',
      instruments: ['vocals.voice-oohs', 'keyboards.piano'],
      numberMeasures: 24,
      mainTempoQpm: 92,
      mainKeySignature: -1,
    },
  },
  'mill-wheel-round.musicxml': {
    quarters: 4,
    facts: {
      title: 'The Mill Wheel',
      subtitle: 'A round for three strings',
      instruments: ['strings.violin', 'strings.viola', 'strings.cello'],
      numberMeasures: 20,
      mainTempoQpm: 100,
      mainKeySignature: -1,
    },
  },
  'morning-walk.musicxml': {
    quarters: 4,
    facts: {
      title: 'Morning Walk',
      instruments: ['keyboards.piano'],
      numberMeasures: 24,
      mainTempoQpm: 108,
      mainKeySignature: 1,
    },
  },
}

describe('the scores of the demo', () => {
  it('are the ones that are checked here', () => {
    const files = readdirSync(contentUrl('demo/')).filter((file) => file.endsWith('.musicxml'))
    expect(files.sort()).toEqual(Object.keys(pieces))
  })

  it.each(Object.entries(pieces))(
    '%s is valid MusicXML with title and composer',
    (file, { quarters, facts }) => {
      const document = readMusicXml(readFileSync(contentUrl(`demo/${file}`)))
      expect(orderFaults(document)).toEqual([])
      for (const part of partsOf(document)) expect(voiceFaults(part, quarters)).toEqual([])
      expect(factsOf(document)).toMatchObject({ composer: 'Partita', ...facts })
    },
  )
})
