import { queryOptions } from '@tanstack/react-query'
import { callFile } from '../../../app/client.ts'
import type { OpenedScore } from '../../../editor/opened-score.ts'

/** Each visit opens the score anew, because the editor goes on from what it has read. */
export const openedScoreQuery = (score: string, user: string) =>
  queryOptions({
    queryKey: ['scores', score, 'opened', user],
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    async queryFn(): Promise<OpenedScore> {
      // The code of the editor comes with the score.
      const [{ draftsOf }, { file, headers }] = await Promise.all([
        import('../../../editor/saving/drafts.ts'),
        callFile('getScoreRevisionData', { params: { score, revision: 'last', format: 'json' } }),
      ])
      // A browser can refuse storage.
      const draft = await draftsOf(user, score)
        .read()
        .catch(() => undefined)
      return { revision: headers.get('x-flat-score-revision') ?? '', json: await file.text(), draft }
    },
  })
