import type { DrawnLine, LinesView } from './drawing.ts'
import { createGlyphs, readLine } from './safe-svg.ts'

interface ShownLine extends DrawnLine {
  readonly svg: SVGSVGElement
}

/** The lines of music in the document of the page. */
export interface MusicLines extends LinesView {
  lines(): readonly ShownLine[]
  /** Finds the line with a measure. */
  lineOf(measure: string): ShownLine | undefined
}

/** Pixels of the height of a staff, and the units of the engraver for the same. */
const staffPixels = 34
const staffUnits = 72

/**
 * @param host the element that contains the lines
 * @param onReplaced is called after lines were replaced. It returns the element that must not move in the window
 */
export function createLines(
  host: HTMLElement,
  anchor: () => Element | null,
  onReplaced: () => void,
): MusicLines {
  const glyphs = createGlyphs()
  host.before(glyphs.svg)
  let shown: readonly ShownLine[] = []

  return {
    lines: () => shown,
    lineOf: (measure) => shown.find(({ measures }) => measures.includes(measure)),
    width: () => Math.round((host.clientWidth / staffPixels) * staffUnits),
    replace(from, to, texts) {
      const top = anchor()?.getBoundingClientRect().top
      const old = shown.slice(from, to)
      const created = texts.map((text, index): ShownLine => {
        const same = old[index]?.text === text ? old[index] : undefined
        return same ?? { text, ...readLine(text, glyphs) }
      })
      for (const [index, line] of created.entries()) {
        const before = old[index]
        if (before === line) continue
        line.svg.classList.add('editor-line')
        if (before) before.svg.replaceWith(line.svg)
        else {
          const previous = created[index - 1]?.svg ?? shown[from - 1]?.svg
          if (previous) previous.after(line.svg)
          else host.prepend(line.svg)
        }
      }
      for (const { svg } of old.slice(created.length)) svg.remove()
      shown = [...shown.slice(0, from), ...created, ...shown.slice(to)]
      onReplaced()
      const now = anchor()?.getBoundingClientRect().top
      if (top !== undefined && now !== undefined && Math.abs(now - top) > 1)
        scrollBy({ top: now - top, behavior: 'instant' })
    },
  }
}
