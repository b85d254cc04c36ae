import { readdirSync } from 'node:fs'
import Type from 'typebox'
import { Errors } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { contentUrl, readContentJson } from '../../../lib/content.ts'
import { instrumentSchema } from '../../testing/instrument-schema.ts'
import { scorePartOf } from '../builder/part.ts'
import type { Element } from '../document.ts'
import { leaf, node } from '../element.ts'
import {
  findInstrument,
  findInstrumentByKey,
  instrumentKey,
  instrumentName,
  instruments,
  recognizeInstrument,
} from './instruments.ts'

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

function recognized(described: Described): string {
  return instrumentKey(recognizeInstrument(scorePart(described)))
}

describe('the instrument table', () => {
  it('has files in content/ that match the schema of an instrument', () => {
    const files = readdirSync(contentUrl('instruments/'))
    const read = files.map((file) => readContentJson(`instruments/${file}`) as unknown[])
    for (const [index, file] of files.entries())
      expect([file, [...Errors(Type.Array(instrumentSchema), read[index])]]).toEqual([file, []])
    expect(read.flat()).toHaveLength(instruments.length)
  })

  it('names each instrument once, by group and id in kebab-case', () => {
    const keys = instruments.map(instrumentKey)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.length).toBeGreaterThanOrEqual(30)
    for (const key of keys) expect(key).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/)
  })

  it('has the ids that the published interface gives as examples', () => {
    const published = [
      'keyboards.piano',
      'brass.trumpet',
      'brass.horn',
      'vocals.voice-oohs',
      'unpitched-percussion.drumset-rock',
    ]
    expect(published.filter((key) => findInstrumentByKey(key) === undefined)).toEqual([])
  })

  it('has names in four languages, clefs, a program, and valid strings and drums for every instrument', () => {
    for (const instrument of instruments) {
      const names = Object.values(instrument.names).flat()
      expect(names, instrumentKey(instrument)).toHaveLength(8)
      expect(names.every((name) => name !== '' && name === name.trim())).toBe(true)
      expect(instrument.clefs.length).toBeGreaterThan(0)
      expect(instrument.program).toBeGreaterThanOrEqual(0)
      expect(instrument.program).toBeLessThanOrEqual(127)
      expect(instrument.drums === undefined).toBe(instrument.clefs.every(({ sign }) => sign !== 'percussion'))
      for (const pitch of instrument.tuning ?? []) expect(pitch).toMatch(/^[A-G]\d$/)
      for (const { midiNote } of instrument.drums ?? []) expect(midiNote).toBeLessThanOrEqual(127)
    }
  })

  it('finds an instrument by group and id, and returns undefined if either is unknown', () => {
    expect(findInstrument('strings', 'viola')?.sound).toBe('strings.viola')
    expect(findInstrument('strings', 'kazoo')).toBeUndefined()
    expect(findInstrument('brass', 'viola')).toBeUndefined()
    expect(findInstrumentByKey('strings.viola')).toBe(findInstrument('strings', 'viola'))
  })

  it('uses the language of the locale, and English for other languages', () => {
    const viola = findInstrument('strings', 'viola')
    if (viola === undefined) throw new Error('no viola')
    const locales = ['de', 'fr-CA', 'es_MX', 'en', 'ja', '', 'constructor']
    expect(locales.map((locale) => instrumentName(viola, locale))).toEqual([
      'Bratsche',
      'Alto',
      'Viola',
      'Viola',
      'Viola',
      'Viola',
      'Viola',
    ])
  })
})

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

  it('recognizes every instrument by its sound if the part is named after a person', () => {
    const sounds = new Map(instruments.map(({ sound }) => [sound, recognized({ name: 'Mignon', sound })]))
    const mistaken = instruments.filter(
      (instrument) => sounds.get(instrument.sound) !== instrumentKey(instrument),
    )
    expect(mistaken.map(instrumentKey)).toEqual([])
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
    ['Clarinet in E♭', 'woodwinds.clarinet'],
    ['1st Bb Clarinets', 'woodwinds.clarinet'],
    ['Clarinette en Sib', 'woodwinds.clarinet'],
    ['B-flat Tenor Sax', 'woodwinds.tenor-saxophone'],
    ['Trumpet in C 2', 'brass.trumpet'],
    ['Hörner in F', 'brass.horn'],
    ['Große Trommel', 'unpitched-percussion.bass-drum'],
  ])('reads the name %s as %s', (name, key) => {
    expect(recognized({ name })).toBe(key)
  })

  it('prefers the printed name to the sound for playback', () => {
    expect(recognized({ name: 'Voice', sound: 'wind.reed.bassoon', program: 71 })).toBe('vocals.voice-oohs')
  })

  it('chooses between instruments with the same name by sound, then by program, then by the order of the table', () => {
    expect(recognized({ name: 'Alto', sound: 'strings.viola' })).toBe('strings.viola')
    expect(recognized({ name: 'Soprano', sound: 'voice.female' })).toBe('vocals.soprano')
    expect(recognized({ name: 'Bass', program: 34 })).toBe('plucked-strings.bass-guitar')
    expect(recognized({ name: 'Bass' })).toBe('vocals.bass')
    expect(recognized({ name: 'Guitar', sound: 'pluck.guitar.electric' })).toBe(
      'plucked-strings.electric-guitar',
    )
  })

  it('uses the nearest known sound above an unknown one', () => {
    expect(recognized({ sound: 'keyboard.piano.grand' })).toBe('keyboards.piano')
    expect(recognized({ sound: 'wind.flutes.recorder.tenor' })).toBe('woodwinds.recorder')
    expect(recognized({ sound: 'brass.serpent' })).toBe('brass.trumpet')
  })

  it('falls back on abbreviation, instrument name, and the last and first word of the name', () => {
    expect(recognized({ name: 'Anna', abbreviation: 'Vc.' })).toBe('strings.cello')
    expect(recognized({ name: 'Anna', instrumentName: 'Oboe' })).toBe('woodwinds.oboe')
    expect(recognized({ name: 'Piccolo Trumpet in A' })).toBe('brass.trumpet')
    expect(recognized({ name: 'Piano RH' })).toBe('keyboards.piano')
  })

  it('falls back on channel 10, the program, its General MIDI family, and a piano', () => {
    expect(recognized({ channel: 10, program: 1 })).toBe('unpitched-percussion.drumset-rock')
    expect(recognized({ program: 74 })).toBe('woodwinds.flute')
    expect(recognized({ program: 79 })).toBe('woodwinds.flute')
    expect(recognized({ program: 128 })).toBe('keyboards.piano')
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
