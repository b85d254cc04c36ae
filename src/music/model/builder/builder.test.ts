import { describe, expect, it } from 'vitest'
import { Failure } from '../../../errors.ts'
import { type BuilderData, buildScore, type InstrumentChoice } from './builder.ts'
import type { LayoutData } from './layout.ts'
import {
  child,
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../document.ts'
import { factsOf } from '../facts.ts'
import { instrumentKey, instruments } from '../instruments/table.ts'
import { readMusicXml } from '../../formats/musicxml/read.ts'
import { writeMusicXml } from '../../formats/musicxml/write.ts'
import { orderFaults } from '../../testing/schema-order.ts'
import { voiceFaults } from '../../testing/voices.ts'

type ScoreData = BuilderData['scoreData']

function choose(...keys: string[]): InstrumentChoice[] {
  return keys.map((key) => {
    const [group = '', instrument = ''] = key.split('.')
    return { group, instrument }
  })
}

function build(scoreData: Partial<ScoreData>, layoutData?: LayoutData, title = 'Draft'): ScoreDocument {
  let uuids = 0
  const data = {
    scoreData: { instruments: choose('keyboards.piano'), ...scoreData },
    ...(layoutData && { layoutData }),
  }
  return buildScore(data, title, () => `uuid-${++uuids}`)
}

/** The attributes at the start of the first measure of a part. */
function attributesOf(document: ScoreDocument, index = 0): Element {
  const part = partsOf(document)[index]
  const measure = part && measuresOf(part)[0]
  const attributes = measure && child(measure, 'attributes')
  if (attributes === undefined) throw new Error('no attributes')
  return attributes
}

function texts(element: Element | undefined, ...names: string[]): (string | undefined)[] {
  return names.map((name) => element && childText(element, name))
}

function scoreParts(document: ScoreDocument): Element[] {
  return childrenNamed(child(document.root, 'part-list') as Element, 'score-part')
}

function refusal(
  scoreData: Partial<ScoreData>,
  layoutData?: LayoutData,
): { param?: string; message: string } {
  try {
    build(scoreData, layoutData)
  } catch (error) {
    if (error instanceof Failure && error.code === 'INVALID_PARAMETER')
      return error as { param?: string; message: string }
    throw error
  }
  throw new Error('was not refused')
}

/** Every instrument, in as many choices as a score can have. */
const everything = Array.from({ length: Math.ceil(instruments.length / 100) }, (_, index) =>
  choose(...instruments.slice(100 * index, 100 * (index + 1)).map(instrumentKey)),
)

describe('a built score', () => {
  it('has its elements in the order of the MusicXML schema for any builder data', () => {
    const layout: LayoutData = { notesSpacingCoeff: 1.5, pageHeight: 42, pageWidth: 29.7 }
    const wishes = { useTabStaff: true, useChordGrid: true, fifths: -5, nbBeats: 7, beatType: 8 }
    for (const chosen of everything)
      expect(orderFaults(build({ instruments: chosen, ...wishes }, layout))).toEqual([])
    expect(orderFaults(build({}))).toEqual([])
  })

  it.each([
    [4, 4, 4],
    [6, 8, 3],
    [3, 2, 6],
    [2, 1, 8],
    [7, 16, 1.75],
    [32, 64, 2],
  ])('fills every measure of %i/%i in every voice', (nbBeats, beatType, quarters) => {
    const document = build({ instruments: choose('keyboards.organ', 'strings.violin'), nbBeats, beatType })
    for (const part of partsOf(document)) {
      expect(measuresOf(part)).toHaveLength(16)
      expect(voiceFaults(part, quarters)).toEqual([])
    }
  })

  it('is the same after the writer and the reader', () => {
    for (const chosen of everything) {
      const document = build({ instruments: chosen, useTabStaff: true }, {}, 'Études & <Airs>')
      const again = readMusicXml(Buffer.from(writeMusicXml(document)))
      expect(writeMusicXml(again)).toBe(writeMusicXml(document))
      expect(factsOf(again).title).toBe('Études & <Airs>')
    }
  })

  it('has facts that match its instruments, concert key and measures', () => {
    const facts = everything.map((chosen) => factsOf(build({ instruments: chosen, fifths: 2 })))
    expect(facts.flatMap((fact) => fact.instruments)).toEqual(instruments.map(instrumentKey))
    expect(facts[0]).toMatchObject({ mainKeySignature: 2, numberMeasures: 16, noteCount: 0 })
  })

  it('has a uuid for each part, and one for each measure that all parts share', () => {
    const parts = partsOf(build({ instruments: choose('strings.violin', 'strings.cello') }))
    const [first, second] = parts.map((part) => measuresOf(part).map(({ uuid }) => uuid))
    expect(new Set(parts.map(({ uuid }) => uuid)).size).toBe(2)
    expect(new Set(first).size).toBe(16)
    expect(first).toEqual(second)
  })

  it('ends with a final bar line', () => {
    const last = measuresOf(partsOf(build({}))[0] as Element).at(-1)
    expect(childText(last?.children.at(-1) as Element, 'bar-style')).toBe('light-heavy')
  })

  it('leaves out characters of title and names that XML cannot contain', () => {
    const named = {
      group: 'strings',
      instrument: 'violin',
      longName: 'Vio\u0007lin\n',
      shortName: '\ud800V.',
    }
    const document = build({ instruments: [named] }, {}, ' A\u0000B\t')
    expect(factsOf(document).title).toBe('A B')
    expect(texts(scoreParts(document)[0], 'part-name', 'part-abbreviation')).toEqual(['Vio lin', 'V.'])
  })
})

describe('the parts of a built score', () => {
  it('have the requested names, or English names with numbers if an instrument occurs more than once', () => {
    const instrument = { group: 'strings', instrument: 'violin' }
    const document = build({
      instruments: [
        instrument,
        { ...instrument, longName: 'Solo', shortName: 'S.' },
        ...choose('strings.viola'),
      ],
    })
    expect(scoreParts(document).map((part) => texts(part, 'part-name', 'part-abbreviation'))).toEqual([
      ['Violin 1', 'Vln. 1'],
      ['Solo', 'S.'],
      ['Viola', 'Vla.'],
    ])
  })

  it('have the key signature that their players read', () => {
    const document = build({
      instruments: choose('woodwinds.clarinet', 'brass.horn', 'strings.contrabass'),
      fifths: -1,
    })
    const keys = [0, 1, 2].map((index) =>
      childText(child(attributesOf(document, index), 'key') as Element, 'fifths'),
    )
    expect(keys).toEqual(['1', '0', '-1'])
    expect(texts(child(attributesOf(document, 0), 'transpose'), 'diatonic', 'chromatic')).toEqual([
      '-1',
      '-2',
    ])
    expect(texts(child(attributesOf(document, 2), 'transpose'), 'chromatic', 'octave-change')).toEqual([
      '0',
      '-1',
    ])
  })

  it('never have more than seven sharps', () => {
    const document = build({ instruments: choose('woodwinds.alto-saxophone'), fifths: 6 })
    expect(childText(child(attributesOf(document), 'key') as Element, 'fifths')).toBe('-3')
  })

  it('have the staves, clefs and lines of the instrument', () => {
    const document = build({
      instruments: choose('keyboards.piano', 'vocals.tenor', 'unpitched-percussion.hand-clap'),
    })
    const [piano, tenor, clap] = [0, 1, 2].map((index) => attributesOf(document, index)) as [
      Element,
      Element,
      Element,
    ]
    expect(childText(piano, 'staves')).toBe('2')
    expect(
      childrenNamed(piano, 'clef').map((clef) => [clef.attributes.number, ...texts(clef, 'sign')]),
    ).toEqual([
      ['1', 'G'],
      ['2', 'F'],
    ])
    expect(texts(child(tenor, 'clef'), 'sign', 'line', 'clef-octave-change')).toEqual(['G', '2', '-1'])
    expect(texts(child(clap, 'staff-details'), 'staff-lines')).toEqual(['1'])
    expect(child(clap, 'key')).toBeUndefined()
  })

  it('have a tablature below fretted instruments on request, but not with quarter tones', () => {
    const guitar = { group: 'plucked-strings', instrument: 'acoustic-guitar' }
    const chosen = [guitar, { ...guitar, hasQuarterTone: true }, ...choose('plucked-strings.harp')]
    const document = build({ instruments: chosen, useTabStaff: true })
    const tab = attributesOf(document, 0)
    expect(childrenNamed(tab, 'clef').map((clef) => childText(clef, 'sign'))).toEqual(['G', 'TAB'])
    const tuning = childrenNamed(child(tab, 'staff-details') as Element, 'staff-tuning')
    expect(tuning.map((line) => texts(line, 'tuning-step', 'tuning-octave').join(''))).toEqual([
      'E2',
      'A2',
      'D3',
      'G3',
      'B3',
      'E4',
    ])
    expect(childText(attributesOf(document, 1), 'staves')).toBeUndefined()
    expect(childText(attributesOf(document, 2), 'staves')).toBe('2')
    expect(child(attributesOf(build({ instruments: [guitar] })), 'staff-details')).toBeUndefined()
  })

  it('have separate channels, and percussion the tenth', () => {
    const chosen = [...Array.from({ length: 11 }, () => 'strings.violin'), 'unpitched-percussion.snare-drum']
    const channels = scoreParts(build({ instruments: choose(...chosen) })).map((part) =>
      childText(child(part, 'midi-instrument') as Element, 'midi-channel'),
    )
    expect(channels).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '11', '12', '10'])
  })

  it('have a sound and a key for each drum of a drum set', () => {
    const [drums] = scoreParts(build({ instruments: choose('unpitched-percussion.drumset-rock') }))
    const sounds = childrenNamed(drums as Element, 'score-instrument')
    const keys = childrenNamed(drums as Element, 'midi-instrument')
    expect(sounds.map(({ attributes }) => attributes.id)).toEqual(keys.map(({ attributes }) => attributes.id))
    // MusicXML counts the 128 keys from 1: the bass drum of General MIDI is key 36.
    expect(texts(keys[0], 'midi-unpitched')).toEqual(['37'])
  })

  it('share a bracket within a family, voices with separate bar lines', () => {
    const chosen = choose(
      'vocals.soprano',
      'vocals.alto',
      'keyboards.piano',
      'strings.violin',
      'strings.cello',
    )
    const list = child(build({ instruments: chosen }).root, 'part-list') as Element
    expect(
      list.children.map(({ name, attributes }) => (name === 'part-group' ? attributes.type : attributes.id)),
    ).toEqual(['start', 'P1', 'P2', 'stop', 'P3', 'start', 'P4', 'P5', 'stop'])
    expect(childrenNamed(list, 'part-group').map((group) => childText(group, 'group-barline'))).toEqual([
      'no',
      undefined,
      'yes',
      undefined,
    ])
  })
})

