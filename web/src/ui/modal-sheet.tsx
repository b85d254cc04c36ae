import './dialog-sheet.css'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import type { DialogSheetProps } from './dialog-sheet.tsx'

/** The open dialog of `DialogSheet`. */
export default function ModalSheet({ title, role = 'dialog', onOpenChange, children }: DialogSheetProps) {
  return (
    <ModalOverlay className="overlay" isDismissable isOpen onOpenChange={onOpenChange}>
      <Modal>
        <Dialog role={role} className="dialog">
          {({ close }) => (
            <>
              <Heading slot="title">{title}</Heading>
              {children(close)}
            </>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
