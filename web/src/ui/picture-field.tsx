import './picture-field.css'
import { useId, useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTexts } from '../app/texts.ts'
import { toBase64 } from './base64.ts'
import { Button } from './buttons.tsx'

const mediaTypes = ['image/png', 'image/jpeg', 'image/webp']

interface Props {
  legend: string
  hint: string
  maxBytes: number
  /** The message about a file of another type, or a larger one. */
  invalid: string
  /** Gets the picture in base64 with the name of its file, or undefined if the user removes it. */
  onChoose(picture: { base64: string; name: string } | undefined): void
  /** What is chosen: the name of a file, or the address of a picture. */
  chosen: { name: string } | { address: string } | undefined
  /** The error of the server about the picture. */
  error: string | undefined
}

/** Chooses a picture from the files of the user, and shows which one is chosen. */
export function PictureField({ legend, hint, maxBytes, invalid, onChoose, chosen, error }: Props) {
  const { text } = useTexts()
  const ids = { legend: useId(), hint: useId(), state: useId() }
  const title = useRef<HTMLLegendElement>(null)
  const [isInvalid, setInvalid] = useState(false)

  async function choose(files: FileList | null) {
    const file = files?.[0]
    if (!file) return
    const isValid = mediaTypes.includes(file.type) && file.size <= maxBytes
    setInvalid(!isValid)
    if (isValid) onChoose({ base64: await toBase64(file), name: file.name })
  }

  function remove() {
    setInvalid(false)
    // The button that had the focus disappears.
    title.current?.focus()
    onChoose(undefined)
  }

  const problem = isInvalid ? invalid : error
  return (
    <fieldset className="bare" aria-describedby={ids.hint}>
      <legend id={ids.legend} ref={title} tabIndex={-1}>
        {legend}
      </legend>
      <p id={ids.hint} className="hint">
        {hint}
      </p>
      {chosen && 'address' in chosen && <img className="chosen-picture" src={chosen.address} alt={legend} />}
      <div className="buttons">
        <FileTrigger acceptedFileTypes={mediaTypes} onSelect={choose}>
          <Button isSecondary aria-describedby={ids.state}>
            {text('picture.choose')}
          </Button>
        </FileTrigger>
        {chosen && (
          <Button isSecondary onPress={remove} aria-describedby={ids.legend}>
            {text('picture.remove')}
          </Button>
        )}
      </div>
      <div id={ids.state} role="status">
        {problem ? (
          <span className="field-error">{problem}</span>
        ) : (
          chosen && 'name' in chosen && <span className="hint">{chosen.name}</span>
        )}
      </div>
    </fieldset>
  )
}
