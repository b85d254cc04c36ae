/**
 * A score as a tree of MusicXML elements. The tree keeps everything that the file has, so the writer loses
 * nothing. Facts, timeline and other modules read the meaning of the notation from the tree.
 */
export interface Element {
  /** The element's name as written, with its prefix. */
  readonly name: string
  /** In the order in which they were written. */
  readonly attributes: Record<string, string>
  readonly children: Element[]
  /** Character data. An element has children or text, never both: MusicXML has no mixed content. */
  text: string
  /** The id of a part or a measure in all revisions (RFC 9562). MusicXML has no place for it, so its writer leaves it out. */
  uuid?: string
}

/** A whole score. The root is always `score-partwise`. The reader converts a `score-timewise` file. */
export interface ScoreDocument {
  readonly root: Element
  /** The reader has checked all that `documentFault` checks, with messages that name the place in the file. */
  readonly isChecked?: boolean
}

/** A prototype that inherits nothing. V8 stores an object whose own prototype is null less compactly. */
const emptyPrototype = Object.freeze(Object.create(null))

/** An empty record of attributes, in which every name is an ordinary key, even `__proto__` and `constructor`. */
export function newAttributes(): Record<string, string> {
  return Object.create(emptyPrototype)
}

/** Shared by elements without attributes. A document never changes after it has been read. */
export const noAttributes: Record<string, string> = Object.freeze(newAttributes())

/** The first child with this name. */
export function child(element: Element, name: string): Element | undefined {
  for (const candidate of element.children) if (candidate.name === name) return candidate
  return undefined
}

/** All children with this name, in document order. */
export function childrenNamed(element: Element, name: string): Element[] {
  return element.children.filter((candidate) => candidate.name === name)
}

/** The trimmed text of the first child with this name. */
export function childText(element: Element, name: string): string | undefined {
  return child(element, name)?.text.trim()
}

/** The parts in score order; never empty in a document that was read. */
export function partsOf(document: ScoreDocument): Element[] {
  return childrenNamed(document.root, 'part')
}

/** The measures of a part in score order. */
export function measuresOf(part: Element): Element[] {
  return childrenNamed(part, 'measure')
}
