import { describe, expect, it } from 'vitest'
import { scorePartOf } from '../builder/part.ts'
import type { Element } from '../document.ts'
import { leaf, node } from '../element.ts'
import { recognizeInstrument } from './recognition.ts'
import { instrumentKey, instruments } from './table.ts'

interface Described {
  name?: string
  abbreviation?: string
  instrumentName?: string
  sound?: string
  program?: number
  channel?: number
}

function scorePart(described: Described): Element {
  const { name = '', abbreviation, instrumentName: played = 'x', sound, program, channel } = described
  const children = [leaf('part-name', name)]
  if (abbreviation !== undefined) children.push(leaf('part-abbreviation', abbreviation))
  const instrument = [leaf('instrument-name', played)]
  if (sound !== undefined) instrument.push(leaf('instrument-sound', sound))
  children.push(node('score-instrument', instrument, { id: 'P1-I1' }))
  const midi: Element[] = []
  if (channel !== undefined) midi.push(leaf('midi-channel', channel))
  if (program !== undefined) midi.push(leaf('midi-program', program))
  children.push(node('midi-instrument', midi, { id: 'P1-I1' }))
  return node('score-part', children, { id: 'P1' })
}

/** @param semitones the transposition that the part begins with */
function recognized(described: Described, semitones?: number): string {
  const transpose = semitones === undefined ? undefined : node('transpose', [leaf('chromatic', semitones)])
  return instrumentKey(recognizeInstrument(scorePart(described), transpose))
}

