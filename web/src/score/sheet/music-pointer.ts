import { measureOfNote } from '../player/lit-notes.ts'

/** What the pointer does on the pages of a score. */
export interface PointerHandlers {
  onMeasure(uuid: string): void
  onNote(id: string): void
  /** The mouse was dragged from one measure to another. */
  onRange(from: string, to: string): void
}

const noteAt = ({ target }: Event): string | undefined =>
  target instanceof SVGElement ? target.dataset.note : undefined

function measureAt(event: Event): string | undefined {
  const note = noteAt(event)
  if (note !== undefined) return measureOfNote(note)
  return event.target instanceof SVGElement ? event.target.dataset.measure : undefined
}

/**
 * Tells which note or measure of the pages was clicked, and from which measure to which the mouse was dragged.
 * @param target the element that contains the pages
 * @returns a function that ends it
 */
export function watchPointer(target: HTMLElement, handlers: PointerHandlers): () => void {
  let from: string | undefined
  let wasDragged = false
  const onDown = (event: PointerEvent) => {
    from = event.pointerType === 'mouse' && event.button === 0 ? measureAt(event) : undefined
    wasDragged = false
  }
  const onUp = (event: PointerEvent) => {
    const to = measureAt(event)
    wasDragged = from !== undefined && to !== undefined && to !== from
    if (wasDragged) handlers.onRange(from as string, to as string)
  }
  const onClick = (event: MouseEvent) => {
    if (wasDragged) return
    const [note, measure] = [noteAt(event), measureAt(event)]
    if (note !== undefined) handlers.onNote(note)
    else if (measure !== undefined) handlers.onMeasure(measure)
  }
  target.addEventListener('pointerdown', onDown)
  target.addEventListener('pointerup', onUp)
  target.addEventListener('click', onClick)
  return () => {
    target.removeEventListener('pointerdown', onDown)
    target.removeEventListener('pointerup', onUp)
    target.removeEventListener('click', onClick)
  }
}
