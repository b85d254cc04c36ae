import { type ReactNode, useState } from 'react'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { DecisionDialog } from '../../ui/confirmation.tsx'
import { useScoreActions } from './actions.ts'
import { ActionsDialog, type Choice, RenameScoreDialog, ShareDialog, TargetDialog } from './score-dialogs.tsx'

type Scores = readonly ScoreDetails[]

export interface ScoreChoices {
  /** What can be done with several scores at once. */
  choicesFor(scores: Scores): readonly Choice[]
  /** Opens the list of what can be done with one score. */
  open(score: ScoreDetails): void
  /** Moves scores to the trash, or deletes them for good in the trash. */
  remove(scores: Scores): void
  /** The list is a collection, from which scores can be moved. */
  readonly isStored: boolean
  /** The dialog that is open. */
  readonly dialog: ReactNode
}

type Dialog =
  | { readonly kind: 'more' | 'rename' | 'share'; readonly score: ScoreDetails }
  | { readonly kind: 'target' | 'leave' | 'forGood'; readonly scores: Scores }

/**
 * Returns what a user can do with the scores of a list, and the dialogs for it.
 * @param collection the id of the list
 */
export function useScoreChoices(collection: string): ScoreChoices {
  const { text } = useTexts()
  const { goTo } = useRouter()
  const actions = useScoreActions()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const isStored = !virtual.has(collection)

  function remove(scores: Scores) {
    if (collection === 'trash') setDialog({ kind: 'forGood', scores })
    // A score of another person cannot be restored from the trash.
    else if (scores.some((score) => !score.rights?.aclAdmin)) setDialog({ kind: 'leave', scores })
    else void actions.trash(scores)
  }

  function choicesFor(scores: Scores): readonly Choice[] {
    const deletion = {
      name: text(collection === 'trash' ? 'library.deleteForGood' : 'library.delete'),
      isDangerous: true,
      run: () => remove(scores),
    }
    if (collection === 'trash')
      return [{ name: text('library.restore'), run: () => void actions.restore(scores) }, deletion]
    return [
      {
        name: text(isStored ? 'library.move' : 'library.add'),
        run: () => setDialog({ kind: 'target', scores }),
      },
      ...(isStored
        ? [{ name: text('library.remove'), run: () => void actions.removeFrom(scores, collection) }]
        : []),
      { name: text('library.copy'), run: () => void actions.copy(scores) },
      deletion,
    ]
  }

  function choicesForOne(score: ScoreDetails): readonly Choice[] {
    const common = choicesFor([score])
    if (collection === 'trash') return common
    const { aclWrite = false, aclAdmin = false } = score.rights ?? {}
    return [
      { name: text('library.open'), run: () => goTo(pathTo('/scores/{score}', { score: score.id })) },
      ...(aclWrite
        ? [{ name: text('library.rename'), run: () => setDialog({ kind: 'rename', score }) }]
        : []),
      ...(aclAdmin ? [{ name: text('library.share'), run: () => setDialog({ kind: 'share', score }) }] : []),
      ...common,
    ]
  }

  function shownDialog(): ReactNode {
    if (!dialog) return null
    switch (dialog.kind) {
      case 'more':
        return (
          <ActionsDialog title={dialog.score.title} choices={choicesForOne(dialog.score)} onClose={close} />
        )
      case 'rename':
        return <RenameScoreDialog score={dialog.score} onClose={close} />
      case 'share':
        return <ShareDialog score={dialog.score} onClose={close} />
      case 'target':
        return (
          <TargetDialog
            title={text(isStored ? 'library.move' : 'library.add')}
            without={collection}
            onChoose={(to) => void actions.move(dialog.scores, to, isStored ? collection : undefined)}
            onClose={close}
          />
        )
      default: {
        const isForGood = dialog.kind === 'forGood'
        return (
          <DecisionDialog
            title={text(isForGood ? 'library.deleteForGood' : 'library.delete')}
            explanation={text(isForGood ? 'library.deleteWhat' : 'library.leaveWhat', {
              number: dialog.scores.length,
            })}
            action={text(isForGood ? 'library.deleteForGood' : 'library.delete')}
            onConfirm={() =>
              void (isForGood ? actions.deleteForGood(dialog.scores) : actions.leave(dialog.scores))
            }
            onClose={close}
          />
        )
      }
    }
  }

  return {
    choicesFor,
    open: (score) => setDialog({ kind: 'more', score }),
    remove,
    isStored,
    dialog: shownDialog(),
  }
}

const virtual: ReadonlySet<string> = new Set(['allScores', 'collaborations', 'likes', 'trash'])
