import { type Element, partsOf, type ScoreDocument } from '../model/document.ts'
import { partUuidsOf } from '../model/parts.ts'
import { noteIdOf } from '../model/note-ids.ts'
import { withAccidentals } from './accidentals.ts'
import { withBeams, writesBeams } from './beams.ts'
import type { MeasureModel } from './measure-model.ts'
import { isSamePitch, type Pitch, pitchOfNote, withChildren } from './note-element.ts'
import { editPart, type PartEditor, streamPlace } from './part-editor.ts'
import {
  looseSpanners,
  notesOfModel,
  spannersChanged,
  withoutLooseTies,
  withoutSigns,
} from './repair-spanners.ts'
import { writeMeasure } from './write-measure.ts'

/** A measure of a part. */
export interface MeasurePlace {
  readonly part: string
  readonly measure: string
}

/** What an operation has changed. */
export interface Changes {
  /** The measures with other contents, in score order. */
  readonly measures: readonly MeasurePlace[]
  /** The uuids of measures that all parts have gained or lost. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Names, the list of parts, or much of the score has changed. */
  readonly isWhole: boolean
}

/** The parts that an operation edits. */
export interface Session {
  readonly document: ScoreDocument
  /** @throws Refusal `noSuchPart` */
  part(uuid: string): PartEditor
  /** The uuids of all parts, in score order. */
  readonly parts: readonly string[]
}

export function openSession(
  document: ScoreDocument,
): Session & { readonly editors: ReadonlyMap<string, PartEditor> } {
  const editors = new Map<string, PartEditor>()
  return {
    document,
    editors,
    parts: partUuidsOf(document),
    part(uuid) {
      const editor = editors.get(uuid) ?? editPart(document, uuid)
      editors.set(uuid, editor)
      return editor
    },
  }
}

/** The notes of an event, or one of them. */
export interface SelectedNotes {
  readonly part: string
  /** The index of the measure. */
  readonly index: number
  readonly staff: number
  readonly voice: number
  readonly onset: number
  /** The place among the events of the voice. By default the event at that time that is no grace note. */
  readonly event?: number
  readonly pitch?: Pitch | undefined
}

interface Written {
  readonly document: ScoreDocument
  readonly changes: Changes
  readonly idsOf: (selected: SelectedNotes) => string[]
}

/** Writes the measures that were replaced. All other elements are those of the document before. */
export function writeSession(document: ScoreDocument, editors: ReadonlyMap<string, PartEditor>): Written {
  const measures: MeasurePlace[] = []
  const parts = new Map<Element, Element>()
  const places = new Map<Element, string>()
  for (const part of partsOf(document)) {
    const editor = part.uuid === undefined ? undefined : editors.get(part.uuid)
    if (editor === undefined || editor.changed.size === 0) continue
    const written = new Map<Element, Element>()
    repair(editor)
    for (const [index, model] of [...editor.changed].sort(([a], [b]) => a - b)) {
      const before = editor.measures[index]
      if (before === undefined) continue
      const uuid = before.uuid ?? ''
      const { element, places: inMeasure } = writeMeasure(model, index === editor.measures.length - 1)
      for (const [note, place] of inMeasure) places.set(note, noteIdOf(uuid, editor.uuid, place))
      written.set(before, element)
      measures.push({ part: editor.uuid, measure: uuid })
    }
    parts.set(part, { ...part, children: part.children.map((one) => written.get(one) ?? one) })
  }
  const root = { ...document.root, children: document.root.children.map((one) => parts.get(one) ?? one) }
  return {
    document: measures.length > 0 ? { root } : document,
    changes: { measures, added: [], removed: [], isWhole: false },
    idsOf({ part, index, staff, voice, onset, event, pitch }) {
      const editor = editors.get(part)
      if (editor === undefined) return []
      const stream = editor.modelAt(index).streams[streamPlace(editor, index, staff, voice)]
      const found =
        stream?.events[event ?? stream.events.findIndex((one) => one.onset === onset && !one.isGrace)]
      const notes = found?.notes ?? []
      return notes.flatMap((note) =>
        pitch && !isSamePitch(pitchOfNote(note), pitch) ? [] : (places.get(note) ?? []),
      )
    },
  }
}

/** Repairs what an operation has left between the notes that it has changed and the others: ties, slurs, accidentals, beams. */
function repair(editor: PartEditor): void {
  const original = editor.measures.map((_, index) => editor.originalAt(index))
  const touched = [...editor.changed.keys()]
  const from = Math.max(0, Math.min(...touched) - 1)
  const to = Math.min(editor.measures.length, Math.max(...touched) + 2)
  const range = Array.from({ length: to - from }, (_, index) => from + index)
  const replaceAll = (models: readonly MeasureModel[], first: number) => {
    for (const [place, model] of models.entries())
      if (model !== editor.modelAt(first + place)) editor.replace(first + place, model)
  }
  replaceAll(
    withoutLooseTies(
      {
        models: range.map((index) => original[index] as MeasureModel),
        lengths: range.map((index) => editor.originalLengthAt(index)),
      },
      {
        models: range.map((index) => editor.modelAt(index)),
        lengths: range.map((index) => editor.meterAt(index).length),
      },
    ),
    from,
  )
  if (
    spannersChanged(
      touched.map((index) => original[index] as MeasureModel),
      touched.map(editor.modelAt),
    )
  ) {
    const present = original.map((_, index) => editor.modelAt(index))
    const loose = looseSpanners(original.flatMap(notesOfModel), present.flatMap(notesOfModel))
    if (loose.size > 0)
      replaceAll(
        present.map((model) => withoutSigns(model, loose)),
        0,
      )
  }
  const isBeamed = writesBeams(original)
  for (const [index, model] of [...editor.changed]) {
    const before = original[index] as MeasureModel
    const signed = withAccidentals(
      { model: before, keys: editor.originalStateAt(index).keys },
      { model, keys: editor.stateAt(index).keys },
    )
    const stemmed = withFreeStems(before, signed)
    editor.replace(index, isBeamed ? withBeams(before, stemmed, editor.meterAt(index)) : stemmed)
  }
}

/** A staff with another number of voices than before has stems in other directions. */
function withFreeStems(before: MeasureModel, after: MeasureModel): MeasureModel {
  const voicesOf = ({ streams }: MeasureModel, staff: number) =>
    streams.filter((stream) => stream.staff === staff && stream.events.length > 0).length
  const streams = after.streams.map((stream) => {
    if (voicesOf(before, stream.staff) === voicesOf(after, stream.staff)) return stream
    const events = stream.events.map((event) => ({
      ...event,
      notes: event.notes.map((note) => withChildren(note, 'stem', [])),
    }))
    return { ...stream, events }
  })
  return { ...after, streams }
}
