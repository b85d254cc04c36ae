import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Shows new recovery codes once. The user can use each of them one time instead of another second factor. */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved(): void }) {
  const { text } = useTexts()
  return (
    <>
      <h3>{text('security.recovery')}</h3>
      <Notice>{text('security.recoveryWhat')}</Notice>
      <Copyable label={text('security.recovery')}>{codes.join('\n')}</Copyable>
      <Button onPress={onSaved}>{text('security.recoveryKept')}</Button>
    </>
  )
}
