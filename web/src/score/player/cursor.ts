import { createLights } from './lit-notes.ts'
import { scrollSmoothly, showSideways, visibleBand } from '../sheet/scrolling.ts'
import { drawBehind, type Sheet } from '../sheet/sheet.ts'
import type { Player } from './player.ts'

/** Space above and below the staves of a marked measure, in the units of a page. */
const margin = 45
/** Milliseconds after the reader has scrolled in which the page does not follow the music. */
const readerScrolls = 4000

/** Follows the music on the pages. */
export interface Cursor {
  stop(): void
}

/**
 * Marks the measure and the notes that sound and the passage of the loop, and scrolls to the music while it plays.
 * @param wantMore is called when the measure is on no page that was loaded
 */
export function startCursor(player: Player, sheet: Sheet, wantMore: () => void): Cursor {
  let marked: SVGRectElement | undefined
  let shownMeasure: string | undefined
  let loopMarks: SVGRectElement[] = []
  let loopKey = ''
  let frame = 0
  let jumps = -1
  let lastScroll = -readerScrolls
  const lights = createLights(player.music.notes, sheet)

  function show(): void {
    const { isPlaying, jumps: jumped } = player.state()
    const uuid = player.music.measures[player.measure()]?.uuid
    const hasJumped = jumped !== jumps
    if (uuid === shownMeasure && !hasJumped && marked?.isConnected) return
    const found = uuid === undefined ? undefined : sheet.find(uuid)
    marked?.remove()
    marked = undefined
    shownMeasure = uuid
    if (!found) {
      if (uuid !== undefined) wantMore()
      return
    }
    marked = drawBehind(found, 'sheet-cursor', margin)
    const isFirstShow = jumps === -1
    jumps = jumped
    if (!isFirstShow && (isPlaying || hasJumped)) follow(marked, hasJumped)
  }

  function follow(rect: SVGRectElement, isJump: boolean): void {
    if (!isJump && performance.now() - lastScroll < readerScrolls) return
    const place = rect.getBoundingClientRect()
    if (showSideways(place, !isJump)) return
    const { top, bottom } = place
    const { top: edge, bottom: end } = visibleBand()
    const isVisible = top >= edge + 8 && bottom <= end - 8
    // The next system is visible before the music reaches it.
    if (isVisible && (isJump || bottom <= edge + (end - edge) * 0.8)) return
    scrollSmoothly(top - edge - (end - edge) * 0.12)
  }

  function showLoop(): void {
    const { loop, isLooping } = player.state()
    const key = loop ? `${loop.start} ${loop.end} ${isLooping}` : ''
    if (key === loopKey && loopMarks.every((mark) => mark.isConnected)) return
    loopKey = key
    for (const mark of loopMarks) mark.remove()
    loopMarks = []
    if (!loop) return
    const inside = player.music.measures.filter(({ start, end }) => start < loop.end && end > loop.start)
    for (const uuid of new Set(inside.map((measure) => measure.uuid))) {
      const found = sheet.find(uuid)
      if (found) loopMarks.push(drawBehind(found, isLooping ? 'sheet-loop' : 'sheet-loop-off', margin))
    }
  }

  function update(): void {
    showLoop()
    show()
    const { isPlaying, jumps: jumped } = player.state()
    // At first, nothing has been chosen or heard.
    lights.show(isPlaying || jumped > 0 ? player.position() : undefined)
    cancelAnimationFrame(frame)
    if (isPlaying) frame = requestAnimationFrame(update)
  }
  function refresh(): void {
    loopKey = 'changed'
    update()
  }
  const noteScroll = () => {
    lastScroll = performance.now()
  }

  const ends = [player.subscribe(update), sheet.subscribe(refresh)]
  for (const type of ['wheel', 'touchmove'] as const) addEventListener(type, noteScroll, { passive: true })
  update()
  return {
    stop() {
      cancelAnimationFrame(frame)
      for (const end of ends) end()
      for (const type of ['wheel', 'touchmove'] as const) removeEventListener(type, noteScroll)
      marked?.remove()
      lights.show(undefined)
      for (const mark of loopMarks) mark.remove()
    },
  }
}
