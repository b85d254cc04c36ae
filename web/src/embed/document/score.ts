import {
  all,
  attribute,
  children,
  first,
  type JsonDocument,
  type JsonElement,
  numberAt,
  textAt,
} from './json-form.ts'
import { derivedUuid } from './uuids.ts'

/** A note, chord or rest, with the grace notes before it. */
export interface VoiceNote {
  /** The elements `note`: several for a chord. */
  readonly elements: readonly JsonElement[]
  /** The ids of the noteheads on the engraved pages, as in the export `noteTimes`. */
  readonly ids: readonly string[]
  readonly graces: number
  readonly isRest: boolean
  /** Quarter notes from the start of the measure. */
  readonly onset: number
  readonly quarters: number
  /** From 0. */
  readonly staff: number
  readonly tuplet: string | undefined
  /** The chord symbol and directions that stand directly before the note. */
  readonly harmony: JsonElement | undefined
  readonly directions: readonly JsonElement[]
}

export interface MeasureVoice {
  readonly voice: Voice
  readonly notes: readonly VoiceNote[]
}

export interface PartMeasure {
  readonly uuid: string
  readonly element: JsonElement
  readonly voices: readonly MeasureVoice[]
  readonly attributes: MeasureAttributes
  /** Divisions of a quarter note in this measure. */
  readonly divisions: number
}

export interface MeasureAttributes {
  /** By staff, from 0. */
  readonly clefs: readonly (JsonElement | undefined)[]
  readonly key: JsonElement | undefined
  readonly time: JsonElement | undefined
  readonly transpose: JsonElement | undefined
}

export interface Voice {
  /** The name in the score. */
  readonly name: string
  readonly uuid: string
  /** The staff on which it first appears, from 0. */
  readonly staff: number
}

export interface ScorePart {
  readonly uuid: string
  readonly name: string
  readonly abbreviation: string
  readonly staves: readonly string[]
  /** In the order of their staves. */
  readonly voices: readonly Voice[]
  readonly measures: readonly PartMeasure[]
}

export interface Score {
  readonly title: string
  readonly parts: readonly ScorePart[]
  readonly measureUuids: readonly string[]
}

/** Reads the notes of a score by part, measure and voice. */
export function readScore(document: JsonDocument): Score {
  const root = document['score-partwise']
  const scoreParts = new Map(
    all(first(root, 'part-list'), 'score-part').map((part) => [attribute(part, 'id') ?? '', part]),
  )
  const parts = all(root, 'part').map((part) => readPart(part, scoreParts.get(attribute(part, 'id') ?? '')))
  return {
    title: textAt(first(root, 'work'), 'work-title') || textAt(root, 'movement-title') || '',
    parts,
    measureUuids: parts[0]?.measures.map(({ uuid }) => uuid) ?? [],
  }
}

function readPart(part: JsonElement, listed: JsonElement | undefined): ScorePart {
  const uuid = attribute(part, 'uuid') ?? ''
  const read = partReader(uuid)
  const measures = all(part, 'measure').map(read.measure)
  const voices = read.voices().sort((a, b) => a.staff - b.staff)
  return {
    uuid,
    name: textAt(listed, 'part-name') ?? '',
    abbreviation: textAt(listed, 'part-abbreviation') ?? '',
    staves: Array.from({ length: read.staves() }, (_, staff) => derivedUuid(`${uuid} staff ${staff + 1}`)),
    voices,
    measures,
  }
}

/** Reads measures one after another, and remembers what holds on from one to the next. */
function partReader(partUuid: string) {
  const voices = new Map<string, Voice>()
  let staves = 1
  let divisions = 1
  let attributes: MeasureAttributes = { clefs: [], key: undefined, time: undefined, transpose: undefined }

  function change(element: JsonElement): void {
    divisions = numberAt(element, 'divisions') || divisions
    staves = Math.max(staves, numberAt(element, 'staves') ?? 1)
    const clefs = [...attributes.clefs]
    for (const clef of all(element, 'clef')) clefs[Number(attribute(clef, 'number') ?? 1) - 1] = clef
    attributes = {
      clefs,
      key: first(element, 'key') ?? attributes.key,
      time: first(element, 'time') ?? attributes.time,
      transpose: first(element, 'transpose') ?? attributes.transpose,
    }
  }

  function voiceOf(note: JsonElement): Voice {
    const name = textAt(note, 'voice') ?? '1'
    const staff = (numberAt(note, 'staff') ?? 1) - 1
    const known = voices.get(name)
    if (known) return known
    const voice = { name, staff, uuid: derivedUuid(`${partUuid} voice ${name}`) }
    voices.set(name, voice)
    staves = Math.max(staves, staff + 1)
    return voice
  }

  return {
    staves: () => staves,
    voices: () => [...voices.values()],
    measure(element: JsonElement): PartMeasure {
      const uuid = attribute(element, 'uuid') ?? ''
      const notes = new Map<Voice, VoiceNote[]>()
      let atFirstNote: MeasureAttributes | undefined
      let cursor = 0
      let graces = 0
      let harmony: JsonElement | undefined
      let directions: JsonElement[] = []

      function add(note: JsonElement, index: number): void {
        atFirstNote ??= attributes
        const voice = voiceOf(note)
        const ofVoice = notes.get(voice) ?? []
        notes.set(voice, ofVoice)
        const id = `${uuid}-${partUuid}-${index}`
        const last = ofVoice.at(-1)
        if (first(note, 'grace') !== undefined) {
          graces++
        } else if (first(note, 'chord') !== undefined && last) {
          ofVoice[ofVoice.length - 1] = {
            ...last,
            elements: [...last.elements, note],
            ids: [...last.ids, id],
          }
        } else {
          const quarters = (numberAt(note, 'duration') ?? 0) / divisions
          const isRest = first(note, 'rest') !== undefined
          const staff = (numberAt(note, 'staff') ?? 1) - 1
          const own = { elements: [note], ids: [id], graces, isRest, onset: cursor, quarters, staff }
          ofVoice.push({ ...own, tuplet: tupletOf(note), harmony, directions })
          cursor += quarters
          graces = 0
          harmony = undefined
          directions = []
        }
      }
      for (const { name, element: child, index } of children(element)) {
        if (name === 'note') add(child, index)
        else if (name === 'attributes') change(child)
        else if (name === 'backup') cursor -= (numberAt(child, 'duration') ?? 0) / divisions
        else if (name === 'forward') cursor += (numberAt(child, 'duration') ?? 0) / divisions
        else if (name === 'harmony') harmony = child
        else if (name === 'direction') directions.push(child)
      }
      return {
        uuid,
        element,
        voices: [...notes].map(([voice, ofVoice]) => ({ voice, notes: ofVoice })),
        attributes: atFirstNote ?? attributes,
        divisions,
      }
    },
  }
}

const tupletNames: Readonly<Record<number, string>> = {
  2: 'duplet',
  3: 'triplet',
  4: 'quadruplet',
  5: 'quintuplet',
  6: 'sextuplet',
  7: 'septuplet',
  9: 'nonuplet',
  11: 'tuplet_11',
}

function tupletOf(note: JsonElement): string | undefined {
  const actual = numberAt(first(note, 'time-modification'), 'actual-notes')
  return actual === undefined ? undefined : tupletNames[actual]
}
