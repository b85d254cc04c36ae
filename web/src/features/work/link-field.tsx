import { useState } from 'react'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Field } from '../../ui/fields.tsx'
import { isWebAddress } from './attachments.ts'

/** Adds the address of a page to a list of attachments. */
export function LinkField({ onAdd }: { onAdd(url: string): void }) {
  const { text } = useTexts()
  const [value, setValue] = useState('')
  const [isInvalid, setInvalid] = useState(false)
  function add() {
    const url = value.trim()
    setInvalid(!isWebAddress(url))
    if (!isWebAddress(url)) return
    setValue('')
    onAdd(url)
  }
  return (
    <>
      <Field
        label={text('work.link')}
        hint={text('work.linkHint')}
        value={value}
        onChange={setValue}
        autoComplete="off"
        inputMode="url"
        maxLength={2000}
        // Enter would send the form around the field.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <p role="alert">{isInvalid && <span className="field-error">{text('work.badLink')}</span>}</p>
      <Button isSecondary onPress={add}>
        {text('work.attachLink')}
      </Button>
    </>
  )
}
