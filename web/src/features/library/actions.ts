import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { useToast } from '../../ui/toasts.tsx'
import type { TextKey } from '../../../../src/texts/catalogue.ts'
import { listsKey } from './queries.ts'

type Scores = readonly ScoreDetails[]
type Lists = InfiniteData<{ rows: ScoreDetails[]; next: string | null }, string | null>

/** What a user does with scores of a list. A toast says what has happened, and can take it back. */
export interface ScoreActions {
  trash(scores: Scores): Promise<void>
  restore(scores: Scores): Promise<void>
  deleteForGood(scores: Scores): Promise<void>
  /** Deletes own scores, and gives up the access to scores of others. It cannot be taken back. */
  leave(scores: Scores): Promise<void>
  copy(scores: Scores): Promise<void>
  /** Adds scores to a collection, and removes them from another one if `from` is given. */
  move(scores: Scores, to: { id: string; title: string }, from?: string): Promise<void>
  removeFrom(scores: Scores, collection: string): Promise<void>
}

const idsOf = (scores: Scores): readonly string[] => scores.map(({ id }) => id)

/** Returns the actions. They show errors themselves and never reject. */
export function useScoreActions(): ScoreActions {
  const texts = useTexts()
  const { text } = texts
  const toast = useToast()
  const queries = useQueryClient()

  const delete_ = (score: string, now = false) => call('deleteScore', { params: { score }, query: { now } })
  const untrash = (score: string) => call('untrashScore', { params: { score } })
  const add = (collection: string) => (score: string) =>
    call('addScoreToCollection', { params: { collection, score } })
  const remove = (collection: string) => (score: string) =>
    call('deleteScoreFromCollection', { params: { collection, score } })

  /** Runs a request for each score, reads the lists again, and says how many requests were refused. */
  async function each(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<string[]> {
    const done: string[] = []
    let refusal: unknown
    for (const id of ids) {
      await act(id).then(
        () => done.push(id),
        (error: unknown) => {
          refusal = error
        },
      )
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: listsKey }),
      queries.invalidateQueries({ queryKey: ['collections'] }),
    ])
    const failed = ids.length - done.length
    if (failed > 0)
      toast({ message: text('library.notDone', { number: failed, why: errorText(texts, refusal) }) })
    return done
  }

  /** Does something, says so, and offers to take it back. */
  async function act(
    scores: Scores,
    doOne: (id: string) => Promise<unknown>,
    [one, several, values]: readonly [TextKey, TextKey, Readonly<Record<string, string>>?],
    undo?: (id: string) => Promise<unknown>,
  ): Promise<void> {
    const done = await each(idsOf(scores), doOne)
    if (done.length === 0) return
    const title = scores.find(({ id }) => id === done[0])?.title ?? ''
    const message =
      done.length === 1 ? text(one, { title, ...values }) : text(several, { number: done.length, ...values })
    toast({ message, ...(undo && { undo: () => void each(done, undo) }) })
  }

  return {
    trash(scores) {
      hide(queries, scores)
      return act(scores, (id) => delete_(id), ['library.trashed', 'library.trashedAll'], untrash)
    },
    restore(scores) {
      hide(queries, scores)
      return act(scores, untrash, ['library.restored', 'library.restoredAll'])
    },
    deleteForGood(scores) {
      hide(queries, scores)
      return act(scores, (id) => delete_(id, true), ['library.deleted', 'library.deletedAll'])
    },
    leave(scores) {
      hide(queries, scores)
      return act(scores, (id) => delete_(id), ['library.left', 'library.leftAll'])
    },
    copy: (scores) =>
      act(scores, (score) => call('forkScore', { params: { score }, body: { collection: null } }), [
        'library.copied',
        'library.copiedAll',
      ]),
    async move(scores, to, from) {
      const there = async (id: string) => {
        await add(to.id)(id)
        if (from !== undefined) await remove(from)(id)
      }
      const back = async (id: string) => {
        if (from !== undefined) await add(from)(id)
        const wasThere = scores.find((score) => score.id === id)?.collections?.includes(to.id)
        if (!wasThere) await remove(to.id)(id)
      }
      const keys = ['library.moved', 'library.movedAll', { collection: to.title }] as const
      await act(scores, there, keys, back)
    },
    removeFrom(scores, collection) {
      hide(queries, scores, collection)
      return act(scores, remove(collection), ['library.removed', 'library.removedAll'], add(collection))
    },
  }
}

/** Removes scores from the lists before the server has answered. The lists are read again afterwards. */
function hide(queries: QueryClient, scores: Scores, collection?: string): void {
  const ids = new Set(idsOf(scores))
  const queryKey = collection === undefined ? listsKey : [...listsKey, collection]
  queries.setQueriesData<Lists>(
    { queryKey },
    (lists) =>
      lists && {
        ...lists,
        pages: lists.pages.map(({ rows, next }) => ({ rows: rows.filter(({ id }) => !ids.has(id)), next })),
      },
  )
}
