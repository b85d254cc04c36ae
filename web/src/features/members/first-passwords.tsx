import { useState } from 'react'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { csvOf, saveFile } from './csv.ts'

/** The first password of an account. */
export interface FirstPassword {
  readonly username: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly password: string
}

/** Lets the user save first passwords. Nobody can read them from the server later. */
export function FirstPasswords({ passwords }: { passwords: readonly FirstPassword[] }) {
  const { text } = useTexts()
  const [isSaved, setSaved] = useState(false)
  function save() {
    const heads = [text('members.username'), text('firstPasswords.name'), text('signIn.password')]
    const rows = passwords.map(({ username, firstname, lastname, password }) => [
      username,
      [firstname, lastname].filter(Boolean).join(' '),
      password,
    ])
    saveFile('first-passwords.csv', csvOf([heads, ...rows]))
    setSaved(true)
  }
  return (
    <>
      <p>{text('firstPasswords.what', { count: passwords.length })}</p>
      <p role="status">{isSaved && text('firstPasswords.saved')}</p>
      <Button onPress={save}>{text('firstPasswords.save')}</Button>
    </>
  )
}
