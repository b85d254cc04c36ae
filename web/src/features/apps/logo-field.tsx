import { useState } from 'react'
import { maxLogoBytes } from '../../../../src/contract/account-limits.ts'
import { useTexts } from '../../app/texts.ts'
import { PictureField } from '../../ui/picture-field.tsx'

interface Props {
  /** Gets the picture in base64, or undefined if the user removes it. */
  onChoose(logo: string | undefined): void
  /** The error of the server about the picture. */
  error: string | undefined
}

/** Chooses the logo of an app. */
export function LogoField({ onChoose, error }: Props) {
  const { text } = useTexts()
  const [chosen, setChosen] = useState<{ name: string }>()
  return (
    <PictureField
      legend={text('apps.logo')}
      hint={text('apps.logoHint')}
      maxBytes={maxLogoBytes}
      invalid={text('apps.badLogo')}
      chosen={chosen}
      onChoose={(picture) => {
        setChosen(picture)
        onChoose(picture?.base64)
      }}
      error={error}
    />
  )
}
