import { useMutation, useQueryClient } from '@tanstack/react-query'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { call } from '../../app/client.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { ChoiceDialog } from '../../teaching/choice-dialog.tsx'
import { ClassChoices } from '../../teaching/class-choices.tsx'
import { FolderChoices } from '../../teaching/folder-choices.tsx'
import { resourcesKey } from '../../teaching/resources.ts'
import { useToast } from '../../ui/toasts.tsx'

interface Props {
  /** The ids of the class and of its assignment that is copied. */
  class: string
  assignment: string
  onClose(): void
}

/** Chooses the class that receives a copy. The copy is a draft. */
export function CopyDialog({ onClose, ...params }: Props) {
  const { text } = useTexts()
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (classroom: string) => call('copyAssignment', { params, body: { classroom } }),
    async onSuccess(copy, target) {
      onClose()
      await queries.invalidateQueries({ queryKey: ['classes'] })
      goTo(pathTo('/classes/{class}/work/{assignment}/edit', { class: target, assignment: copy.id }))
    },
  })
  return (
    <ChoiceDialog
      title={text('work.copy')}
      explanation={text('work.copyWhat')}
      error={error}
      onClose={onClose}
    >
      <ClassChoices isPending={isPending} onChoose={mutate} />
    </ChoiceDialog>
  )
}

/** Chooses the library or folder that receives a copy of an assignment of a class. */
export function ToLibraryDialog({ onClose, ...params }: Props) {
  const { text } = useTexts()
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const toast = useToast()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (folder: { id: string; title: string }) =>
      call('copyAssignment', {
        params,
        body: { libraryParent: folder.id, verifyIfNotAlreadyInResourceLibrary: true },
      }),
    async onSuccess({ title, resource }, folder) {
      onClose()
      await queries.invalidateQueries({ queryKey: resourcesKey })
      toast({
        message: text('resources.copied', { title, folder: folder.title }),
        ...(resource !== undefined && {
          action: {
            name: text('library.open'),
            run: () => goTo(pathTo('/library/resource/{resource}', { resource })),
          },
        }),
      })
    },
  })
  return (
    <ChoiceDialog
      title={text('resources.make')}
      explanation={text('resources.makeWhat')}
      error={error}
      onClose={onClose}
    >
      <FolderChoices action={text('resources.copyHere')} isPending={isPending} onChoose={mutate} />
    </ChoiceDialog>
  )
}
