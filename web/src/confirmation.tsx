import { Button } from 'react-aria-components/Button'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTexts } from './texts.ts'

interface Props {
  /** On the button. */
  action: string
  /** The same with what it is done to, for who does not see beside what the button stands. */
  label: string
  /** What follows from it. */
  consequence: string
  onConfirm(): void
}

/** A button for what cannot be undone: asks once more. */
export function Confirmation({ action, label, consequence, onConfirm }: Props) {
  const { text } = useTexts()
  return (
    <DialogTrigger>
      <Button className="second" aria-label={label}>
        {action}
      </Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal>
          <Dialog role="alertdialog" className="dialog">
            {({ close }) => (
              <>
                <Heading slot="title">{label}</Heading>
                <p>{consequence}</p>
                <div className="buttons">
                  <Button
                    onPress={() => {
                      close()
                      onConfirm()
                    }}
                  >
                    {action}
                  </Button>
                  <Button className="second" onPress={close} autoFocus>
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
