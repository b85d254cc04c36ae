import { chordSymbolOf } from './chord-symbol.ts'
import {
  child,
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from './document.ts'
import { walkMeasure } from './measure-walk.ts'
import { type MeasureItem, noteItemOf, tupletOf } from './measure-items.ts'

/** What is in a staff of a measure: the items of each voice, in the order of time. */
export interface StaffContents {
  /** From 1. */
  readonly staff: number
  readonly voices: readonly (readonly MeasureItem[])[]
}

export interface MeasureContents {
  readonly uuid: string
  /** The number that is printed, which need not be one. */
  readonly number: string
  /** What holds for all parts: time signature, tempo, repeats, rehearsal marks. */
  readonly signs: readonly MeasureItem[]
  /** In score order, one for each part. */
  readonly parts: readonly (readonly StaffContents[])[]
}

/** What is written in each measure, for programs that describe a score in words. */
export interface ScoreContents {
  readonly parts: readonly { readonly uuid: string; readonly name: string; readonly staves: number }[]
  readonly measures: readonly MeasureContents[]
}

/**
 * Returns what is written in each measure of a document, in score order: notes, rests and lyrics, key and time signatures, tempo,
 * dynamics, repeats and chord symbols. Pitches are the written ones. Hidden and cue notes are left out.
 * @param document with the uuids of its parts and measures
 */
export function scoreContentsOf(document: ScoreDocument): ScoreContents {
  const elements = partsOf(document)
  const list = child(document.root, 'part-list')
  const entries = list ? childrenNamed(list, 'score-part') : []
  const nameOf = (part: Element, index: number) => {
    const entry = entries.find(({ attributes }) => attributes.id === part.attributes.id) ?? entries[index]
    return (entry && childText(entry, 'part-name')) ?? ''
  }
  const parts = elements.map(partContentsOf)
  const longest = elements.map(measuresOf).reduce((a, b) => (b.length > a.length ? b : a), [])
  return {
    parts: elements.map((part, index) => ({
      uuid: part.uuid ?? '',
      name: nameOf(part, index),
      staves: parts[index]?.staves ?? 1,
    })),
    measures: longest.map(({ uuid = '', attributes }, index) => {
      const signs = new Map<string, MeasureItem>()
      for (const { measures } of parts)
        for (const sign of measures[index]?.signs ?? []) signs.set(JSON.stringify(sign), sign)
      return {
        uuid,
        number: attributes.number ?? String(index + 1),
        signs: [...signs.values()],
        parts: parts.map(({ measures }) => measures[index]?.staves ?? []),
      }
    }),
  }
}

interface PartMeasure {
  readonly signs: readonly MeasureItem[]
  readonly staves: readonly StaffContents[]
}

function partContentsOf(part: Element): { staves: number; measures: readonly PartMeasure[] } {
  let divisions = 1
  let staves = 1
  const measures = measuresOf(part).map((measure) => {
    const reader = measureReader()
    divisions = walkMeasure(measure, divisions, reader.visit).divisions
    const read = reader.result()
    staves = Math.max(staves, ...read.staves.map(({ staff }) => staff))
    return read
  })
  return { staves, measures }
}

interface PlacedItem {
  readonly onset: number
  readonly item: MeasureItem
}

const staffOf = (element: Element): number => Number(childText(element, 'staff')) || 1

function measureReader() {
  const signs: MeasureItem[] = []
  /** By staff, then by voice. */
  const notes = new Map<number, Map<string, PlacedItem[]>>()
  /** Marks of a staff, which belong to none of its voices. */
  const marks = new Map<number, PlacedItem[]>()
  const mark = (staff: number, onset: number, item: MeasureItem) => {
    marks.set(staff, [...(marks.get(staff) ?? []), { onset, item }])
  }

  function addNote(element: Element, onset: number): void {
    const item = noteItemOf(element)
    if (!item) return
    const staff = staffOf(element)
    const voices = notes.get(staff) ?? new Map<string, PlacedItem[]>()
    notes.set(staff, voices)
    const voice = childText(element, 'voice') ?? '1'
    const items = voices.get(voice) ?? []
    voices.set(voice, items)
    const last = items.at(-1)?.item
    if (child(element, 'chord') && item.type === 'notes' && last?.type === 'notes') {
      last.pitches.push(...item.pitches)
      return
    }
    const tuplet = tupletOf(element)
    if (tuplet) items.push({ onset, item: tuplet })
    items.push({ onset, item })
  }

  function addAttributes(element: Element, onset: number): void {
    for (const key of childrenNamed(element, 'key')) {
      const fifths = Number(childText(key, 'fifths') ?? Number.NaN)
      const mode = childText(key, 'mode')
      if (Number.isInteger(fifths))
        mark(Number(key.attributes.number) || 1, onset, { type: 'key', fifths, ...(mode && { mode }) })
    }
    for (const time of childrenNamed(element, 'time')) {
      const beats = childrenNamed(time, 'beats').map(({ text }) => text.trim())
      const types = childrenNamed(time, 'beat-type').map(({ text }) => text.trim())
      if (beats.length > 0)
        signs.push({ type: 'time', meter: beats.map((beat, i) => `${beat}/${types[i] ?? ''}`).join(' + ') })
    }
  }

  function addDirection(element: Element, onset: number): void {
    const types = childrenNamed(element, 'direction-type').flatMap(({ children }) => children)
    const words = types
      .filter(({ name }) => name === 'words')
      .map(({ text }) => text.trim())
      .filter(Boolean)
      .join(' ')
    const metronome = types.find(({ name }) => name === 'metronome')
    const isTempo = metronome ?? child(element, 'sound')?.attributes.tempo
    if (isTempo && (metronome || words)) signs.push(tempoItem(words, metronome))
    else if (words) mark(staffOf(element), onset, { type: 'words', text: words })
    for (const { name, text, children, attributes } of types) {
      if (name === 'rehearsal') signs.push({ type: 'rehearsal', text: text.trim() })
      else if (name === 'segno' || name === 'coda') signs.push({ type: name })
      else if (name === 'dynamics')
        for (const { name: level, text: other } of children)
          mark(staffOf(element), onset, {
            type: 'dynamics',
            mark: level === 'other-dynamics' ? other.trim() : level,
          })
      else if (name === 'wedge' && attributes.type && attributes.type !== 'continue')
        mark(staffOf(element), onset, { type: 'wedge', change: attributes.type })
    }
  }

  function addBarline(element: Element): void {
    for (const { name, attributes, text } of element.children) {
      if (name === 'repeat')
        signs.push({ type: attributes.direction === 'forward' ? 'repeatStart' : 'repeatEnd' })
      else if (name === 'ending' && attributes.type === 'start')
        signs.push({ type: 'ending', text: text.trim() || (attributes.number ?? '') })
      else if (name === 'segno' || name === 'coda') signs.push({ type: name })
    }
  }

  return {
    visit(element: Element, onset: number): void {
      if (element.name === 'note') addNote(element, onset)
      else if (element.name === 'attributes') addAttributes(element, onset)
      else if (element.name === 'direction') addDirection(element, onset)
      else if (element.name === 'barline') addBarline(element)
      else if (element.name === 'harmony') {
        const text = chordSymbolOf(element)
        if (text) mark(staffOf(element), onset, { type: 'chordSymbol', text })
      }
    },
    result(): PartMeasure {
      const numbers = [...new Set([...notes.keys(), ...marks.keys()])].sort((a, b) => a - b)
      const staves = numbers.map((staff) => {
        const [first = [], ...others] = [...(notes.get(staff)?.values() ?? [])]
        // The sort keeps the order of equal onsets, so a mark comes before its note.
        const withMarks = [...(marks.get(staff) ?? []), ...first].sort((a, b) => a.onset - b.onset)
        return { staff, voices: [withMarks, ...others].map((items) => items.map(({ item }) => item)) }
      })
      return { signs, staves }
    },
  }
}

function tempoItem(words: string, metronome: Element | undefined): MeasureItem {
  const value = metronome && childText(metronome, 'beat-unit')
  const perMinute = metronome && childText(metronome, 'per-minute')
  const dots = metronome ? childrenNamed(metronome, 'beat-unit-dot').length : 0
  return {
    type: 'tempo',
    ...(words && { text: words }),
    ...(value && perMinute && { value, perMinute, ...(dots && { dots }) }),
  }
}