describe('recognizing the instrument of a part', () => {
  it('recognizes every instrument in the score part that the builder writes for it', () => {
    const mistaken = instruments.filter((instrument) => {
      const [longName, shortName] = instrument.names.en
      const channel = instrument.drums === undefined ? 1 : 10
      const part = scorePartOf({ id: 'P1', instrument, longName, shortName, channel, tablature: false })
      return recognizeInstrument(part) !== instrument
    })
    expect(mistaken.map(instrumentKey)).toEqual([])
  })

  it('recognizes the first instrument of every sound if the part is named after a person', () => {
    const firstOf = new Map<string, string>()
    for (const instrument of instruments) {
      for (const sound of [instrument.sound, ...(instrument.otherSounds ?? [])])
        if (!firstOf.has(sound)) firstOf.set(sound, instrumentKey(instrument))
    }
    const mistaken = [...firstOf].filter(([sound, key]) => recognized({ name: 'Mignon', sound }) !== key)
    expect(mistaken).toEqual([])
  })

  it('recognizes every instrument by each of its long names and the sound', () => {
    const mistaken = instruments.flatMap((instrument) =>
      Object.values(instrument.names).flatMap(([name]) => {
        const key = recognized({ name, sound: instrument.sound, ...(instrument.drums && { channel: 10 }) })
        return key === instrumentKey(instrument) ? [] : `${name}: ${key}`
      }),
    )
    expect(mistaken).toEqual([])
  })

  it.each([
    ['Klavier', 'keyboards.piano'],
    ['PIANOFORTE', 'keyboards.piano'],
    ['Singstimme', 'vocals.voice-oohs'],
    ['Voix', 'vocals.voice-oohs'],
    ['Vl.', 'strings.violin'],
    ['Violin II', 'strings.violin'],
    ['1. Violine', 'strings.violin'],
    ['Violins', 'strings.violin'],
    ['Flûte (Solo)', 'woodwinds.flute'],
    ['2 Flöten', 'woodwinds.flute'],
    ['Clarinet in E♭', 'woodwinds.clarinet-in-e-flat'],
    ['Clarinet 2 in A', 'woodwinds.clarinet-in-a'],
    ['2. Klarinette (A)', 'woodwinds.clarinet-in-a'],
    ['A Clarinet', 'woodwinds.clarinet-in-a'],
    ['Klarinette in Es', 'woodwinds.clarinet-in-e-flat'],
    ['1st Bb Clarinets', 'woodwinds.clarinet'],
    ['Clarinette en Sib', 'woodwinds.clarinet'],
    ['Clarinet\nin B-flat', 'woodwinds.clarinet'],
    ['Klar. 1 in B', 'woodwinds.clarinet'],
    ['Bass Clarinet in Bb', 'woodwinds.bass-clarinet'],
    ['B-flat Tenor Sax', 'woodwinds.tenor-saxophone'],
    ['Saxofón tenor en si bemol', 'woodwinds.tenor-saxophone'],
    ['Saxophone in B♭', 'woodwinds.tenor-saxophone'],
    ['Trumpet in C 2', 'brass.trumpet-in-c'],
    ['Trompette en sib', 'brass.trumpet'],
    ['Trompette en si bémol 1', 'brass.trumpet'],
    ['Tromba I in Do', 'brass.trumpet-in-c'],
    ['Hörner in F', 'brass.horn'],
    ['Horn in F 3', 'brass.horn'],
    ['Corni 1 e 2 in Es', 'brass.horn-in-e-flat'],
    ['Hörner 3/4', 'brass.horn'],
    ['Naturhorn in D', 'brass.horn-in-d'],
    ['1. Geige', 'strings.violin'],
    ['Erste Violine', 'strings.violin'],
    ['Violino secondo', 'strings.violin'],
    ['Premier violon', 'strings.violin'],
    ['Violín II', 'strings.violin'],
    ['Solo-Violine', 'strings.violin'],
    ['Violin I & II', 'strings.violin'],
    ['Violoncelli e Contrabassi', 'strings.cello'],
    ['Flute/Piccolo', 'woodwinds.flute'],
    ['Soloklarinette', 'woodwinds.clarinet'],
    ['Zweiter Bass', 'vocals.bass'],
    ['Jesus (Bass)', 'vocals.bass'],
    ['Große Trommel', 'unpitched-percussion.bass-drum'],
    ['Pauken in C und G', 'pitched-percussion.timpani'],
    ['Caisse claire', 'unpitched-percussion.snare-drum'],
    ['Batería', 'unpitched-percussion.drumset-rock'],
    ['Altblockflöte 1', 'woodwinds.alto-recorder'],
    ['Bb Bass', 'brass.b-flat-bass'],
    ['Wagnertuba in F', 'brass.bass-wagner-tuba'],
    ['Wagner Tuba 2', 'brass.wagner-tuba'],
    ['Dulcian', 'woodwinds.dulcian'],
  ])('reads the name %s as %s', (name, key) => {
    expect(recognized({ name })).toBe(key)
  })

  it('prefers the printed name to the sound and the program for playback', () => {
    expect(recognized({ name: 'Voice', sound: 'wind.reed.bassoon', program: 71 })).toBe('vocals.voice-oohs')
    expect(recognized({ name: 'Violoncello', sound: 'keyboard.piano', program: 1 })).toBe('strings.cello')
    expect(
      recognized({ name: 'Violoncello', abbreviation: 'Pno.', instrumentName: 'Piano', program: 1 }),
    ).toBe('strings.cello')
  })

  it('chooses between instruments with the same name by key, sound, and program, then by the order of the table', () => {
    expect(recognized({ name: 'Alto', sound: 'strings.viola' })).toBe('strings.viola')
    expect(recognized({ name: 'Alto', program: 66 })).toBe('woodwinds.alto-saxophone')
    expect(recognized({ name: 'Soprano', sound: 'voice.female' })).toBe('vocals.soprano')
    expect(recognized({ name: 'Bass', program: 34 })).toBe('plucked-strings.bass-guitar')
    expect(recognized({ name: 'Bass' })).toBe('vocals.bass')
    expect(recognized({ name: 'Guitar', sound: 'pluck.guitar.electric' })).toBe(
      'plucked-strings.electric-guitar',
    )
    expect(recognized({ name: 'Guitar 1', program: 31 })).toBe('plucked-strings.electric-guitar')
    expect(recognized({ name: 'Clarinet', sound: 'wind.reed.clarinet.eflat' })).toBe(
      'woodwinds.clarinet-in-e-flat',
    )
    expect(recognized({ name: 'Clarinet in A', sound: 'wind.reed.clarinet.bflat' })).toBe(
      'woodwinds.clarinet-in-a',
    )
  })

  it('chooses between variants of an instrument by the transposition of the part', () => {
    expect(recognized({ name: 'Clarinet' }, -3)).toBe('woodwinds.clarinet-in-a')
    expect(recognized({ name: 'Clarinet' }, -2)).toBe('woodwinds.clarinet')
    expect(recognized({ program: 72 }, 3)).toBe('woodwinds.clarinet-in-e-flat')
    expect(recognized({ name: 'Horn' }, -9)).toBe('brass.horn-in-e-flat')
    // The key in the name is what the reader sees; a flute has no variants.
    expect(recognized({ name: 'Clarinet in A' }, -2)).toBe('woodwinds.clarinet-in-a')
    expect(recognized({ name: 'Flute' }, -3)).toBe('woodwinds.flute')
    expect(recognized({ name: 'Flute' }, Number.NaN)).toBe('woodwinds.flute')
  })

  it('takes a single letter and a key for weak names, because parts are also numbered by them', () => {
    expect(['S', 'A', 'T', 'B'].map((name) => recognized({ name }))).toEqual([
      'vocals.soprano',
      'vocals.alto',
      'vocals.tenor',
      'vocals.bass',
    ])
    expect(['A', 'B', 'Db'].map((name) => recognized({ name, program: 26 }))).toEqual(
      Array(3).fill('plucked-strings.acoustic-guitar'),
    )
  })

  it('uses the nearest known sound above an unknown one', () => {
    expect(recognized({ sound: 'keyboard.piano.prepared' })).toBe('keyboards.piano')
    expect(recognized({ sound: 'wind.flutes.recorder.unknown' })).toBe('woodwinds.recorder')
    expect(recognized({ sound: 'brass.vuvuzela' })).toBe('brass.trumpet')
  })

  it('adds up sound, program, abbreviation and name for playback if the name is unknown', () => {
    expect(recognized({ name: 'Anna', sound: 'strings.viola', program: 1 })).toBe('strings.viola')
    expect(recognized({ name: 'Anna', abbreviation: 'Vc.' })).toBe('strings.cello')
    expect(recognized({ name: 'Anna', instrumentName: 'Oboe' })).toBe('woodwinds.oboe')
    expect(recognized({ name: 'Anna', abbreviation: 'Vc.', program: 1 })).toBe('strings.cello')
    expect(recognized({ name: 'Anna', abbreviation: 'Vc.', sound: 'strings.violin' })).toBe('strings.violin')
    expect(recognized({ name: 'Anna', abbreviation: 'Vc.', sound: 'strings.violin', program: 43 })).toBe(
      'strings.cello',
    )
  })

  it('finds names of instruments inside of a longer name', () => {
    expect(recognized({ name: 'Piccolo Trumpet in A' })).toBe('brass.piccolo-trumpet')
    expect(recognized({ name: 'Piano RH' })).toBe('keyboards.piano')
    expect(recognized({ name: 'Anna voice', program: 74 })).toBe('vocals.voice-oohs')
    expect(recognized({ name: 'Bass 4 Strings', program: 34 })).toBe('plucked-strings.bass-guitar')
    expect(recognized({ name: 'The old flute player' })).toBe('woodwinds.flute')
  })

  it('falls back on channel 10, the program, and a piano', () => {
    expect(recognized({ channel: 10, program: 1 })).toBe('unpitched-percussion.drumset-rock')
    expect(recognized({ channel: 10, program: 33 })).toBe('unpitched-percussion.drumset-jazz')
    expect(recognized({ program: 74 })).toBe('woodwinds.flute')
    expect(recognized({ program: 79 })).toBe('traditional.tin-whistle')
    expect(recognized({ program: 113 })).toBe('pitched-percussion.handbells')
    expect(recognized({ program: 128 })).toBe('electronic.sound-effects')
    expect(recognized({ program: 129 })).toBe('keyboards.piano')
    expect(recognized({ name: 'Part 1' })).toBe('keyboards.piano')
    expect(recognizeInstrument(node('score-part', [])).id).toBe('piano')
  })

  it('recognizes several drums in one part as a drum set', () => {
    const drum = (id: string, sound: string) => [
      node('score-instrument', [leaf('instrument-name', id), leaf('instrument-sound', sound)], { id }),
    ]
    const keys = ['a', 'b'].map((id) => node('midi-instrument', [leaf('midi-unpitched', 39)], { id }))
    const part = node('score-part', [
      leaf('part-name', 'Kim'),
      ...drum('a', 'drum.snare-drum'),
      ...drum('b', 'metal.hi-hat'),
      ...keys,
    ])
    expect(instrumentKey(recognizeInstrument(part))).toBe('unpitched-percussion.drumset-rock')
  })
})

// Would take minutes, and so fail by the time limit of a test, if the cost grew with the square of the length.
it.each(['(', ' a', ' 120', ' in', 's'])(
  'does not recognize a name that repeats %j a million times, and is fast',
  (text) => {
    expect(recognized({ name: `Q${text.repeat(1_000_000)}#` })).toBe('keyboards.piano')
  },
)
