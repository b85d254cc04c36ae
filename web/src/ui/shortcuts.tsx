import {
  createContext,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react'
import type { TextKey } from '../../../src/texts/catalogue.ts'
import { loadedWhenIdle } from './loaded-when-idle.ts'

/** A key that does something on a page. */
export interface Shortcut {
  /** The `key` of the keyboard event. */
  readonly key: string
  readonly text: TextKey
  run(): void
}

interface Registry {
  add(shortcuts: readonly Shortcut[]): () => void
  showHelp(): void
}

const RegistryContext = createContext<Registry | undefined>(undefined)

function useRegistry(): Registry {
  const registry = useContext(RegistryContext)
  if (!registry) throw new Error('Shortcuts are used outside of Shortcuts')
  return registry
}

/** Adds shortcuts while the component is shown. The sheet of shortcuts lists them. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const { add } = useRegistry()
  const keys = shortcuts.map(({ key }) => key).join(' ')
  const run = useEffectEvent((key: string) => shortcuts.find((one) => one.key === key)?.run())
  const current = useEffectEvent(() => shortcuts.map((one) => ({ ...one, run: () => run(one.key) })))
  useEffect(() => add(current()), [add, keys])
}

/** Returns the function that opens the sheet of shortcuts. */
export const useShortcutHelp = (): (() => void) => useRegistry().showHelp

/** Whether a key was pressed in a field, where it is text. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element &&
    target.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select')
  )
}

/** What a control does with keys of its own. */
const keysOfControls: readonly [keys: RegExp, controls: string][] = [
  [
    /^(?: |Enter)$/,
    'button, summary, input:not([type=range]), [role=checkbox], [role=switch], [role=option], [role=tab]',
  ],
  [
    /^(?:Arrow\w+|Page\w+|Home|End)$/,
    'input[type=radio], input[type=range], [role=tablist], [role=menu], [role=listbox], [role=grid], [role=slider], [role=separator]',
  ],
]

/** Whether the control with the focus uses a key itself: Space presses a button, an arrow goes to another tab. */
const isOfControl = ({ key, target }: KeyboardEvent): boolean =>
  target instanceof Element &&
  keysOfControls.some(([keys, controls]) => keys.test(key) && target.closest(controls) !== null)

const ShortcutsSheet = loadedWhenIdle(() => import('./shortcuts-sheet.tsx'))

const storageKey = 'partita.shortcuts'
const storedChoice = (): boolean => localStorage.getItem(storageKey) !== 'off'

/**
 * Runs the shortcuts of the components inside, and shows the list of them with `?`. A user who dictates, or hits keys by accident,
 * can turn single keys off.
 */
export function Shortcuts({ children }: { children: ReactNode }) {
  const [active, setActive] = useState<readonly (readonly Shortcut[])[]>([])
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isOn, setOn] = useState(storedChoice)
  const registry = useMemo(
    () => ({
      add(shortcuts: readonly Shortcut[]) {
        setActive((all) => [...all, shortcuts])
        return () => setActive((all) => all.filter((one) => one !== shortcuts))
      },
      showHelp: () => setHelpOpen(true),
    }),
    [],
  )
  const shortcuts = active.flat()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented
    if (!isOn || !isPlain || isTyping(event) || isOfControl(event) || document.querySelector('.overlay'))
      return
    const shortcut =
      event.key === '?' ? { run: registry.showHelp } : shortcuts.findLast(({ key }) => key === event.key)
    if (!shortcut) return
    event.preventDefault()
    shortcut.run()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

  function turn(isOn: boolean) {
    localStorage.setItem(storageKey, isOn ? 'on' : 'off')
    setOn(isOn)
  }

  return (
    <RegistryContext value={registry}>
      {children}
      <Suspense>
        {isHelpOpen && (
          <ShortcutsSheet onOpenChange={setHelpOpen} shortcuts={shortcuts} isOn={isOn} onTurn={turn} />
        )}
      </Suspense>
    </RegistryContext>
  )
}
