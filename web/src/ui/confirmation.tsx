import './confirmation.css'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTexts } from '../app/texts.ts'
import { Button } from './buttons.tsx'

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
      <ModalOverlay className="overlay" isDismissable>
        <Modal>
          <Dialog role="alertdialog" className="dialog">
            {({ close }) => (
              <>
                <Heading slot="title">{label}</Heading>
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
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  )
}