describe('the page of a built score', () => {
  const page = (layoutData?: LayoutData) => {
    const layout = child(child(build({}, layoutData).root, 'defaults') as Element, 'page-layout') as Element
    const margins = child(layout, 'page-margins')
    const sides = ['left-margin', 'right-margin', 'top-margin', 'bottom-margin']
    return [...texts(layout, 'page-height', 'page-width'), ...texts(margins, ...sides)].map(Number)
  }

  it('is A4 with margins of 15 mm by default: 40 tenths are 7 mm', () => {
    expect(page()).toEqual([1697.14, 1200, 85.71, 85.71, 85.71, 85.71])
  })

  it('uses centimetres, or inches on request', () => {
    const cm = { pageHeight: 35, pageWidth: 28, pageMarginLeft: 1.4, pageMarginRight: 2.1, pageMarginTop: 0 }
    expect(page(cm)).toEqual([2000, 1600, 80, 120, 0, 85.71])
    expect(page({ lengthUnit: 'inch', pageHeight: 11, pageWidth: 8.5 }).slice(0, 2)).toEqual([
      1596.57, 1233.71,
    ])
  })

  it('uses other-appearance for settings without an element of their own in MusicXML', () => {
    const quarter = { group: 'strings', instrument: 'viola', hasQuarterTone: true }
    const document = build(
      { instruments: [...choose('strings.violin'), quarter], useChordGrid: false },
      { notesSpacingCoeff: 2 },
    )
    const appearance = child(child(document.root, 'defaults') as Element, 'appearance') as Element
    expect(appearance.children.map(({ attributes, text }) => [attributes.type, text])).toEqual([
      ['note-spacing', '2'],
      ['chord-diagrams', 'no'],
      ['quarter-tone-parts', 'P2'],
    ])
  })
})

