import { DialogTrigger } from 'react-aria-components/Dialog'
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
  onConfirm(): void
}

/** A button for an action that cannot be undone. It opens a dialog that asks for confirmation. */
export function Confirmation({ action, label, consequence: explanation, onConfirm }: Props) {
  const { text } = useTexts()
  return (
    <DialogTrigger>
      <Button isSecondary aria-label={label}>
        {action}
      </Button>
      <DialogSheet role="alertdialog" title={label}>
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
    </DialogTrigger>
  )
}
