import { useQuery } from '@tanstack/react-query'
import type { AddressParameters } from '../../../../src/contract/app-pages.ts'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { useRouter } from '../../app/router.ts'
import { useTexts } from '../../app/texts.ts'
import { Facts } from '../../ui/facts.tsx'
import { Day } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { scoreQuery } from './queries.ts'

/** One score: its title and what is known about it. Visitors can open it if it is public or the link has its key. */
export function ScorePage({ score: id }: AddressParameters<'/scores/{score}'>) {
  const { text } = useTexts()
  const { search } = useRouter()
  const score = useQuery(scoreQuery(id, search.get('sharingKey') ?? undefined))
  return (
    <Page title={score.data?.title ?? text('scorePage.title')}>
      <QueryContent query={score}>{(loaded) => <Details score={loaded} />}</QueryContent>
    </Page>
  )
}

function Details({ score }: { score: ScoreDetails }) {
  const { text } = useTexts()
  const { composer, arranger, lyricist, instrumentsNames, numberMeasures, creationDate } = score
  const facts = [
    ['scorePage.composer', composer],
    ['scorePage.arranger', arranger],
    ['scorePage.lyricist', lyricist],
    ['scorePage.instruments', instrumentsNames.join(', ')],
    ['scorePage.measures', numberMeasures],
    ['scorePage.created', <Day key="created" of={creationDate} />],
  ] as const
  return <Facts facts={facts.filter(([, value]) => value).map(([name, value]) => [text(name), value])} />
}
