import './copyable.css'
import { useRef, useState } from 'react'
import { useTexts } from '../app/texts.ts'
import { Button } from './buttons.tsx'

/** A code or key with a button that copies it to the clipboard. */
export function Copyable({ label, children }: { label: string; children: string }) {
  const { text } = useTexts()
  const shown = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState<boolean>()

  async function copy() {
    // Without https there is no clipboard API. The user can still copy the selected text by hand.
    if (shown.current) getSelection()?.selectAllChildren(shown.current)
    setCopied(
      await navigator.clipboard?.writeText(children).then(
        () => true,
        () => false,
      ),
    )
  }

  return (
    <div className="copyable">
      <code ref={shown} className={/^https?:/.test(children) ? 'secret link' : 'secret'}>
        {children}
      </code>
      <Button isSecondary onPress={copy} aria-label={text('app.copyNamed', { name: label })}>
        {text('app.copy')}
      </Button>
      <span role="status" className="hint">
        {isCopied ? text('app.copied') : isCopied === false ? text('app.selected') : ''}
      </span>
    </div>
  )
}
