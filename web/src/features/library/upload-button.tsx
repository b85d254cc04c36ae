import { useQueryClient } from '@tanstack/react-query'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { upload } from '../../ui/uploads.ts'

/**
 * A button that uploads files. Files can also be dropped anywhere on the page.
 * @property collection the collection that receives the scores; `root` for none
 */
export function UploadButton({
  collection,
  isSecondary = false,
}: {
  collection: string
  isSecondary?: boolean
}) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const take = (files: readonly File[]) => upload(queries, files, collection)
  return (
    <>
      <FileTrigger allowsMultiple onSelect={(files) => files && take([...files])}>
        <Button isSecondary={isSecondary}>{text('upload.do')}</Button>
      </FileTrigger>
      <FileDrop onDrop={take} />
    </>
  )
}
