import type { ScoreDocument } from '../../../src/music/model/document.ts'
import { readOwnJson } from '../../../src/music/formats/json/read.ts'
import { partsIn, measuresIn } from '../../../src/music/editing/reading.ts'
import { createEditor, type Editor } from './model/editor.ts'
import type { Draft } from './saving/drafts.ts'

/** What the editor opens: the last revision, and what was changed on this device and is not saved yet. */
export interface OpenedScore {
  readonly revision: string
  /** The document in the JSON form. */
  readonly json: string
  readonly draft: Draft | undefined
}

export interface OpenedEditor {
  readonly editor: Editor
  /** The document that the server has, or that the operations of the draft begin with. */
  readonly base: ScoreDocument
  readonly revision: string
  readonly isRestored: boolean
}

/**
 * Opens a score with what is kept of it on this device. Undo takes the restored changes back, too.
 * @throws Failure if a document is none
 */
export function openEditor({ revision, json, draft }: OpenedScore): OpenedEditor {
  const base = readOwnJson(draft?.json ?? json)
  const [part] = partsIn(base)
  const [measure] = measuresIn(base)
  const editor = createEditor(base, {
    part: part?.uuid ?? '',
    measure: measure?.uuid ?? '',
    staff: 1,
    voice: 1,
    onset: 0,
  })
  const isRestored = draft !== undefined && (draft.operations.length > 0 || draft.json !== json)
  for (const operation of draft?.operations ?? []) editor.apply([operation])
  return { editor, base, revision: draft?.revision ?? revision, isRestored }
}
