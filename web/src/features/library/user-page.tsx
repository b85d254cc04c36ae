import './user-page.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { UserPublic } from '../../../../src/contract/users.ts'
import { Refusal } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { ButtonLink } from '../../ui/buttons.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { Empty } from '../../ui/empty.tsx'
import { MoreWhenSeen } from './more-when-seen.tsx'
import { userQuery, userScoresQuery } from './queries.ts'
import { ScoreItems } from './score-items.tsx'

/** A user, as far as the viewer may know them, with their public scores. Visitors can open it. */
export function UserPage({ user: id }: AddressParameters<'/users/{user}'>) {
  const { text } = useTexts()
  const user = useQuery(userQuery(id))
  if (user.error instanceof Refusal && user.error.status === 404) {
    return (
      <Page title={text('userPage.missing')}>
        <p>{text('userPage.missingWhy')}</p>
        <p>
          <ButtonLink isSecondary href={pathTo('/')}>
            {text('notFound.back')}
          </ButtonLink>
        </p>
      </Page>
    )
  }
  // The server does not say the name of a private profile.
  const name = user.data?.printableName ?? text('userPage.title')
  return (
    <Page title={name} isWide>
      {(heading) => (
        <>
          <div className="user-head">
            {user.data?.picture && <img src={user.data.picture} alt="" />}
            {heading}
          </div>
          <QueryContent query={user}>{(loaded) => <Content user={loaded} />}</QueryContent>
        </>
      )}
    </Page>
  )
}

function Content({ user: { id, bio } }: { user: UserPublic }) {
  const { text } = useTexts()
  const query = useInfiniteQuery(userScoresQuery(id))
  const scores = query.data?.pages.flatMap(({ rows }) => rows) ?? []
  return (
    <>
      {bio && <p className="user-bio">{bio}</p>}
      <h2>{text('userPage.scores')}</h2>
      <QueryContent query={query}>
        {() =>
          scores.length === 0 ? (
            <Empty icon="scores" title={text('userPage.none')}>
              <p>{text('userPage.noneWhy')}</p>
            </Empty>
          ) : (
            <ScoreItems scores={scores} layout="grid" label={text('userPage.scores')} />
          )
        }
      </QueryContent>
      {query.hasNextPage && (
        <MoreWhenSeen key={query.data?.pages.length} onSeen={() => void query.fetchNextPage()} />
      )}
    </>
  )
}
