import { type ReactNode, Suspense } from 'react'
import { loadedWhenIdle } from './loaded-when-idle.ts'

export interface DialogSheetProps {
  title: string
  /** `alertdialog` asks for a decision. */
  role?: 'dialog' | 'alertdialog'
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
  children(close: () => void): ReactNode
}

const ModalSheet = loadedWhenIdle(() => import('./modal-sheet.tsx'))

/** A dialog above the page. Escape and a click beside it close it. The element that had the focus gets it back. */
export function DialogSheet(props: DialogSheetProps) {
  return <Suspense>{props.isOpen && <ModalSheet {...props} />}</Suspense>
}
