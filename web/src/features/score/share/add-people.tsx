import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ResourceCollaborator } from '../../../../../src/contract/sharing.ts'
import { call } from '../../../app/client.ts'
import { errorText, useTexts } from '../../../app/texts.ts'
import { Button } from '../../../ui/buttons.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { peopleQuery } from '../people.ts'
import { bodyOfRight, collaboratorsQuery, groupName, type Right, RightSelect } from './rights.tsx'

interface Found {
  readonly key: string
  readonly name: string
  readonly hint: string
  readonly to: { readonly user: string } | { readonly group: string } | { readonly userEmail: string }
}

/** Finds people and groups by name, and shares the score with them. */
export function AddPeople({ score }: { score: string }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [q, setQ] = useState('')
  const [right, setRight] = useState<Right>('read')
  const typed = q.trim()
  const { data, error: searchError } = useQuery(peopleQuery(score, typed))
  const {
    mutate,
    isPending,
    data: added,
    variables,
    error,
  } = useMutation({
    mutationFn: ({ to }: Found): Promise<ResourceCollaborator> =>
      call('addScoreCollaborator', { params: { score }, body: { ...to, ...bodyOfRight(right) } }),
    onSuccess() {
      setQ('')
      // The button that was pressed goes away.
      field.current?.focus()
      return queries.invalidateQueries({ queryKey: collaboratorsQuery(score).queryKey })
    },
  })
  const found: Found[] = [
    ...(data?.people ?? []).map(({ id, username, name }) => {
      return { key: id, name, hint: name === username ? '' : username, to: { user: id } }
    }),
    ...(data?.groups ?? []).map((group) => {
      return {
        key: group.id,
        name: groupName(text, group),
        hint: text('sharing.group'),
        to: { group: group.id },
      }
    }),
    ...(/^\S+@\S+$/.test(typed)
      ? [{ key: typed, name: typed, hint: text('sharing.byMail'), to: { userEmail: typed } }]
      : []),
  ]
  const failure = error ?? searchError
  return (
    <div>
      <label htmlFor="share-search">{text('sharing.add')}</label>
      <p id="share-hint" className="hint">
        {text('sharing.addHint')}
      </p>
      <div className="share-search">
        <input
          ref={field}
          id="share-search"
          type="search"
          autoComplete="off"
          aria-describedby="share-hint"
          value={q}
          onChange={({ currentTarget }) => setQ(currentTarget.value)}
        />
        <RightSelect label={text('sharing.newRight')} value={right} onChange={setRight} />
      </div>
      <Notice>
        {typed && data && found.length === 0
          ? text('sharing.nobody')
          : added && variables && !typed
            ? text('sharing.added', { name: variables.name })
            : undefined}
      </Notice>
      {typed && found.length > 0 && (
        <ul className="share-list">
          {found.map((one) => (
            <li key={one.key}>
              <span className="share-who">
                <strong>{one.name}</strong>
                {one.hint && <span className="hint">{one.hint}</span>}
              </span>
              <Button
                isSecondary
                isPending={isPending}
                aria-label={text('sharing.shareWith', { name: one.name })}
                onPress={() => mutate(one)}
              >
                {text('sharing.do')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {added?.userToken && !typed && (
        <>
          <p className="hint">{text('sharing.tokenHint')}</p>
          <Copyable label={text('sharing.token')}>{added.userToken}</Copyable>
        </>
      )}
      <Notice isError>{failure ? errorText(texts, failure) : undefined}</Notice>
    </div>
  )
}
