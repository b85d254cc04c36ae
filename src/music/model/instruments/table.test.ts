import { readdirSync } from 'node:fs'
import Type from 'typebox'
import { Errors } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { contentUrl, readContentJson } from '../../../lib/content.ts'
import { instrumentGroupSchema, instrumentSchema, programSchema } from '../../testing/instrument-schema.ts'
import type { Clef, Instrument } from './instrument.ts'
import { bareReading, plainName } from './names.ts'
import { pitchNamed } from './pitch-names.ts'
import {
  findInstrument,
  findInstrumentByKey,
  instrumentGroups,
  instrumentKey,
  instrumentName,
  instruments,
  programs,
  soundingInterval,
} from './table.ts'

const keysOf = (faulty: (instrument: Instrument) => boolean): string[] =>
  instruments.filter(faulty).map(instrumentKey)

/** The MIDI keys between which an instrument sounds. */
function limits({ range }: Instrument): { full: number[]; comfortable: number[] } | undefined {
  const keys = (pitches: readonly string[]) => pitches.map((pitch) => pitchNamed(pitch).key)
  return range && { full: keys(range.full), comfortable: keys(range.comfortable) }
}

describe('the instrument table', () => {
  it('has files in content/ that match the schemas of groups and instruments, one for each group', () => {
    const ids = instrumentGroups.map(({ id }) => id)
    const files = readdirSync(contentUrl('instruments/')).map((file) => file.replace(/\.json$/, ''))
    expect(files.sort()).toEqual([...ids, 'groups', 'programs'].sort())
    expect([
      ...Errors(Type.Array(instrumentGroupSchema), readContentJson('instruments/groups.json')),
    ]).toEqual([])
    for (const id of ids) {
      const file = readContentJson(`instruments/${id}.json`)
      expect([id, [...Errors(Type.Array(instrumentSchema, { minItems: 1 }), file)]]).toEqual([id, []])
    }
  })

  it('names at least 120 instruments once, by group and id in kebab-case', () => {
    const keys = instruments.map(instrumentKey)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.length).toBeGreaterThanOrEqual(120)
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

  it('has a long name of its own in each language within a group of people’s search', () => {
    const doubled = instrumentGroups.flatMap(({ id, instruments: ofGroup }) =>
      (['en', 'fr', 'de', 'es'] as const).flatMap((language) => {
        const names = ofGroup.map(({ names }) => names[language][0])
        return names
          .filter((name, index) => names.indexOf(name) !== index)
          .map((name) => `${id} ${language} ${name}`)
      }),
    )
    expect(doubled).toEqual([])
  })

  it('has names without stray spaces, and abbreviations that are not longer than the names', () => {
    const faulty = keysOf(({ names, aliases }) => {
      const stray = [...Object.values(names).flat(), ...aliases].some((name) => name !== name.trim())
      return stray || Object.values(names).some(([long, short]) => short.length > long.length)
    })
    expect(faulty).toEqual([])
  })

  it('has clefs that can be printed: a line for every sign of a pitch, and none for percussion', () => {
    const printable = ({ sign, line }: Clef) =>
      sign === 'percussion' ? line === undefined : line !== undefined
    expect(keysOf(({ clefs }) => clefs.length > 3 || !clefs.every(printable))).toEqual([])
  })

  it('gives drums to exactly the instruments with a percussion clef, each with its own key or place', () => {
    expect(
      keysOf(
        ({ clefs, drums }) => (drums !== undefined) !== clefs.every(({ sign }) => sign === 'percussion'),
      ),
    ).toEqual([])
    const ambiguous = keysOf(({ drums = [] }) => {
      const keys = drums.map(({ midiNote }) => midiNote)
      const places = drums.map(({ display, notehead }) => `${display} ${notehead}`)
      return new Set(keys).size < keys.length || new Set(places).size < places.length
    })
    expect(ambiguous).toEqual([])
  })

  it('has the General MIDI percussion keys 27 to 87 for drums', () => {
    expect(keysOf(({ drums = [] }) => drums.some(({ midiNote }) => midiNote < 27 || midiNote > 87))).toEqual(
      [],
    )
  })

  it('has a range for exactly the pitched instruments, the comfortable one within the full one', () => {
    expect(keysOf(({ range, drums }) => (range === undefined) !== (drums !== undefined))).toEqual([])
    const faulty = keysOf((instrument) => {
      const range = limits(instrument)
      if (range === undefined) return false
      const [low = 0, high = 0] = range.full
      const [from = 0, to = 0] = range.comfortable
      return !(12 <= low && low <= from && from < to && to <= high && high <= 127)
    })
    expect(faulty).toEqual([])
  })

  it('has open strings within the range', () => {
    const outside = keysOf((instrument) => {
      const [low = 0, high = 127] = limits(instrument)?.full ?? []
      return (instrument.tuning ?? [])
        .map((pitch) => pitchNamed(pitch).key)
        .some((key) => key < low || key > high)
    })
    expect(outside).toEqual([])
  })

  it('has transpositions whose steps fit their semitones, and whose keys have at most seven signs', () => {
    const faulty = keysOf(({ transposition }) => {
      if (transposition === undefined) return false
      const { chromatic, diatonic, octaveChange = 0 } = transposition
      const spelled = Math.abs(Math.round((chromatic * 7) / 12) - diatonic) <= 1
      const near = Math.abs(chromatic) < 12 && Math.abs(octaveChange) <= 2
      return !spelled || !near || Math.abs(7 * chromatic - 12 * diatonic) > 7
    })
    expect(faulty).toEqual([])
  })

  it('has brass basses whose lowest notes are at or above those of the tuba', () => {
    const low = (id: string) => {
      const instrument = findInstrument('brass', id)
      return instrument && limits(instrument)?.full[0]
    }
    const tuba = low('tuba')
    expect(['b-flat-bass', 'sousaphone'].map(low)).toEqual([tuba, tuba])
    expect(low('e-flat-bass')).toBeGreaterThan(tuba ?? Number.POSITIVE_INFINITY)
  })

  it('has the Wagner tuba in both keys, like the horns in them', () => {
    const intervals = ['wagner-tuba', 'bass-wagner-tuba', 'horn'].map((id) => {
      const instrument = findInstrument('brass', id)
      return instrument && soundingInterval(instrument)
    })
    expect(intervals).toEqual([-2, -7, -7])
  })

  it('transposes each instrument as its names say in every language', () => {
    const contradicted = instruments.flatMap((instrument) =>
      Object.entries(instrument.names).flatMap(([language, [long]]) => {
        const { key } = bareReading(plainName(long))
        const own = (soundingInterval(instrument) + 120) % 12
        return key === undefined || key === own ? [] : `${instrumentKey(instrument)} ${language}`
      }),
    )
    expect(contradicted).toEqual([])
  })

  it('has a name and an instrument with that program for each of the 128 General MIDI programs', () => {
    expect([...Errors(Type.Array(programSchema), readContentJson('instruments/programs.json'))]).toEqual([])
    expect(new Set(programs.map(({ name }) => name)).size).toBe(128)
    const mistaken = programs.filter(({ instrument }, index) => {
      const { drums, program, otherPrograms = [] } = instrument
      return !(drums === undefined ? [program, ...otherPrograms] : otherPrograms).includes(index)
    })
    expect(mistaken).toEqual([])
  })

  it('has an instrument for each family of the standard sounds', () => {
    const families = instruments.flatMap(({ sound, otherSounds = [] }) => [sound, ...otherSounds])
    const roots = new Set(families.map((sound) => sound.split('.')[0]))
    expect(roots.size).toBe(13)
  })
})

describe('finding an instrument', () => {
  it('finds one by group and id, and returns undefined if either is unknown', () => {
    expect(findInstrument('strings', 'viola')?.sound).toBe('strings.viola')
    expect(findInstrument('strings', 'kazoo')).toBeUndefined()
    expect(findInstrument('brass', 'viola')).toBeUndefined()
    expect(findInstrumentByKey('strings.viola')).toBe(findInstrument('strings', 'viola'))
  })

  it('names it in the language of the locale, and in English for other languages', () => {
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

describe('a pitch of the table', () => {
  it('is a step, a sign and an octave, with the middle C as C4', () => {
    expect(['C4', 'A0', 'Bb3', 'F#4', 'C8'].map((name) => pitchNamed(name).key)).toEqual([
      60, 21, 58, 66, 108,
    ])
    expect(pitchNamed('Bb3')).toEqual({ step: 'B', alter: -1, octave: 3, key: 58 })
  })

  it.each(['', 'H4', 'C', 'c4', 'C##4', '4'])('is not %j', (name) => {
    expect(() => pitchNamed(name)).toThrow(`“${name}” is no pitch.`)
  })
})
