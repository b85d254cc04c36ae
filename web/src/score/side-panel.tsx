import './side-panel.css'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { IconName } from '../../../src/contract/icons.ts'
import { useTexts } from '../app/texts.ts'
import { Button } from '../ui/buttons.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from './icon-buttons.tsx'

/** The panels beside a score. One is shown at a time. */
export type PanelName = 'comments' | 'details' | 'view'

export interface Panels {
  readonly shown: PanelName | undefined
  show(name: PanelName): void
  close(): void
}

export function usePanels(): Panels {
  const [shown, setShown] = useState<PanelName>()
  return { shown, show: setShown, close: () => setShown(undefined) }
}

interface ButtonProps {
  name: PanelName
  panels: Panels
  icon: IconName
  children: ReactNode
}

/** Opens and closes a panel. */
export function PanelButton({ name, panels, icon, children }: ButtonProps) {
  const isShown = panels.shown === name
  return (
    <Button
      isSecondary
      id={`panel-button-${name}`}
      aria-expanded={isShown}
      aria-controls={`panel-${name}`}
      onPress={() => (isShown ? panels.close() : panels.show(name))}
    >
      <Icon name={icon} />
      {children}
    </Button>
  )
}

interface PanelProps {
  name: PanelName
  panels: Panels
  title: string
  children: ReactNode
}

/**
 * A panel beside the score, which stays usable. On a phone it covers the lower half of the window. Its title takes the focus when
 * it opens, and its button when it closes.
 */
export function SidePanel({ name, panels, title, children }: PanelProps) {
  const { text } = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const isShown = panels.shown === name
  useEffect(() => {
    if (isShown) heading.current?.focus({ preventScroll: true })
  }, [isShown])
  if (!isShown) return null
  function close() {
    panels.close()
    document.getElementById(`panel-button-${name}`)?.focus()
  }
  return (
    <aside
      id={`panel-${name}`}
      className="side-panel"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
    >
      <div className="side-panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon="close" label={text('app.close')} onPress={close} />
      </div>
      {/* A keyboard scrolls it also if it has nothing but text. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable */}
      <section className="side-panel-content" aria-label={title} tabIndex={0}>
        {children}
      </section>
    </aside>
  )
}
