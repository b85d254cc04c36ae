import { useInfiniteQuery } from '@tanstack/react-query'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { useTexts } from '../../app/texts.ts'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { scoresQuery } from './queries.ts'
import { ScoreList } from './score-list.tsx'

/** All scores of the user. */
export function LibraryPage() {
  const { text } = useTexts()
  const scores = useInfiniteQuery(scoresQuery('allScores'))
  return (
    <Page title={text('nav.scores')} isWide>
      <p>
        <ButtonLink href={pathTo('/scores/new')}>{text('newScore.title')}</ButtonLink>
      </p>
      <QueryContent query={scores}>
        {({ pages }) => <ScoreList scores={pages.flatMap(({ rows }) => rows)} />}
      </QueryContent>
      {scores.hasNextPage && (
        <Button isSecondary onPress={() => void scores.fetchNextPage()}>
          {text('library.more')}
        </Button>
      )}
    </Page>
  )
}
