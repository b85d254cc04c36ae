import '../../ui/choices-list.css'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { call } from '../../app/client.ts'
import { linkTo } from '../../ui/score-link.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { useToast } from '../../ui/toasts.tsx'
import { useCollections } from './places.tsx'
import { listsKey } from './queries.ts'

interface DialogProps {
  onClose(): void
}

/** Something to choose in a list of actions. */
export interface Choice {
  readonly name: string
  readonly isDangerous?: boolean
  run(): void
}

/** What can be done with a score. */
export function ActionsDialog({
  title,
  choices,
  onClose,
}: DialogProps & { title: string; choices: readonly Choice[] }) {
  return (
    <DialogSheet title={title} isOpen onOpenChange={onClose}>
      {() => (
        <ul className="choices-list">
          {choices.map(({ name, isDangerous, run }) => (
            <li key={name} className={isDangerous ? 'dangerous' : undefined}>
              <Button
                onPress={() => {
                  onClose()
                  run()
                }}
              >
                {name}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </DialogSheet>
  )
}

interface TargetProps extends DialogProps {
  title: string
  /** The collection that is not offered. */
  without: string
  onChoose(collection: { id: string; title: string }): void
}

/** Chooses the collection that scores are moved to, or makes a new one. */
export function TargetDialog({ title, without, onChoose, onClose }: TargetProps) {
  const { text } = useTexts()
  const [isNew, setNew] = useState(false)
  const { collections, hasMore, showMore } = useCollections()
  const targets = collections.filter(({ id, capabilities }) => id !== without && capabilities.canAddScores)
  function choose(collection: { id: string; title: string }) {
    onClose()
    onChoose(collection)
  }
  if (isNew) return <NewCollectionDialog onCreated={choose} onClose={onClose} />
  return (
    <DialogSheet title={title} isOpen onOpenChange={onClose}>
      {() => (
        <ul className="choices-list">
          <li>
            <Button onPress={() => setNew(true)}>
              <Icon name="plus" />
              {text('collection.new')}
            </Button>
          </li>
          {targets.map((collection) => (
            <li key={collection.id}>
              <Button onPress={() => choose(collection)}>
                <Icon name="folder" />
                {collection.title}
              </Button>
            </li>
          ))}
          {hasMore && (
            <li>
              <Button onPress={showMore}>{text('library.moreCollections')}</Button>
            </li>
          )}
        </ul>
      )}
    </DialogSheet>
  )
}

interface TitleProps extends DialogProps {
  heading: string
  action: string
  value?: string
  /** @throws Refusal */
  save(title: string): Promise<void>
}

const titleErrors: KnownErrors = { title: ['title', 'library.noTitle'] }

/** Asks for the title of a score or a collection. */
function TitleDialog({ heading, action, value = '', save, onClose }: TitleProps) {
  const { text } = useTexts()
  const submission = useSubmission(titleErrors, async (form) => {
    await save(String(form.get('title')).trim())
    onClose()
  })
  return (
    <DialogSheet title={heading} isOpen onOpenChange={onClose}>
      {() => (
        <SubmissionForm submission={submission} action={action} onCancel={onClose}>
          <Field
            name="title"
            label={text('library.titleOf')}
            defaultValue={value}
            isRequired
            maxLength={200}
            autoComplete="off"
            autoFocus
          />
        </SubmissionForm>
      )}
    </DialogSheet>
  )
}

export function NewCollectionDialog({
  onCreated,
  onClose,
}: DialogProps & { onCreated(collection: { id: string; title: string }): void }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  return (
    <TitleDialog
      heading={text('collection.new')}
      action={text('collection.create')}
      onClose={onClose}
      save={async (title) => {
        const created = await call('createCollection', { body: { title } })
        void queries.invalidateQueries({ queryKey: ['collections'] })
        onCreated(created)
      }}
    />
  )
}

export function RenameCollectionDialog({ id, title, onClose }: DialogProps & { id: string; title: string }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  return (
    <TitleDialog
      heading={text('library.rename')}
      action={text('library.save')}
      value={title}
      onClose={onClose}
      save={async (title) => {
        await call('editCollection', { params: { collection: id }, body: { title } })
        await queries.invalidateQueries({ queryKey: ['collections'] })
      }}
    />
  )
}

export function RenameScoreDialog({ score, onClose }: DialogProps & { score: ScoreDetails }) {
  const { text } = useTexts()
  const toast = useToast()
  const queries = useQueryClient()
  async function rename(title: string) {
    await call('editScore', { params: { score: score.id }, body: { title } })
    await queries.invalidateQueries({ queryKey: listsKey })
  }
  return (
    <TitleDialog
      heading={text('library.rename')}
      action={text('library.save')}
      value={score.title}
      onClose={onClose}
      save={async (title) => {
        await rename(title)
        toast({ message: text('library.renamed', { title }), undo: () => void rename(score.title) })
      }}
    />
  )
}

/** Shares a score with everyone who has its link. */
export function ShareDialog({ score, onClose }: DialogProps & { score: ScoreDetails }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const [shown, setShown] = useState(score)
  const [error, setError] = useState<string>()
  async function share(privacy: 'private' | 'privateLink') {
    setError(undefined)
    try {
      setShown(await call('editScore', { params: { score: score.id }, body: { privacy } }))
      await queries.invalidateQueries({ queryKey: listsKey })
    } catch (refusal) {
      setError(errorText(texts, refusal))
    }
  }
  const { privacy, sharingKey } = shown
  const isByLink = privacy === 'privateLink' && sharingKey !== undefined
  const isOpen = isByLink || privacy === 'public'
  return (
    <DialogSheet title={text('share.title', { title: score.title })} isOpen onOpenChange={onClose}>
      {(close) => (
        <>
          <p>{text(`share.${privacy}`)}</p>
          <Notice isError>{error}</Notice>
          {isOpen && <Copyable label={text('share.link')}>{linkTo(shown)}</Copyable>}
          <div className="buttons">
            {privacy === 'private' && (
              <Button onPress={() => void share('privateLink')}>{text('share.byLink')}</Button>
            )}
            {isByLink && (
              <Button isSecondary onPress={() => void share('private')}>
                {text('share.stop')}
              </Button>
            )}
            <Button isSecondary onPress={close}>
              {text('app.close')}
            </Button>
          </div>
        </>
      )}
    </DialogSheet>
  )
}
