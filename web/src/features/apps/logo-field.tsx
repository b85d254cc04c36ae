import { useId, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { maxLogoBytes } from '../../../../src/contract/account-limits.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'

const mediaTypes = ['image/png', 'image/jpeg', 'image/webp']

interface Props {
  /** Gets the picture in base64, or undefined if the user removes it. */
  onChoose(logo: string | undefined): void
  /** The error of the server about the picture. */
  error: string | undefined
}

/** Chooses a picture from the files of the user. */
export function LogoField({ onChoose, error }: Props) {
  const { text } = useTexts()
  const ids = { hint: useId(), state: useId() }
  const [name, setName] = useState<string>()
  const [isInvalid, setInvalid] = useState(false)

  async function choose(files: FileList | null) {
    const file = files?.[0]
    if (!file) return
    const isValid = mediaTypes.includes(file.type) && file.size <= maxLogoBytes
    setInvalid(!isValid)
    setName(isValid ? file.name : undefined)
    onChoose(isValid ? toBase64(new Uint8Array(await file.arrayBuffer())) : undefined)
  }

  function remove() {
    setName(undefined)
    onChoose(undefined)
  }

  const problem = isInvalid ? text('apps.badLogo') : error
  return (
    <fieldset className="bare" aria-describedby={ids.hint}>
      <legend>{text('apps.logo')}</legend>
      <p id={ids.hint} className="hint">
        {text('apps.logoHint')}
      </p>
      <div className="buttons">
        <FileTrigger acceptedFileTypes={mediaTypes} onSelect={choose}>
          <Button isSecondary aria-describedby={ids.state}>
            {text('apps.logoChoose')}
          </Button>
        </FileTrigger>
        {name && (
          <Button isSecondary onPress={remove}>
            {text('apps.logoRemove')}
          </Button>
        )}
      </div>
      <div id={ids.state} role="status">
        {problem ? (
          <span className="field-error">{problem}</span>
        ) : (
          name && <span className="hint">{name}</span>
        )}
      </div>
    </fieldset>
  )
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
