import { useState } from 'react'
import { useTexts } from '../app/texts.ts'
import { Button } from './buttons.tsx'
import { DialogSheet } from './dialog-sheet.tsx'

interface Props {
  /** The text of the button. */
  action: string
  /** The action with the name of its object, for screen readers and as the title of the dialog. */
  label: string
  /** Explains what the action causes. */
  consequence: string
  /** The button is red among others that can be undone. */
  isDangerous?: boolean
  onConfirm(): void
}

/** A button for an action that cannot be undone. It opens a dialog that asks for confirmation. */
export function Confirmation({ action, label, consequence, isDangerous = false, onConfirm }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        className={isDangerous ? 'second dangerous' : 'second'}
        aria-label={label}
        onPress={() => setOpen(true)}
      >
        {action}
      </Button>
      {isOpen && (
        <DecisionDialog
          title={label}
          explanation={consequence}
          action={action}
          onConfirm={onConfirm}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

interface DecisionProps {
  title: string
  explanation: string
  action: string
  onConfirm(): void
  onClose(): void
}

/** A dialog that asks for confirmation. */
export function DecisionDialog({ title, explanation, action, onConfirm, onClose }: DecisionProps) {
  const { text } = useTexts()
  return (
    <DialogSheet role="alertdialog" title={title} isOpen onOpenChange={onClose}>
      {(close) => (
        <>
          <p>{explanation}</p>
          <div className="buttons">
            <Button
              onPress={() => {
                close()
                onConfirm()
              }}
            >
              {action}
            </Button>
            <Button isSecondary onPress={close} autoFocus>
              {text('app.cancel')}
            </Button>
          </div>
        </>
      )}
    </DialogSheet>
  )
}
