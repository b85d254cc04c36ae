import './shortcuts.css'
import { Fragment } from 'react'
import { useTexts } from '../app/texts.ts'
import { Button } from './buttons.tsx'
import { DialogSheet } from './dialog-sheet.tsx'
import { CheckboxField } from './fields.tsx'
import type { Shortcut } from './shortcuts.tsx'

interface Props {
  onOpenChange(isOpen: boolean): void
  shortcuts: readonly Shortcut[]
  isOn: boolean
  onTurn(isOn: boolean): void
}

/** The list of the shortcuts of a page, and the choice to turn single keys off. */
export default function ShortcutsSheet({ onOpenChange, shortcuts, isOn, onTurn }: Props) {
  const { text } = useTexts()
  const listed: readonly Pick<Shortcut, 'key' | 'text'>[] = [
    ...shortcuts,
    { key: 'Ctrl + Z', text: 'shortcuts.undo' },
    { key: '?', text: 'shortcuts.help' },
  ]
  return (
    <DialogSheet title={text('shortcuts.title')} isOpen onOpenChange={onOpenChange}>
      {(close) => (
        <>
          <dl className="shortcuts">
            {listed.map((one) => (
              <Fragment key={one.key}>
                <dt>
                  <kbd>{one.key === ' ' ? text('shortcuts.space') : one.key}</kbd>
                </dt>
                <dd>{text(one.text)}</dd>
              </Fragment>
            ))}
          </dl>
          <CheckboxField
            name="shortcuts"
            label={text('shortcuts.on')}
            hint={text('shortcuts.onHint')}
            isSelected={isOn}
            onChange={onTurn}
          />
          <div className="buttons">
            <Button isSecondary onPress={close}>
              {text('app.close')}
            </Button>
          </div>
        </>
      )}
    </DialogSheet>
  )
}
