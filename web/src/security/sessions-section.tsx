import { useRef, useState } from 'react'
import type { Security } from '../../../src/contract/account-security.ts'
import { endOtherSessions } from '../client.ts'
import { Confirmation } from '../confirmation.tsx'
import { Day } from '../moment.tsx'
import { Notice } from '../page.tsx'
import { inWords, useTexts } from '../texts.ts'

type Session = Security['sessions'][number]

interface Props {
  sessions: readonly Session[]
  onChanged(): Promise<void>
}

/** The browsers in which somebody is signed in. */
export function SessionsSection({ sessions, onChanged }: Props) {
  const texts = useTexts()
  const { text } = texts
  const heading = useRef<HTMLHeadingElement>(null)
  const [notice, setNotice] = useState<string>()
  const [error, setError] = useState<string>()

  async function endOthers() {
    try {
      await endOtherSessions()
      await onChanged()
      setError(undefined)
      setNotice(text('security.othersEnded'))
      heading.current?.focus()
    } catch (refusal) {
      setError(inWords(texts, refusal))
    }
  }

  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions" ref={heading} tabIndex={-1}>
        {text('security.sessions')}
      </h2>
      <Notice>{notice}</Notice>
      <Notice isWrong>{error}</Notice>
      <table>
        <thead>
          <tr>
            <th scope="col">{text('security.sessionWhere')}</th>
            <th scope="col">{text('table.since')}</th>
            <th scope="col">{text('table.ends')}</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <Row key={`${session.startedAt} ${session.endsAt} ${session.isCurrent}`} session={session} />
          ))}
        </tbody>
      </table>
      {sessions.length > 1 && (
        <p>
          <Confirmation
            action={text('security.endOthers')}
            label={text('security.endOthers')}
            consequence={text('security.endOthersWhat')}
            onConfirm={endOthers}
          />
        </p>
      )}
    </section>
  )
}

function Row({ session }: { session: Session }) {
  const { text } = useTexts()
  const { startedAt, endsAt, isCurrent, isByLink } = session
  const where = isCurrent ? 'security.sessionHere' : isByLink ? 'security.sessionByLink' : 'security.sessionElsewhere'
  return (
    <tr>
      <th scope="row">{text(where)}</th>
      <td data-label={text('table.since')}>
        <Day of={startedAt} />
      </td>
      <td data-label={text('table.ends')}>
        <Day of={endsAt} />
      </td>
    </tr>
  )
}
