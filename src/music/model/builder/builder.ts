import { fail } from '../../../errors.ts'
import { buildDefaults, type LayoutData } from './layout.ts'
import { buildPart, type PlannedPart, type Signature, scorePartOf } from './part.ts'
import type { Element, ScoreDocument } from '../document.ts'
import { leaf, node } from '../element.ts'
import type { Instrument } from '../instruments/instrument.ts'
import { findInstrument, instruments } from '../instruments/table.ts'
import { printable } from '../printable.ts'

export interface InstrumentChoice {
  group: string
  instrument: string
  longName?: string
  shortName?: string
  /** The part may have quarter tones; it then gets no tablature. */
  hasQuarterTone?: boolean
}

/** The description of an empty score; `builderData` in the interface. */
export interface BuilderData {
  scoreData: {
    /** Adds a tablature staff below the staff of each fretted instrument. */
    useTabStaff?: boolean
    /** Chord diagrams are wanted above fretted instruments. */
    useChordGrid?: boolean
    /** The concert key in fifths, −7…7. Defaults to C major. */
    fifths?: number
    nbBeats?: number
    beatType?: number
    instruments: InstrumentChoice[]
  }
  layoutData?: LayoutData
}

/** The measures that an empty score begins with. */
const EMPTY_MEASURES = 16

const MAX_INSTRUMENTS = 100
const MAX_BEATS = 32
const BEAT_TYPES = [1, 2, 4, 8, 16, 32, 64]

/**
 * Families in which neighbouring parts share a bracket. The bar lines of voices stay separate, so that the
 * lyrics are readable.
 */
const bracketed = new Set([
  'vocals',
  'strings',
  'woodwinds',
  'brass',
  'pitched-percussion',
  'unpitched-percussion',
])

/**
 * Builds an empty score as MusicXML 4.0: the requested instruments with clefs, key, meter and transposition,
 * and 16 measures of rest. Instruments without a name get the English one, with numbers if an instrument
 * occurs more than once. Settings that MusicXML has no element for (note spacing, chord diagrams, quarter
 * tones) become other-appearance in the defaults.
 * @param newUuid creates the uuids of the parts and of the measures, which all parts share
 * @throws INVALID_PARAMETER with the field, for an unknown instrument or a number out of range
 */
export function buildScore(data: BuilderData, title: string, newUuid: () => string): ScoreDocument {
  const { scoreData } = data
  const signature = signatureOf(scoreData)
  const parts = planParts(scoreData)
  const root = node(
    'score-partwise',
    [
      node('work', [leaf('work-title', printable(title))]),
      node('identification', [node('encoding', [leaf('software', 'Partita')])]),
      buildDefaults(data.layoutData ?? {}, appearanceOf(scoreData)),
      node('part-list', partList(parts)),
    ],
    { version: '4.0' },
  )
  const measureUuids = Array.from({ length: EMPTY_MEASURES }, () => newUuid())
  for (const part of parts) root.children.push(buildPart(part, signature, newUuid(), measureUuids))
  return { root }
}

function signatureOf({ fifths = 0, nbBeats = 4, beatType = 4 }: BuilderData['scoreData']): Signature {
  if (!Number.isInteger(fifths) || Math.abs(fifths) > 7) {
    refuse('scoreData.fifths', 'must be a whole number from -7 to 7')
  }
  if (!Number.isInteger(nbBeats) || nbBeats < 1 || nbBeats > MAX_BEATS) {
    refuse('scoreData.nbBeats', `must be a whole number from 1 to ${MAX_BEATS}`)
  }
  if (!BEAT_TYPES.includes(beatType)) refuse('scoreData.beatType', `must be one of ${BEAT_TYPES.join(', ')}`)
  return { fifths, beats: nbBeats, beatType }
}

function planParts({ instruments: choices, useTabStaff = false }: BuilderData['scoreData']): PlannedPart[] {
  if (choices.length < 1 || choices.length > MAX_INSTRUMENTS) {
    refuse('scoreData.instruments', `must have from 1 to ${MAX_INSTRUMENTS} entries`)
  }
  const chosen = choices.map(chosenInstrument)
  const numbers = new Map<Instrument, number>()
  let pitchedParts = 0
  return choices.map((choice, index) => {
    const instrument = chosen[index] as Instrument
    const number = (numbers.get(instrument) ?? 0) + 1
    numbers.set(instrument, number)
    const numbered = chosen.indexOf(instrument) !== chosen.lastIndexOf(instrument) ? ` ${number}` : ''
    const [longName, shortName] = instrument.names.en
    return {
      id: `P${index + 1}`,
      instrument,
      longName: printable(choice.longName ?? '') || longName + numbered,
      shortName: printable(choice.shortName ?? '') || shortName + numbered,
      channel: instrument.drums === undefined ? melodicChannel(pitchedParts++) : 10,
      tablature: useTabStaff && instrument.tuning !== undefined && choice.hasQuarterTone !== true,
    }
  })
}

function chosenInstrument(choice: InstrumentChoice, index: number): Instrument {
  const instrument = findInstrument(choice.group, choice.instrument)
  if (instrument !== undefined) return instrument
  const ofGroup = instruments.filter(({ group }) => group === choice.group)
  if (ofGroup.length > 0) {
    const ids = ofGroup.map(({ id }) => id).join(', ')
    return refuse(
      `scoreData.instruments.${index}.instrument`,
      `must be one of the group ${choice.group}: ${ids}`,
    )
  }
  const groups = [...new Set(instruments.map(({ group }) => group))].join(', ')
  return refuse(`scoreData.instruments.${index}.group`, `must be one of ${groups}`)
}

/** MIDI channels 1–16 in turn without 10, which is reserved for percussion. */
function melodicChannel(index: number): number {
  const channel = (index % 15) + 1
  return channel < 10 ? channel : channel + 1
}

function partList(parts: readonly PlannedPart[]): Element[] {
  const list: Element[] = []
  parts.forEach((part, index) => {
    const { group } = part.instrument
    const before = parts[index - 1]?.instrument.group === group
    const after = parts[index + 1]?.instrument.group === group
    if (bracketed.has(group) && after && !before) list.push(bracketStart(group))
    list.push(scorePartOf(part))
    if (bracketed.has(group) && before && !after)
      list.push(node('part-group', [], { number: '1', type: 'stop' }))
  })
  return list
}

function bracketStart(group: string): Element {
  const children = [leaf('group-symbol', 'bracket'), leaf('group-barline', group === 'vocals' ? 'no' : 'yes')]
  return node('part-group', children, { number: '1', type: 'start' })
}

/** The wishes that MusicXML 4.0 has no element for, by type of other-appearance. */
function appearanceOf({
  useChordGrid,
  instruments: choices,
}: BuilderData['scoreData']): [type: string, value: string][] {
  const appearance: [string, string][] = []
  if (useChordGrid !== undefined) appearance.push(['chord-diagrams', useChordGrid ? 'yes' : 'no'])
  const quarterTones = choices.flatMap(({ hasQuarterTone }, index) =>
    hasQuarterTone ? [`P${index + 1}`] : [],
  )
  if (quarterTones.length > 0) appearance.push(['quarter-tone-parts', quarterTones.join(' ')])
  return appearance
}

function refuse(field: string, rule: string): never {
  fail('INVALID_PARAMETER', { param: `builderData.${field}`, message: `builderData.${field} ${rule}.` })
}
