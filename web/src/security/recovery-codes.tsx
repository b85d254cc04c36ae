import { Button } from 'react-aria-components/Button'
import { Copyable } from '../copyable.tsx'
import { Notice } from '../page.tsx'
import { useTexts } from '../texts.ts'

/** Codes that stand in for the app, this once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const { text } = useTexts()
  return (
    <>
      <h3>{text('security.recovery')}</h3>
      <Notice>{text('security.recoveryWhat')}</Notice>
      <Copyable label={text('security.recovery')}>{codes.join('\n')}</Copyable>
      <Button onPress={onKept}>{text('security.recoveryKept')}</Button>
    </>
  )
}
