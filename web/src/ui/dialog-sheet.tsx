import './dialog-sheet.css'
import type { ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

interface Props {
  title: string
  /** `alertdialog` asks for a decision. */
  role?: 'dialog' | 'alertdialog'
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
  children(close: () => void): ReactNode
}

/** A dialog above the page. Escape and a click beside it close it. The element that had the focus gets it back. */
export function DialogSheet({ title, role = 'dialog', isOpen, onOpenChange, children }: Props) {
  return (
    <ModalOverlay className="overlay" isDismissable isOpen={isOpen} onOpenChange={onOpenChange}>
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
