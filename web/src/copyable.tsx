import { useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { useTexts } from './texts.ts'

/** Text to be taken along to letter: with a button that copies it. */
export function Copyable({ label, children }: { label: string; children: string }) {
  const { text } = useTexts()
  const shown = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState<boolean>()

  async function copy() {
    // Pages without https have no clipboard; what is selected can be copied by hand.
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
      <code ref={shown} className="secret">
        {children}
      </code>
      <Button className="second" onPress={copy} aria-label={text('app.copyNamed', { name: label })}>
        {text('app.copy')}
      </Button>
      <span role="status" className="hint">
        {isCopied ? text('app.copied') : isCopied === false ? text('app.selected') : ''}
      </span>
    </div>
  )
}
