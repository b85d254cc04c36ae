import { buildPart, scorePartOf } from '../../model/builder/part.ts'
import { child, childrenNamed, childText, type Element, type ScoreDocument } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import type { Instrument } from '../../model/instruments/instrument.ts'
import { concertFifths, fifthsOfInterval, respelled } from '../../model/key-signature.ts'
import { fifthsOf } from '../../model/transposition/staff-state.ts'
import { withAttributes } from '../attributes.ts'
import { plainText } from '../directions/marks.ts'
import type { Outcome } from '../operation.ts'
import { measureRest } from '../overwrite.ts'
import type { PartEditor } from '../part-editor.ts'
import { refuse } from '../refusal.ts'
import { openSession, type Session, writeSession } from '../session.ts'

/** Adds a part with rests. */
export interface AddPart {
  readonly type: 'addPart'
  readonly instrument: Instrument
  /** A new uuid in lower case. */
  readonly uuid: string
  readonly name: string
  readonly shortName: string
  /** Its place in the score, from 0. At the end by default. */
  readonly to?: number
}

const mostParts = 100
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** @throws Refusal `invalidValue`, `tooManyParts` */
export function addPart(session: Session, { instrument, uuid, name, shortName, to }: AddPart): Outcome {
  const { document, parts } = session
  const place = to ?? parts.length
  const longName = plainText(name)
  if (!uuidForm.test(uuid) || parts.includes(uuid) || longName === '') refuse('invalidValue')
  if (!Number.isInteger(place) || place < 0 || place > parts.length) refuse('invalidValue')
  if (parts.length >= mostParts) refuse('tooManyParts')
  const first = session.part(parts[0] ?? refuse('noSuchPart'))
  const planned = {
    id: freeId(document),
    instrument,
    longName,
    shortName: plainText(shortName),
    channel: instrument.drums ? 10 : freeChannel(document),
    tablature: false,
  }
  const { time } = first.stateAt(0)
  const signature = {
    fifths: concertKeyIn(first, 0) ?? 0,
    beats: time?.beats ?? 4,
    beatType: time?.beatType ?? 4,
  }
  const uuids = first.measures.map((measure) => measure.uuid ?? '')
  const built = buildPart(planned, signature, uuid, uuids)
  const part = {
    ...built,
    children: built.children.map((measure, index) => likeMeasure(measure, first.measures[index])),
  }
  const listed = withPart(document, scorePartOf(planned), part, place)
  return { notes: [], score: { document: inTimeOf(listed, uuid, first) } }
}

/** The same number and bar lines as in another part. */
function likeMeasure(measure: Element, other: Element | undefined): Element {
  const notes = measure.children.filter(({ name }) => name !== 'barline')
  const barlines = childrenNamed(other ?? measure, 'barline')
  const isLeft = ({ attributes }: Element) => attributes.location === 'left'
  return {
    ...measure,
    attributes: { ...other?.attributes },
    children: [...barlines.filter(isLeft), ...notes, ...barlines.filter((one) => !isLeft(one))],
  }
}

/** Gives the new part the lengths, time and key signatures of another one. */
function inTimeOf(document: ScoreDocument, uuid: string, other: PartEditor): ScoreDocument {
  const session = openSession(document)
  const editor = session.part(uuid)
  const { transpose } = editor.stateAt(0)
  const isPitched = editor.measures[0]?.children.some((one) => child(one, 'key') !== undefined)
  for (const index of editor.measures.keys()) {
    const length = other.meterAt(index).length
    if (length !== editor.meterAt(index).length) {
      const model = editor.modelAt(index)
      const streams = model.streams.map((stream) => ({
        ...stream,
        events: [
          measureRest(length, {
            voice: stream.voice,
            staff: stream.staff,
            hasStaves: editor.stateAt(0).staves > 1,
          }),
        ],
      }))
      editor.replace(index, { ...model, streams, end: length })
    }
    if (index === 0) continue
    const concert = concertKeyIn(other, index)
    const fifths =
      concert !== undefined && transpose
        ? respelled(concert - fifthsOfInterval(transpose.chromatic, transpose.diatonic))
        : concert
    const added = [
      ...(fifths !== undefined && isPitched ? [node('key', [leaf('fifths', fifths)])] : []),
      ...attributesIn(other, index).filter(({ name }) => name === 'time'),
    ]
    if (added.length > 0) editor.replace(index, withAttributes(editor.modelAt(index), 0, added))
  }
  return writeSession(document, session.editors).document
}

/** The attributes at the start of a measure. */
const attributesIn = (editor: PartEditor, index: number): Element[] =>
  editor
    .modelAt(index)
    .marks.flatMap(({ element, onset }) =>
      element.name === 'attributes' && onset === 0 ? element.children : [],
    )

/** The concert key that begins with a measure. */
function concertKeyIn(editor: PartEditor, index: number): number | undefined {
  const key = attributesIn(editor, index).find(({ name }) => name === 'key')
  const fifths = key && fifthsOf(key)
  if (fifths === undefined) return undefined
  const { transpose } = editor.stateAt(index)
  const element =
    transpose &&
    node('transpose', [leaf('diatonic', transpose.diatonic), leaf('chromatic', transpose.chromatic)])
  return concertFifths(fifths, element)
}

function freeId(document: ScoreDocument): string {
  const used = new Set(entriesOf(document).map(({ attributes }) => attributes.id))
  let number = used.size + 1
  while (used.has(`P${number}`)) number += 1
  return `P${number}`
}

/** A MIDI channel without another part, if there is one. The tenth is for percussion. */
function freeChannel(document: ScoreDocument): number {
  const used = new Set(
    entriesOf(document).flatMap((entry) =>
      childrenNamed(entry, 'midi-instrument').map((one) => Number(childText(one, 'midi-channel'))),
    ),
  )
  for (let channel = 1; channel <= 16; channel++) if (channel !== 10 && !used.has(channel)) return channel
  return 1
}

function entriesOf(document: ScoreDocument): Element[] {
  const list = child(document.root, 'part-list')
  return list ? childrenNamed(list, 'score-part') : []
}

function withPart(document: ScoreDocument, entry: Element, part: Element, to: number): ScoreDocument {
  const children = insertedAt(document.root.children, 'part', part, to).map((one) =>
    one.name === 'part-list' ? { ...one, children: insertedAt(one.children, 'score-part', entry, to) } : one,
  )
  return { root: { ...document.root, children } }
}

/** Puts an element before the one of its name that has a place, or at the end. */
function insertedAt(elements: readonly Element[], name: string, added: Element, to: number): Element[] {
  const places = elements.flatMap((one, index) => (one.name === name ? [index] : []))
  return elements.toSpliced(places[to] ?? elements.length, 0, added)
}
