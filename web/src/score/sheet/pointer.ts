import { type RefObject, useEffect, useEffectEvent } from 'react'
import { type PointerHandlers, watchPointer } from './music-pointer.ts'

/** Calls the handlers of the last rendering when the pointer is used on the pages. */
export function useMusicPointer(host: RefObject<HTMLElement | null>, handlers: PointerHandlers): void {
  const onNote = useEffectEvent((id: string, part: string) => handlers.onNote(id, part))
  const onMeasure = useEffectEvent((uuid: string, part: string) => handlers.onMeasure(uuid, part))
  const onRange = useEffectEvent((from: string, to: string, part: string) => handlers.onRange(from, to, part))
  useEffect(() => {
    const target = host.current
    if (!target) return
    return watchPointer(target, {
      onNote: (id, part) => onNote(id, part),
      onMeasure: (uuid, part) => onMeasure(uuid, part),
      onRange: (from, to, part) => onRange(from, to, part),
    })
  }, [host])
}
