import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { usingDatabases } from '../../../../test/support/databases.ts'
import type { InstrumentGroup } from '../../../contract/instruments.ts'
import { readMusicXml } from '../../../music/formats/musicxml/read.ts'
import {
  child,
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
} from '../../../music/model/document.ts'
import { instrumentGroups, instruments } from '../../../music/model/instruments/table.ts'

const app = useApp(usingDatabases('sqlite'))
let marie: Person
beforeAll(async () => {
  marie = await app.person('marie')
})

async function list(q = '', language = 'en'): Promise<InstrumentGroup[]> {
  const headers = { 'X-Flat-Locale': language }
  const { status, body } = await marie.get(`/instruments?${new URLSearchParams({ q })}`, { headers })
  expect(status).toBe(200)
  return body
}

const namesIn = (groups: InstrumentGroup[]) =>
  groups.flatMap((group) => group.instruments.map(({ longName }) => longName))

describe('listInstruments', () => {
  it('lists every instrument once, in the order and the groups of the table', async () => {
    const groups = await list()
    expect(groups.map(({ id }) => id)).toEqual(instrumentGroups.map(({ id }) => id))
    const listed = groups.flatMap((group) => group.instruments.map((one) => [one.group, one.instrument]))
    expect(listed).toEqual(instruments.map(({ group, id }) => [group, id]))
  })

  it.each([
    ['en', 'Saxophones', 'Alto Saxophone'],
    ['fr', 'Saxophones', 'Saxophone alto'],
    ['de', 'Saxophone', 'Altsaxophon'],
    ['es', 'Saxofones', 'Saxofón alto'],
    ['ja', 'Saxophones', 'Alto Saxophone'],
  ])('names groups and instruments in %s, or in English', async (language, group, instrument) => {
    const [saxophones] = await list('alto saxophone', language)
    expect([saxophones?.name, saxophones?.instruments[0]?.longName]).toEqual([group, instrument])
  })

  it('finds instruments by every word, in any language, without case and accents', async () => {
    expect(namesIn(await list('GEIGE'))).toContain('Violin')
    expect(namesIn(await list('flûte bec'))).toContain('Alto Recorder')
    expect(namesIn(await list('flute bec'))).toEqual(namesIn(await list('flûte bec')))
    expect(namesIn(await list('bass blockflöte'))).toContain('Bass Recorder')
    expect((await list('tasteninstrumente')).map(({ id }) => id)).toEqual(['keyboards'])
    expect(await list('violin trumpet')).toEqual([])
  })

  it('describes an instrument with transposition, range, tuning and drums', async () => {
    const find = async (q: string, instrument: string) =>
      (await list(q)).flatMap((group) => group.instruments).find((one) => one.instrument === instrument)
    expect(await find('clarinet', 'clarinet-in-a')).toEqual({
      group: 'woodwinds',
      instrument: 'clarinet-in-a',
      longName: 'Clarinet in A',
      shortName: 'A Cl.',
      clefs: [{ sign: 'G', line: 2 }],
      staffLines: 5,
      transposition: { chromatic: -3, diatonic: -2 },
      range: { full: { low: 49, high: 95 }, comfortable: { low: 49, high: 83 } },
      sound: 'wind.reed.clarinet.a',
      midiProgram: 71,
      sample: 'woodwinds.clarinet',
    })
    expect((await find('ukulele', 'ukulele'))?.tuning).toEqual([67, 60, 64, 69])
    const bongos = await find('bongos', 'bongos')
    expect(bongos?.staffLines).toBe(2)
    expect(bongos?.drums?.map(({ name, midiNote, notehead }) => [name, midiNote, notehead])).toEqual([
      ['Low Bongo', 61, 'normal'],
      ['High Bongo', 60, 'normal'],
    ])
  })
})

/** Creates a score of instruments of the list, and returns its details and the attributes of its parts. */
async function build(keys: string[], scoreData: object = {}) {
  const chosen = keys.map((key) => ({ group: key.split('.')[0], instrument: key.split('.')[1] }))
  const { status, body } = await marie.post('/scores', {
    title: 'Choice',
    builderData: { scoreData: { ...scoreData, instruments: chosen } },
  })
  expect(status).toBe(200)
  const { bytes } = await marie.get(`/scores/${body.id}/revisions/last/xml`)
  const attributes = partsOf(readMusicXml(bytes)).map((part) => {
    const [measure] = measuresOf(part)
    return measure && child(measure, 'attributes')
  })
  return { details: body, attributes: attributes as Element[] }
}

const texts = (element: Element | undefined, ...names: string[]) =>
  names.map((name) => element && childText(element, name))

describe('a score of listed instruments', () => {
  it('has the key and transposition of a transposing instrument', async () => {
    const { details, attributes } = await build(['woodwinds.clarinet-in-a', 'brass.horn-in-e-flat'], {
      fifths: -1,
    })
    expect(details.instruments).toEqual(['woodwinds.clarinet-in-a', 'brass.horn-in-e-flat'])
    expect(details.instrumentsNames).toEqual(['Clarinet in A', 'Horn in E♭'])
    expect(details.samples).toEqual(['woodwinds.clarinet', 'brass.french-horn'])
    expect(attributes.map((part) => texts(child(part, 'key'), 'fifths')[0])).toEqual(['-4', '2'])
    expect(texts(child(attributes[0] as Element, 'transpose'), 'diatonic', 'chromatic')).toEqual(['-2', '-3'])
  })

  it('has two staves for an instrument with two clefs', async () => {
    const { attributes } = await build(['keyboards.harpsichord', 'traditional.bandoneon'])
    for (const part of attributes) {
      expect(childText(part, 'staves')).toBe('2')
      expect(childrenNamed(part, 'clef').map((clef) => childText(clef, 'sign'))).toEqual(['G', 'F'])
    }
  })

  it('has a percussion clef, the lines and no key for unpitched percussion', async () => {
    const { details, attributes } = await build([
      'unpitched-percussion.congas',
      'unpitched-percussion.drumset-jazz',
    ])
    expect(details.samples).toEqual(['unpitched-percussion.standard-kit', 'unpitched-percussion.jazz-kit'])
    expect(attributes.map((part) => texts(child(part, 'clef'), 'sign')[0])).toEqual([
      'percussion',
      'percussion',
    ])
    expect(texts(child(attributes[0] as Element, 'staff-details'), 'staff-lines')).toEqual(['2'])
    expect(attributes.map((part) => child(part, 'key'))).toEqual([undefined, undefined])
  })

  it('has a tablature with the tuning of a fretted instrument on request', async () => {
    const { attributes } = await build(['plucked-strings.five-string-bass', 'traditional.cuatro'], {
      useTabStaff: true,
    })
    const tunings = attributes.map((part) => {
      const details = child(part, 'staff-details') as Element
      expect(childText(details, 'staff-lines')).toBe(String(childrenNamed(details, 'staff-tuning').length))
      return childrenNamed(details, 'staff-tuning').map((line) =>
        texts(line, 'tuning-step', 'tuning-alter', 'tuning-octave').join(' '),
      )
    })
    expect(tunings).toEqual([
      ['B  0', 'E  1', 'A  1', 'D  2', 'G  2'],
      ['A  3', 'D  4', 'F 1 4', 'B  3'],
    ])
  })
})