describe('invalid builder data', () => {
  it('lists the valid instruments or groups in the message', () => {
    const unknown = refusal({ instruments: choose('keyboards.piano', 'strings.kazoo') })
    expect(unknown.param).toBe('builderData.scoreData.instruments.1.instrument')
    expect(unknown.message).toContain('violin, viola, cello, contrabass')
    const ungrouped = refusal({ instruments: choose('toys.kazoo') })
    expect(ungrouped.param).toBe('builderData.scoreData.instruments.0.group')
    expect(ungrouped.message).toContain('keyboards, vocals')
  })

  it.each<[string, Partial<ScoreData>]>([
    ['instruments', { instruments: [] }],
    ['instruments', { instruments: choose(...Array.from({ length: 101 }, () => 'strings.violin')) }],
    ['fifths', { fifths: 8 }],
    ['fifths', { fifths: 0.5 }],
    ['nbBeats', { nbBeats: 0 }],
    ['nbBeats', { nbBeats: 33 }],
    ['nbBeats', { nbBeats: 3.5 }],
    ['beatType', { beatType: 3 }],
    ['beatType', { beatType: 128 }],
  ])('is refused with the name of scoreData.%s for %o', (field, scoreData) => {
    expect(refusal(scoreData).param).toBe(`builderData.scoreData.${field}`)
  })

  it.each<[string, LayoutData]>([
    ['pageHeight', { pageHeight: 4 }],
    ['pageWidth', { pageWidth: 131 }],
    ['pageWidth', { pageWidth: 60, lengthUnit: 'inch' }],
    ['pageHeight', { pageHeight: Number.NaN }],
    ['pageMarginTop', { pageMarginTop: -1 }],
    ['pageMarginRight', { pageMarginLeft: 2, pageMarginRight: 18 }],
    ['pageMarginBottom', { pageHeight: 6, pageMarginBottom: 4 }],
    ['notesSpacingCoeff', { notesSpacingCoeff: 0.9 }],
    ['notesSpacingCoeff', { notesSpacingCoeff: 11 }],
  ])('is refused with the name of layoutData.%s for %o', (field, layoutData) => {
    expect(refusal({}, layoutData).param).toBe(`builderData.layoutData.${field}`)
  })
})
