import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Refusal } from '../../app/client.ts'
import { useMe } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { forgetPractised, practisedScores } from '../../ui/practised.ts'
import { openedScoreQuery } from './queries.ts'
import { ScoreItems } from './score-items.tsx'

/** The scores that the user has played last on this device. Without any, nothing is shown. */
export function PractisedShelf() {
  const { text } = useTexts()
  const { id: user } = useMe()
  const [ids] = useState(() => practisedScores(user))
  const queries = useQueries({
    queries: ids.map((id) => ({ ...openedScoreQuery(id), retry: false })),
  })
  const gone = ids.filter((_id, index) => {
    const { error } = queries[index] ?? {}
    return error instanceof Refusal && (error.status === 403 || error.status === 404)
  })
  const goneIds = gone.join(' ')
  useEffect(() => {
    for (const id of goneIds.split(' ')) forgetPractised(user, id)
  }, [goneIds, user])
  const scores = queries.flatMap(({ data }) => data ?? [])
  if (scores.length === 0) return null
  return (
    <section className="shelf" aria-labelledby="practised">
      <div className="shelf-head">
        <h2 id="practised">{text('home.practised')}</h2>
      </div>
      <ScoreItems scores={scores} layout="grid" label={text('home.practised')} showsOwner />
    </section>
  )
}
