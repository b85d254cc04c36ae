import { queryOptions } from '@tanstack/react-query'
import { call, callFile } from '../../app/client.ts'

export const scoreQuery = (score: string) =>
  queryOptions({
    queryKey: ['scores', score, ''],
    queryFn: () => call('getScore', { params: { score }, query: {} }),
  })

export const revisionsQuery = (score: string) =>
  queryOptions({
    queryKey: ['scores', score, 'revisions'],
    queryFn: () => call('getScoreRevisions', { params: { score } }),
  })

/** Revisions never change, so neither does a comparison of two. */
export const comparisonQuery = (score: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['scores', score, 'comparison', from, to],
    staleTime: Infinity,
    queryFn: () => call('compareScoreRevisions', { params: { score }, query: { from, to } }),
  })

/** Saves the contents of a revision as the newest one. */
export async function restoreRevision(score: string, revision: string, description: string): Promise<void> {
  const { file } = await callFile('getScoreRevisionData', { params: { score, revision, format: 'json' } })
  await call('createScoreRevision', { params: { score }, body: { data: await file.text(), description } })
}
