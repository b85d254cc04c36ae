import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type PointerHandlers, watchPointer } from './music-pointer.ts'

/** Calls the handlers of the last rendering when the pointer is used on the pages. */
export function useMusicPointer(host: RefObject<HTMLElement | null>, handlers: PointerHandlers): void {
  const onNote = useEffectEvent((id: string) => handlers.onNote(id))
  const onMeasure = useEffectEvent((uuid: string) => handlers.onMeasure(uuid))
  const onRange = useEffectEvent((from: string, to: string) => handlers.onRange(from, to))
  useEffect(() => {
    const target = host.current
    if (!target) return
    return watchPointer(target, {
      onNote: (id) => onNote(id),
      onMeasure: (uuid) => onMeasure(uuid),
      onRange: (from, to) => onRange(from, to),
    })
  }, [host])
}
