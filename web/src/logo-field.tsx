import { useId, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTexts } from './texts.ts'

const pictures = ['image/png', 'image/jpeg', 'image/webp']
const mostBytes = 100 * 1024

interface Props {
  /** Told the picture in base64, and nothing where it was taken away again. */
  onChoose(logo: string | undefined): void
  /** What the server says to it. */
  error: string | undefined
}

/** Chooses a picture, which is small enough to be read at once. */
export function LogoField({ onChoose, error }: Props) {
  const { text } = useTexts()
  const ids = { hint: useId(), state: useId() }
  const [name, setName] = useState<string>()
  const [isBad, setBad] = useState(false)

  async function choose(files: FileList | null) {
    const file = files?.[0]
    if (!file) return
    const isGood = pictures.includes(file.type) && file.size <= mostBytes
    setBad(!isGood)
    setName(isGood ? file.name : undefined)
    onChoose(isGood ? inBase64(new Uint8Array(await file.arrayBuffer())) : undefined)
  }

  function takeAway() {
    setName(undefined)
    onChoose(undefined)
  }

  const wrong = isBad ? text('apps.badLogo') : error
  return (
    <fieldset className="bare" aria-describedby={ids.hint}>
      <legend>{text('apps.logo')}</legend>
      <p id={ids.hint} className="hint">
        {text('apps.logoHint')}
      </p>
      <div className="buttons">
        <FileTrigger acceptedFileTypes={pictures} onSelect={choose}>
          <Button className="second" aria-describedby={ids.state}>
            {text('apps.logoChoose')}
          </Button>
        </FileTrigger>
        {name && (
          <Button className="second" onPress={takeAway}>
            {text('apps.logoRemove')}
          </Button>
        )}
      </div>
      <div id={ids.state} role="status">
        {wrong ? <span className="field-error">{wrong}</span> : name && <span className="hint">{name}</span>}
      </div>
    </fieldset>
  )
}

function inBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
