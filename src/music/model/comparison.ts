import {
  child,
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from './document.ts'
import { layoutAttributes } from './layout-attributes.ts'
import { countNoteChanges, describePart, type NoteChanges } from './statistics.ts'

/** What happened to a part in a measure that both scores have. */
export interface PartChange extends NoteChanges {
  /** The uuid of the part. */
  readonly part: string
  readonly name: string
  /** Something else than notes was changed: lyrics, dynamics, slurs, signs. */
  readonly hasOtherChanges: boolean
}

export interface MeasureChange {
  readonly uuid: string
  /** The number as written: of the later score, or of the earlier one if the measure was removed. */
  readonly number: string
  readonly change: 'added' | 'removed' | 'changed'
  /** The parts that were changed. Empty if the measure was added or removed. */
  readonly parts: PartChange[]
}

export interface ChangedPart {
  readonly uuid: string
  readonly name: string
  readonly change: 'added' | 'removed'
}

export interface ScoreComparison {
  readonly parts: ChangedPart[]
  /** In the order of the later score. A removed measure follows the one that it followed. */
  readonly measures: MeasureChange[]
}

/**
 * Compares two revisions of a score by measures and parts, which have the same uuid in both if they are the same. Layout does not
 * count, and neither does the unit of durations. A measure of a part that was added or removed counts only with its part.
 */
export function compareScores(before: ScoreDocument, after: ScoreDocument): ScoreComparison {
  const [old, current] = [describe(before), describe(after)]
  return { parts: changedParts(old, current), measures: changedMeasures(old, current) }
}

interface DescribedScore {
  /** The uuids and numbers of the measures, in order. */
  readonly columns: ReadonlyMap<string, string>
  readonly parts: ReadonlyMap<string, DescribedPart>
}

interface DescribedPart {
  readonly name: string
  readonly measures: ReadonlyMap<string, { readonly notes: readonly string[]; readonly content: string }>
}

function describe(document: ScoreDocument): DescribedScore {
  const list = child(document.root, 'part-list')
  const entries = list ? childrenNamed(list, 'score-part') : []
  const columns = new Map<string, string>()
  const parts = new Map<string, DescribedPart>()
  for (const part of partsOf(document)) {
    const measures = measuresOf(part)
    for (const [index, { uuid = '', attributes }] of measures.entries())
      if (!columns.has(uuid)) columns.set(uuid, attributes.number ?? String(index + 1))
    const entry = entries.find(({ attributes }) => attributes.id === part.attributes.id)
    const notes = describePart(part)
    parts.set(part.uuid ?? '', {
      name: (entry && childText(entry, 'part-name')) ?? '',
      measures: new Map(
        measures.map((measure, index) => [
          measure.uuid ?? '',
          { notes: notes[index]?.notes ?? [], content: contentOf(measure, true) },
        ]),
      ),
    })
  }
  return { columns, parts }
}

const changedParts = (old: DescribedScore, current: DescribedScore): ChangedPart[] => [
  ...[...current.parts].flatMap(([uuid, { name }]) =>
    old.parts.has(uuid) ? [] : [{ uuid, name, change: 'added' as const }],
  ),
  ...[...old.parts].flatMap(([uuid, { name }]) =>
    current.parts.has(uuid) ? [] : [{ uuid, name, change: 'removed' as const }],
  ),
]

function changedMeasures(old: DescribedScore, current: DescribedScore): MeasureChange[] {
  const removed = removedAfter(old, current)
  const changes: MeasureChange[] = [...(removed.get(undefined) ?? [])]
  for (const [uuid, number] of current.columns) {
    if (old.columns.has(uuid)) {
      const parts = partChanges(old, current, uuid)
      if (parts.length > 0) changes.push({ uuid, number, change: 'changed', parts })
    } else changes.push({ uuid, number, change: 'added', parts: [] })
    changes.push(...(removed.get(uuid) ?? []))
  }
  return changes
}

/** The removed measures by the uuid of the measure before them that is still there. */
function removedAfter(
  old: DescribedScore,
  current: DescribedScore,
): Map<string | undefined, MeasureChange[]> {
  const removed = new Map<string | undefined, MeasureChange[]>()
  let last: string | undefined
  for (const [uuid, number] of old.columns) {
    if (current.columns.has(uuid)) last = uuid
    else removed.set(last, [...(removed.get(last) ?? []), { uuid, number, change: 'removed', parts: [] }])
  }
  return removed
}

function partChanges(old: DescribedScore, current: DescribedScore, measure: string): PartChange[] {
  return [...current.parts].flatMap(([part, { name, measures }]) => {
    const partBefore = old.parts.get(part)
    const [was, is] = [partBefore?.measures.get(measure), measures.get(measure)]
    if (!partBefore || was?.content === is?.content) return []
    const notes = countNoteChanges(was?.notes ?? [], is?.notes ?? [])
    return { part, name, ...notes, hasOtherChanges: notes.additions + notes.deletions === 0 }
  })
}

/** What a comparison leaves out: layout, and the unit of durations. The types of the notes are compared. */
const left: ReadonlySet<string> = new Set(['print', 'divisions', 'duration', 'backup', 'forward'])

function contentOf(element: Element, isMeasure = false): string {
  if (left.has(element.name)) return ''
  const attributes = isMeasure
    ? []
    : Object.entries(element.attributes)
        .filter(([name]) => !layoutAttributes.has(name))
        .map((pair) => pair.join('='))
  const inner = element.children.map((one) => contentOf(one)).join('')
  // A list of attributes that had nothing but divisions says nothing.
  if (element.name === 'attributes' && inner === '') return ''
  return `<${element.name} ${attributes.sort().join(' ')}>${inner || JSON.stringify(element.text)}</>`
}
