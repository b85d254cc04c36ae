import { useEffect, useEffectEvent, useRef } from 'react'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'

/** Reads on before the user reaches the end of a list. */
export function MoreWhenSeen({ onSeen }: { onSeen(): void }) {
  const { text } = useTexts()
  const end = useRef<HTMLDivElement>(null)
  const see = useEffectEvent(onSeen)
  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && see(), {
      rootMargin: '1200px',
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={end}>
      <Button isSecondary onPress={onSeen}>
        {text('library.more')}
      </Button>
    </div>
  )
}
