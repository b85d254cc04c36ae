import { Suspense, useState } from 'react'
import type { ScoreDetails } from '../../../../../src/contract/scores.ts'
import { useTexts } from '../../../app/texts.ts'
import { Button } from '../../../ui/buttons.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { loadedWhenIdle } from '../../../ui/loaded-when-idle.ts'

const EmbedCode = loadedWhenIdle(() => import('./embed-code.tsx'))

/** Opens the dialog with the code by which another site shows the score. */
export function EmbedButton(props: { score: ScoreDetails; sharingKey: string | undefined }) {
  const { text } = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button isSecondary onPress={() => setOpen(true)}>
        <Icon name="code" />
        {text('embed.title')}
      </Button>
      <DialogSheet title={text('embed.title')} isOpen={isOpen} onOpenChange={setOpen}>
        {(close) => (
          <Suspense>
            <EmbedCode {...props} close={close} />
          </Suspense>
        )}
      </DialogSheet>
    </>
  )
}
