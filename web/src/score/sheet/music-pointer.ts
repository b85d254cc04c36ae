import { measureOfNote } from '../player/lit-notes.ts'

/** What the pointer does on the pages of a score. */
export interface PointerHandlers {
  /** @param part the uuid of the part whose staves were clicked */
  onMeasure(uuid: string, part: string): void
  onNote(id: string, part: string): void
  /** The mouse was dragged from one measure to another. */
  onRange(from: string, to: string, part: string): void
}

const noteAt = ({ target }: Event): string | undefined =>
  target instanceof SVGElement ? target.dataset.note : undefined

function measureAt(event: Event): string | undefined {
  const note = noteAt(event)
  if (note !== undefined) return measureOfNote(note)
  return event.target instanceof SVGElement ? event.target.dataset.measure : undefined
}

/** Returns the part whose box is below the pointer, also if a note is above the box. */
function partAt({ clientX, clientY }: MouseEvent): string {
  const boxes = document.elementsFromPoint(clientX, clientY)
  const box = boxes.find((element) => element instanceof SVGElement && element.dataset.part !== undefined)
  return box instanceof SVGElement ? (box.dataset.part ?? '') : ''
}

/**
 * Tells which note or measure of the pages was clicked, and from which measure to which the mouse was dragged.
 * @param target the element that contains the pages
 * @returns a function that ends it
 */
export function watchPointer(target: HTMLElement, handlers: PointerHandlers): () => void {
  let from: string | undefined
  let part = ''
  let wasDragged = false
  const onDown = (event: PointerEvent) => {
    from = event.pointerType === 'mouse' && event.button === 0 ? measureAt(event) : undefined
    part = partAt(event)
    wasDragged = false
  }
  const onUp = (event: PointerEvent) => {
    const to = measureAt(event)
    wasDragged = from !== undefined && to !== undefined && to !== from
    if (wasDragged) handlers.onRange(from as string, to as string, part)
  }
  const onClick = (event: MouseEvent) => {
    if (wasDragged) return
    const [note, measure] = [noteAt(event), measureAt(event)]
    if (note !== undefined) handlers.onNote(note, partAt(event))
    else if (measure !== undefined) handlers.onMeasure(measure, partAt(event))
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
