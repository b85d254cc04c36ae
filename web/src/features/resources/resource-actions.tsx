import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { EduResource } from '../../../../src/contract/edu-resources.ts'
import { call } from '../../app/client.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { ChoiceDialog } from '../../teaching/choice-dialog.tsx'
import { ClassChoices } from '../../teaching/class-choices.tsx'
import { FolderChoices } from '../../teaching/folder-choices.tsx'
import {
  foldersAboveQuery,
  resourceErrorText,
  resourceQuery,
  resourcesKey,
} from '../../teaching/resources.ts'
import { Button } from '../../ui/buttons.tsx'
import { DecisionDialog } from '../../ui/confirmation.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { ResourceDetailsDialog, ShareDialog } from './resource-dialogs.tsx'
import { placePath } from './staff-page.tsx'

type OpenDialog = 'use' | 'details' | 'share' | 'move' | 'copy' | 'delete'

/** What a teacher can do with a folder or an assignment of a library. */
export function ResourceActions({ resource }: { resource: EduResource }) {
  const { text } = useTexts()
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const { title, type, capabilities } = resource
  const isFolder = type === 'folder'
  const isOwn = useIsInOwnLibrary(resource)
  const opener = (one: OpenDialog, name: string, isSecondary = true) => (
    <Button isSecondary={isSecondary} onPress={() => setDialog(one)}>
      {name}
    </Button>
  )
  return (
    <>
      {!isFolder && opener('use', text('resources.use'), false)}
      {capabilities.canEdit && opener('details', text(isFolder ? 'library.rename' : 'resources.details'))}
      {isOwn && !isFolder && capabilities.canChangePrivacy && opener('share', text('resources.share'))}
      {capabilities.canEdit && opener('move', text('resources.move'))}
      {opener('copy', text('resources.copy'))}
      {capabilities.canEdit && opener('delete', text('library.delete'))}
      {dialog === 'use' && <UseDialog resource={resource} onClose={close} />}
      {dialog === 'details' && <ResourceDetailsDialog resource={resource} onClose={close} />}
      {dialog === 'share' && <ShareDialog resource={resource} onClose={close} />}
      {dialog === 'move' && <MoveDialog resource={resource} onClose={close} />}
      {dialog === 'copy' && <CopyDialog resource={resource} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog resource={resource} title={title} onClose={close} />}
    </>
  )
}

/** Whether the resource is in the own library. Its privacy can be chosen only there. */
function useIsInOwnLibrary({ id }: EduResource): boolean {
  const { data } = useQuery(foldersAboveQuery(id))
  return data?.library === 'root'
}

interface Props {
  resource: EduResource
  onClose(): void
}

/** Chooses the class that gets the assignment as a draft. */
function UseDialog({ resource, onClose }: Props) {
  const { text } = useTexts()
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (classroom: string) =>
      call('useEduResourceInClass', { params: { resource: resource.id }, body: { classroom } }),
    async onSuccess(draft, classroom) {
      onClose()
      await queries.invalidateQueries({ queryKey: ['classes'] })
      goTo(pathTo('/classes/{class}/work/{assignment}/edit', { class: classroom, assignment: draft.id }))
    },
  })
  return (
    <ChoiceDialog
      title={text('resources.use')}
      explanation={text('resources.useWhat')}
      error={error}
      onClose={onClose}
    >
      <ClassChoices isPending={isPending} onChoose={mutate} />
    </ChoiceDialog>
  )
}

/** Moves a resource. The message can take it back. */
function MoveDialog({ resource, onClose }: Props) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const toast = useToast()
  const { id, title, parent, privacy } = resource
  const params = { resource: id }
  async function moveBack(to: string) {
    const { privacy: now } = await call('moveEduResource', { params, body: { destination: to } })
    // A resource becomes private when it comes back to the own library.
    if (privacy !== undefined && privacy !== now && privacy !== 'public')
      await call('updateEduResource', { params, body: { privacy } })
    await queries.invalidateQueries({ queryKey: resourcesKey })
  }
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ id: destination }: { id: string; title: string }) =>
      call('moveEduResource', { params, body: { destination } }),
    async onSuccess(_moved, folder) {
      onClose()
      await queries.invalidateQueries({ queryKey: resourcesKey })
      toast({
        message: text('resources.moved', { title, folder: folder.title }),
        ...(parent !== undefined && { undo: () => void moveBack(parent) }),
      })
    },
  })
  return (
    <ChoiceDialog title={text('resources.move')} error={error} onClose={onClose}>
      <FolderChoices
        without={id}
        action={text('resources.moveHere')}
        isPending={isPending}
        onChoose={mutate}
      />
    </ChoiceDialog>
  )
}

function CopyDialog({ resource, onClose }: Props) {
  const { text } = useTexts()
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const toast = useToast()
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ id: destination }: { id: string; title: string }) =>
      call('copyEduResource', { params: { resource: resource.id }, body: { destination } }),
    async onSuccess(copy, folder) {
      onClose()
      await queries.invalidateQueries({ queryKey: resourcesKey })
      toast({
        message: text('resources.copied', { title: copy.title, folder: folder.title }),
        action: { name: text('library.open'), run: () => goTo(pagePath(copy)) },
      })
    },
  })
  return (
    <ChoiceDialog title={text('resources.copy')} error={error} onClose={onClose}>
      <FolderChoices action={text('resources.copyHere')} isPending={isPending} onChoose={mutate} />
    </ChoiceDialog>
  )
}

/** The interface deletes at once, so the teacher is asked first, and reads how much a folder contains. */
function DeleteDialog({ resource, title, onClose }: Props & { title: string }) {
  const texts = useTexts()
  const { text } = texts
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const toast = useToast()
  const { mutate } = useMutation({
    mutationFn: () => call('deleteEduResource', { params: { resource: resource.id } }),
    async onSuccess() {
      goTo(placePath(resource.parent ?? 'root'))
      queries.removeQueries({ queryKey: resourceQuery(resource.id).queryKey })
      await queries.invalidateQueries({ queryKey: resourcesKey })
      toast({ message: text('resources.deleted', { title }) })
    },
    onError: (error) => toast({ message: resourceErrorText(texts, error) }),
  })
  return (
    <DecisionDialog
      title={text('resources.deleteNamed', { title })}
      explanation={text(resource.type === 'folder' ? 'resources.deleteFolderWhat' : 'resources.deleteWhat')}
      action={text('library.delete')}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  )
}

const pagePath = ({ id, type }: EduResource): string =>
  type === 'folder' ? placePath(id) : pathTo('/library/resource/{resource}', { resource: id })
