import type { Method } from '../protocol.ts'

/** Methods by which an editor is driven. The client calls some of them by name with `call`. */
const names = ['edit', 'setNoteColor', 'toolbar', 'undo', 'redo', 'addMeasure'] as const

function refuse(): never {
  throw new Error('This embed shows scores. It has no editor yet.')
}

export const editingMethods: Readonly<Record<string, Method>> = Object.fromEntries(
  names.map((name) => [name, refuse]),
)
