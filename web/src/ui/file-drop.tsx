import './file-drop.css'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../app/texts.ts'

/** Takes files that the user drops anywhere on the page, and shows that it does while the user holds them over it. */
export function FileDrop({ onDrop }: { onDrop(files: readonly File[]): void }) {
  const { text } = useTexts()
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(onDrop)
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Without this, the browser would open the file.
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      take([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver ? <div className="file-drop">{text('upload.drop')}</div> : null
}
