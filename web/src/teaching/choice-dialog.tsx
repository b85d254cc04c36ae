import type { ReactNode } from 'react'
import { useTexts } from '../app/texts.ts'
import { Button } from '../ui/buttons.tsx'
import { DialogSheet } from '../ui/dialog-sheet.tsx'
import { Notice } from '../ui/notice.tsx'
import { resourceErrorText } from './resources.ts'

interface DialogProps {
  title: string
  explanation?: string
  error: unknown
  onClose(): void
  children: ReactNode
}

/** A dialog in which the teacher chooses a class, a folder or an assignment. The choice is its action. */
export function ChoiceDialog({ title, explanation, error, onClose, children }: DialogProps) {
  const texts = useTexts()
  return (
    <DialogSheet title={title} isOpen onOpenChange={onClose}>
      {() => (
        <>
          <Notice isError>{error ? resourceErrorText(texts, error) : undefined}</Notice>
          {explanation && <p>{explanation}</p>}
          {children}
          <div className="buttons">
            <Button isSecondary onPress={onClose}>
              {texts.text('app.cancel')}
            </Button>
          </div>
        </>
      )}
    </DialogSheet>
  )
}
