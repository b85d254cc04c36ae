import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type AddressParameters, pathTo } from '../../../../../src/contract/app-pages.ts'
import type { ScoreDetails } from '../../../../../src/contract/scores.ts'
import { Refusal } from '../../../app/client.ts'
import { useMe } from '../../../app/queries.ts'
import { useTexts } from '../../../app/texts.ts'
import { loadEditor } from '../../../editor/load-editor.ts'
import { scoreQuery } from '../../../score/score-query.ts'
import { ButtonLink } from '../../../ui/buttons.tsx'
import { loadedWhenIdle } from '../../../ui/loaded-when-idle.ts'
import { Page } from '../../../ui/page.tsx'
import { QueryContent } from '../../../ui/query-content.tsx'
import { openedScoreQuery } from './queries.ts'

const EditView = loadedWhenIdle(loadEditor)

/** The editor of a score, for those who may change it. */
export default function EditPage({ score: id }: AddressParameters<'/scores/{score}/edit'>) {
  const { text } = useTexts()
  const score = useQuery(scoreQuery(id, undefined))
  if (score.error instanceof Refusal && score.error.status === 404 && !score.data) {
    return (
      <Page title={text('scorePage.missing')}>
        <p>{text('scorePage.missingWhy')}</p>
      </Page>
    )
  }
  return (
    <Page title={score.data?.title ?? text('scorePage.title')} isWide className="wide editor-page">
      <QueryContent query={score}>{(loaded) => <Content score={loaded} />}</QueryContent>
    </Page>
  )
}

function Content({ score }: { score: ScoreDetails }) {
  const { text } = useTexts()
  const { id: user } = useMe()
  const mayEdit = score.rights?.aclWrite === true
  const opened = useQuery({ ...openedScoreQuery(score.id, user), enabled: mayEdit })
  if (!mayEdit) {
    return (
      <>
        <p>{text('editor.mayNot')}</p>
        <ButtonLink href={pathTo('/scores/{score}', { score: score.id })}>
          {text('work.openScore')}
        </ButtonLink>
      </>
    )
  }
  return (
    <QueryContent query={opened}>
      {(loaded) => (
        <Suspense fallback={<p className="hint">{text('app.loading')}</p>}>
          <EditView key={loaded.revision} score={score} user={user} opened={loaded} />
        </Suspense>
      )}
    </QueryContent>
  )
}
