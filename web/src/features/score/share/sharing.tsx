import './sharing.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ScoreDetails, scorePrivacies } from '../../../../../src/contract/scores.ts'
import type { ResourceCollaborator } from '../../../../../src/contract/sharing.ts'
import { call } from '../../../app/client.ts'
import { useMe } from '../../../app/queries.ts'
import { errorText, useTexts } from '../../../app/texts.ts'
import { Button } from '../../../ui/buttons.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryContent } from '../../../ui/query-content.tsx'
import { linkTo } from '../../../ui/score-link.ts'
import { scoreQuery } from '../../../score/score-query.ts'
import { AddPeople } from './add-people.tsx'
import {
  accessQuery,
  bodyOfRight,
  collaboratorsQuery,
  groupName,
  type Right,
  RightSelect,
  rightOf,
} from './rights.tsx'

interface Props {
  score: ScoreDetails
  /** The key with which the page was opened. */
  sharingKey: string | undefined
  close(): void
}

/** Says who has access to a score and why, and changes it. */
export default function Sharing({ score, sharingKey, close }: Props) {
  const { text } = useTexts()
  return (
    <div className="share">
      <AddPeople score={score.id} />
      <People score={score} />
      <Privacy score={score} openedWith={sharingKey} />
      <OtherWays score={score.id} />
      <div className="buttons">
        <Button isSecondary onPress={close}>
          {text('app.close')}
        </Button>
      </div>
    </div>
  )
}

function People({ score }: { score: ScoreDetails }) {
  const { text } = useTexts()
  const collaborators = useQuery(collaboratorsQuery(score.id))
  return (
    <section aria-label={text('sharing.people')}>
      <h3>{text('sharing.people')}</h3>
      <QueryContent query={collaborators}>
        {(listed) => (
          <ul className="share-list">
            {listed.map((one) => (
              <Collaborator key={one.id ?? one.user?.id} score={score} collaborator={one} />
            ))}
          </ul>
        )}
      </QueryContent>
    </section>
  )
}

function Collaborator({ score, collaborator }: { score: ScoreDetails; collaborator: ResourceCollaborator }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const { id, user, group, userEmail } = collaborator
  const { id: ownId } = useMe()
  const isOwner = user?.id === score.user.id
  const name = user?.printableName ?? (group ? groupName(text, group) : (userEmail ?? ''))
  const why = group ? 'sharing.byGroup' : userEmail && !user ? 'sharing.invited' : 'sharing.direct'
  const { mutate, isPending, error } = useMutation({
    async mutationFn(right: Right | undefined) {
      const params = { score: score.id }
      if (right === undefined)
        await call('removeScoreCollaborator', { params: { ...params, collaborator: id ?? '' } })
      else {
        const to = user ? { user: user.id } : group?.id ? { group: group.id } : { userEmail: userEmail ?? '' }
        await call('addScoreCollaborator', { params, body: { ...to, ...bodyOfRight(right) } })
      }
      await queries.invalidateQueries({ queryKey: collaboratorsQuery(score.id).queryKey })
    },
  })
  return (
    <li>
      <span className="share-who">
        <strong>{name}</strong>
        <span className="hint">{text(isOwner ? 'sharing.owner' : why)}</span>
      </span>
      {!isOwner && (
        <>
          <RightSelect
            label={text('sharing.rightOf', { name })}
            value={rightOf(collaborator)}
            isDisabled={isPending}
            onChange={mutate}
          />
          <Button
            isSecondary
            isPending={isPending}
            aria-label={text(user?.id === ownId ? 'sharing.leave' : 'sharing.removeOf', { name })}
            onPress={() => mutate(undefined)}
          >
            {text('sharing.remove')}
          </Button>
        </>
      )}
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
    </li>
  )
}

/** Who can open the score without being named, and its link. */
function Privacy({ score, openedWith }: { score: ScoreDetails; openedWith: string | undefined }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const { organizationRole } = useMe()
  const [notice, setNotice] = useState<string>()
  const { id, privacy } = score
  const { mutate, isPending, error } = useMutation({
    async mutationFn(change: (typeof scorePrivacies)[number] | 'renew') {
      const params = { score: id }
      if (change === 'renew') await call('renewSharingKey', { params })
      else await call('editScore', { params, body: { privacy: change } })
      await queries.invalidateQueries({ queryKey: scoreQuery(id, openedWith).queryKey })
      setNotice(change === 'renew' ? text('sharing.renewed') : undefined)
    },
  })
  const choices = scorePrivacies.filter(
    (one) => one !== 'organizationPublic' || organizationRole !== null || privacy === one,
  )
  return (
    <section aria-label={text('sharing.link')}>
      <h3>{text('sharing.link')}</h3>
      <label htmlFor="share-privacy">{text('sharing.whoElse')}</label>
      <select
        id="share-privacy"
        value={privacy}
        disabled={isPending}
        onChange={({ currentTarget }) => {
          const chosen = choices.find((one) => one === currentTarget.value)
          if (chosen) mutate(chosen)
        }}
      >
        {choices.map((one) => (
          <option key={one} value={one}>
            {text(`sharing.privacy.${one}`)}
          </option>
        ))}
      </select>
      {privacy !== 'private' && <Copyable label={text('sharing.address')}>{linkTo(score)}</Copyable>}
      {privacy === 'privateLink' && (
        <Button isSecondary isPending={isPending} onPress={() => mutate('renew')}>
          {text('sharing.renew')}
        </Button>
      )}
      <Notice>{notice}</Notice>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
    </section>
  )
}

/** Those who have access by something else than the sharing of this score. */
function OtherWays({ score }: { score: string }) {
  const { text } = useTexts()
  const access = useQuery(accessQuery(score))
  return (
    <section aria-label={text('sharing.ways')}>
      <h3>{text('sharing.ways')}</h3>
      <QueryContent query={access}>
        {(entries) =>
          entries.length === 0 ? (
            <p className="hint">{text('sharing.noWays')}</p>
          ) : (
            <ul className="share-list">
              {entries.map(({ way, title, who, people, right }) => (
                <li key={`${way} ${title} ${who} ${right}`}>
                  <span className="share-who">
                    <strong>
                      {who ??
                        (people === null ? text('sharing.teachers') : text('sharing.holders', { people }))}
                    </strong>
                    <span className="hint">{text(`sharing.by.${way}`, { title })}</span>
                  </span>
                  <span>{text(`sharing.right.${right}`)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
    </section>
  )
}
