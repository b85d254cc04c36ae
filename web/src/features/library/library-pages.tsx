import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { Collection } from '../../../../src/contract/collections.ts'
import { call, Refusal } from '../../app/client.ts'
import { useRouter } from '../../app/router.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { LibraryView } from './library-view.tsx'
import { collectionQuery } from './queries.ts'
import { titleOf } from './places.tsx'
import { RenameCollectionDialog } from './score-dialogs.tsx'
import { UploadButton } from './upload-button.tsx'

/** All scores that the user owns. */
export function AllScoresPage() {
  const { text } = useTexts()
  return (
    <LibraryView
      title={text('library.all')}
      collection="allScores"
      buttons={
        <>
          <ButtonLink isSecondary href={pathTo('/scores/new')}>
            {text('newScore.title')}
          </ButtonLink>
          <UploadButton collection="root" />
        </>
      }
      empty={
        <Empty icon="scores" title={text('library.emptyTitle')}>
          <p>{text('library.emptyHint')}</p>
        </Empty>
      }
    />
  )
}

/** Scores of others that the user can open, and scores that the user has shared. */
export function SharedPage() {
  const { text } = useTexts()
  return (
    <LibraryView
      title={text('library.shared')}
      collection="collaborations"
      empty={
        <Empty icon="people" title={text('library.sharedEmpty')}>
          <p>{text('library.sharedHint')}</p>
        </Empty>
      }
    />
  )
}

export function LikedPage() {
  const { text } = useTexts()
  return (
    <LibraryView
      title={text('library.liked')}
      collection="likes"
      empty={
        <Empty icon="heart" title={text('library.likedEmpty')}>
          <p>{text('library.likedHint')}</p>
        </Empty>
      }
    />
  )
}

export function TrashPage() {
  const { text } = useTexts()
  return (
    <LibraryView
      title={text('library.trash')}
      collection="trash"
      empty={
        <Empty icon="trash" title={text('library.trashEmpty')}>
          <p>{text('library.trashHint')}</p>
        </Empty>
      }
    />
  )
}

/** The scores of one collection. */
export function CollectionPage({ collection: id }: AddressParameters<'/scores/collections/{collection}'>) {
  const { text } = useTexts()
  const collection = useQuery(collectionQuery(id))
  if (collection.data) return <LoadedCollection collection={collection.data} />
  if (collection.error instanceof Refusal && collection.error.status === 404) {
    return (
      <Page title={text('collection.missing')}>
        <p>{text('collection.missingWhy')}</p>
        <p>
          <ButtonLink isSecondary href={pathTo('/scores')}>
            {text('collection.toScores')}
          </ButtonLink>
        </p>
      </Page>
    )
  }
  return (
    <Page title={text('collection.title')}>
      <QueryContent query={collection}>{() => null}</QueryContent>
    </Page>
  )
}

function LoadedCollection({ collection }: { collection: Collection }) {
  const texts = useTexts()
  const { text } = texts
  const { id, capabilities } = collection
  const title = titleOf(collection, texts)
  return (
    <LibraryView
      title={title}
      collection={id}
      buttons={
        <>
          {capabilities.canEdit && <RenameButton collection={collection} />}
          {capabilities.canDelete && <DeleteButton collection={collection} />}
          {capabilities.canAddScores && <UploadButton collection={id} />}
        </>
      }
      empty={
        <Empty icon="folder" title={text('collection.empty')}>
          <p>{text('collection.emptyHint')}</p>
        </Empty>
      }
    />
  )
}

function RenameButton({ collection: { id, title } }: { collection: Collection }) {
  const { text } = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button isSecondary onPress={() => setOpen(true)}>
        {text('library.rename')}
      </Button>
      {isOpen && <RenameCollectionDialog id={id} title={title} onClose={() => setOpen(false)} />}
    </>
  )
}

/** A collection cannot come back from the trash, but its scores stay. */
function DeleteButton({ collection: { id, title } }: { collection: Collection }) {
  const texts = useTexts()
  const { text } = texts
  const { goTo } = useRouter()
  const toast = useToast()
  const queries = useQueryClient()
  async function remove() {
    try {
      await call('deleteCollection', { params: { collection: id } })
      goTo(pathTo('/scores'))
      toast({ message: text('collection.deleted', { title }) })
      await queries.invalidateQueries({ queryKey: ['collections'], exact: true })
    } catch (error) {
      toast({ message: errorText(texts, error) })
    }
  }
  return (
    <Confirmation
      action={text('collection.delete')}
      label={text('collection.deleteNamed', { title })}
      consequence={text('collection.deleteWhat')}
      onConfirm={() => void remove()}
    />
  )
}
