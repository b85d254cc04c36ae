import './toasts.css'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { useTexts } from '../app/texts.ts'
import { Button } from './buttons.tsx'
import { isTyping } from './shortcuts.tsx'

/** A message about something that has happened, which disappears by itself. */
export interface Toast {
  readonly message: string
  /** Takes back what has happened. */
  undo?(): void
  /** Something else that the user can do about it. */
  readonly action?: { readonly name: string; run(): void }
  /** The message stays until the user closes it. */
  readonly stays?: boolean
}

interface Shown extends Toast {
  readonly id: number
}

const ToastContext = createContext<((toast: Toast) => void) | undefined>(undefined)

/** Returns the function that shows a toast. */
export function useToast(): (toast: Toast) => void {
  const show = useContext(ToastContext)
  if (!show) throw new Error('useToast is used outside of Toasts')
  return show
}

/** Long enough to read the message. */
const lifetimeMs = 6_000
/** Long enough to read the message and to reach its button. */
const lifetimeWithButtonMs = 12_000
const maxShown = 3

/** Shows the toasts of the components inside. Ctrl+Z does what the button of the last toast does. */
export function Toasts({ children }: { children: ReactNode }) {
  const { text } = useTexts()
  const [shown, setShown] = useState<readonly Shown[]>([])
  const { show, remove } = useMemo(() => {
    let last = 0
    return {
      show(toast: Toast) {
        const id = ++last
        setShown((others) => [...others.slice(1 - maxShown), { ...toast, id }])
      },
      remove: (id: number) => setShown((all) => all.filter((one) => one.id !== id)),
    }
  }, [])

  const undoable = shown.findLast(({ undo }) => undo)
  useEffect(() => {
    if (!undoable) return
    const undo = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'z' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        isTyping(event)
      )
        return
      event.preventDefault()
      remove(undoable.id)
      undoable.undo?.()
    }
    addEventListener('keydown', undo)
    return () => removeEventListener('keydown', undo)
  }, [undoable, remove])

  return (
    <ToastContext value={show}>
      {children}
      <section aria-label={text('toasts.label')}>
        <div role="status" className="toasts">
          {shown.map((toast) => (
            <ToastCard key={toast.id} toast={toast} onClose={() => remove(toast.id)} />
          ))}
        </div>
      </section>
    </ToastContext>
  )
}

function ToastCard({ toast, onClose }: { toast: Toast; onClose(): void }) {
  const { text } = useTexts()
  // A user who points at the toast or has the focus in it is not hurried.
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld || toast.stays) return
    const timer = setTimeout(onClose, toast.undo || toast.action ? lifetimeWithButtonMs : lifetimeMs)
    return () => clearTimeout(timer)
  })
  return (
    <fieldset
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{toast.message}</span>
      {toast.action && <Button onPress={toast.action.run}>{toast.action.name}</Button>}
      {toast.undo && (
        <Button
          onPress={() => {
            onClose()
            toast.undo?.()
          }}
        >
          {text('toasts.undo')}
        </Button>
      )}
      <Button onPress={onClose} aria-label={text('toasts.close')}>
        ×
      </Button>
    </fieldset>
  )
}
