import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Security } from '../../../../src/contract/account-security.ts'
import type { TextKey } from '../../../../src/texts/catalogue.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Day, Moment } from '../../ui/moment.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useSecurityRefresh } from './queries.ts'

type Session = Security['sessions'][number]

/** The browsers in which the user is signed in. */
export function SessionsSection({ sessions }: { sessions: readonly Session[] }) {
  const texts = useTexts()
  const { text } = texts
  const refresh = useSecurityRefresh()
  const heading = useRef<HTMLHeadingElement>(null)
  const ending = useMutation({
    async mutationFn() {
      await call('endOtherSessions')
      await refresh()
      // The button that had the focus disappears.
      heading.current?.focus()
    },
  })
  const columns: readonly Column<Session>[] = [
    {
      title: text('security.sessionWhere'),
      isRowHeader: true,
      content: (session) => text(placeOf(session)),
    },
    { title: text('table.since'), content: ({ startedAt }) => <Moment of={startedAt} /> },
    { title: text('table.ends'), content: ({ endsAt }) => <Day of={endsAt} /> },
  ]
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions" ref={heading} tabIndex={-1}>
        {text('security.sessions')}
      </h2>
      <Notice>{ending.isSuccess ? text('security.othersEnded') : undefined}</Notice>
      <Notice isError>{ending.error ? errorText(texts, ending.error) : undefined}</Notice>
      <Table
        rows={sessions}
        columns={columns}
        keyOf={({ startedAt, endsAt, isCurrent }) => `${startedAt} ${endsAt} ${isCurrent}`}
      />
      {sessions.length > 1 && (
        <p>
          <Confirmation
            action={text('security.endOthers')}
            label={text('security.endOthers')}
            consequence={text('security.endOthersWhat')}
            onConfirm={() => ending.mutate()}
          />
        </p>
      )}
    </section>
  )
}

function placeOf({ isCurrent, isByLink }: Session): TextKey {
  if (isCurrent) return 'security.sessionHere'
  return isByLink ? 'security.sessionByLink' : 'security.sessionElsewhere'
}
