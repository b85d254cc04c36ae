import { useQuery } from '@tanstack/react-query'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { useTexts } from '../../app/texts.ts'
import { ButtonLink } from '../../ui/buttons.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { recentScoresQuery } from './queries.ts'
import { ScoreList } from './score-list.tsx'

/** The first page of a signed-in user. */
export function HomePage() {
  const { text } = useTexts()
  const recent = useQuery(recentScoresQuery)
  return (
    <Page title={text('home.title')}>
      <section aria-labelledby="recent">
        <h2 id="recent">{text('home.recent')}</h2>
        <QueryContent query={recent}>{(scores) => <ScoreList scores={scores} />}</QueryContent>
      </section>
      <p>
        <ButtonLink href={pathTo('/scores/new')}>{text('newScore.title')}</ButtonLink>
      </p>
    </Page>
  )
}
