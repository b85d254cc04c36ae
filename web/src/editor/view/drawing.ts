import type { ScoreDocument } from '../../../../src/music/model/document.ts'
import { measuresIn } from '../../../../src/music/editing/reading.ts'
import type { Changes } from '../../../../src/music/editing/session.ts'
import type { Engraver } from '../engraver/engraver.ts'
import { engravingXml, type MeasureRange } from '../engraver/engraving-xml.ts'

/** A line of music on the page. */
export interface DrawnLine {
  /** As the engraver has drawn it. */
  readonly text: string
  readonly measures: readonly string[]
}

/** The page that shows the lines. */
export interface LinesView {
  lines(): readonly DrawnLine[]
  /** Replaces lines: from the first index to the second one, which is exclusive. */
  replace(from: number, to: number, texts: readonly string[]): void
  /** The width of a line for the engraver. */
  width(): number
}

export interface Drawing {
  /** Draws the lines with the changed measures at once, and lays out the whole score a moment later. */
  show(document: ScoreDocument, changes: Changes | undefined): void
  /** Lays out the whole score again, because the width has changed. */
  layOut(): void
  /** Resolves when everything is drawn. */
  settled(): Promise<void>
  close(): void
}

/** Milliseconds after the last change until the whole score is laid out. */
const layoutDelay = 200

/** @param onFailure is called if the engraver cannot draw the score */
export function createDrawing(engraver: Engraver, view: LinesView, onFailure: () => void): Drawing {
  let current: ScoreDocument | undefined
  /** The measures that have changed since they were drawn, with the version that changed them last. */
  const dirty = new Map<string, number>()
  let version = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLaidOut = true
  let idle: PromiseWithResolvers<void> | undefined

  function settle(): void {
    if (!isLaidOut) return
    idle?.resolve()
    idle = undefined
  }

  /** The lines that have changed measures, and their measures. */
  function changedLines(
    document: ScoreDocument,
  ): { from: number; to: number; range: MeasureRange } | undefined {
    const lines = view.lines()
    const from = lines.findIndex(({ measures }) => measures.some((uuid) => dirty.has(uuid)))
    const to = lines.findLastIndex(({ measures }) => measures.some((uuid) => dirty.has(uuid))) + 1
    const first = lines[from]?.measures[0]
    const last = lines[to - 1]?.measures.at(-1)
    if (first === undefined || last === undefined) return undefined
    const uuids = measuresIn(document).map(({ uuid }) => uuid)
    const range = { from: uuids.indexOf(first), to: uuids.indexOf(last) + 1 }
    return range.from < 0 || range.to <= range.from ? undefined : { from, to, range }
  }

  async function drawLines(): Promise<void> {
    const document = current
    const found = document && changedLines(document)
    if (!document || !found) return
    const { from, to, range } = found
    const asked = version
    const before = view.lines()
    const isFull = to < before.length
    const texts = await engraver
      .engrave('lines', { xml: engravingXml(document, range), width: view.width(), isFull })
      .catch(() => undefined)
    // The whole score was laid out meanwhile.
    if (!texts || view.lines() !== before) return
    for (const [uuid, changed] of dirty) if (changed <= asked) dirty.delete(uuid)
    view.replace(from, to, texts)
  }

  async function drawWhole(): Promise<void> {
    if (!current) return
    const asked = version
    try {
      const texts = await engraver.engrave('whole', {
        xml: engravingXml(current),
        width: view.width(),
        isFull: false,
      })
      // Given up for a newer one, or the user has typed on: another layout follows.
      if (!texts || asked !== version) return
      dirty.clear()
      view.replace(0, view.lines().length, texts)
      isLaidOut = true
    } catch {
      isLaidOut = true
      onFailure()
    }
    settle()
  }

  function layOutLater(delay: number): void {
    clearTimeout(timer)
    isLaidOut = false
    timer = setTimeout(() => void drawWhole(), delay)
  }

  return {
    show(document, changes) {
      current = document
      version += 1
      if (!changes || view.lines().length === 0) return layOutLater(0)
      const isStructural = changes.isWhole || changes.added.length > 0 || changes.removed.length > 0
      for (const { measure } of changes.measures) dirty.set(measure, version)
      if (!isStructural) void drawLines()
      layOutLater(isStructural ? 0 : layoutDelay)
    },
    layOut: () => layOutLater(0),
    settled() {
      if (isLaidOut) return Promise.resolve()
      idle ??= Promise.withResolvers()
      return idle.promise
    },
    close() {
      clearTimeout(timer)
    },
  }
}
