import { useTexts } from '../../app/texts.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Shows the secret of a webhook, which the server shows only once. */
export function NewSecret({ secret }: { secret: string }) {
  const { text } = useTexts()
  return (
    <>
      <Notice>{text('webhooks.secretShown')}</Notice>
      <Copyable label={text('webhooks.secret')}>{secret}</Copyable>
    </>
  )
}
