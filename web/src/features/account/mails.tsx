import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { mailFrequencies } from '../../../../src/contract/mail-frequencies.ts'
import type { MailObstacle, NotificationMails } from '../../../../src/contract/notifications.ts'
import type { TextKey } from '../../../../src/texts/catalogue.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { notificationMailsQuery } from './queries.ts'

const obstacleTexts: Readonly<Record<MailObstacle, TextKey>> = {
  'no mail server': 'mails.obstacle.noServer',
  'no address': 'mails.obstacle.noAddress',
  'address not confirmed': 'mails.obstacle.notConfirmed',
}

/** How often the user gets a mail about notifications. */
export default function NotificationMailsSection() {
  const { text } = useTexts()
  const mails = useQuery(notificationMailsQuery)
  return (
    <section aria-labelledby="mails">
      <h2 id="mails">{text('mails.title')}</h2>
      <p>{text('mails.what')}</p>
      <QueryContent query={mails}>
        {(loaded) => (
          <>
            {loaded.obstacle && <p>{text(obstacleTexts[loaded.obstacle])}</p>}
            {loaded.obstacle !== 'no mail server' && <FrequencyForm mails={loaded} />}
          </>
        )}
      </QueryContent>
    </section>
  )
}

const knownErrors: KnownErrors = {}

function FrequencyForm({ mails }: { mails: NotificationMails }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const [isSaved, setSaved] = useState(false)
  const submission = useSubmission(knownErrors, async (form) => {
    setSaved(false)
    const frequency = mailFrequencies.find((one) => one === form.get('frequency')) ?? mails.frequency
    await call('changeNotificationMails', { body: { frequency } })
    queries.setQueryData(notificationMailsQuery.queryKey, { ...mails, frequency })
    setSaved(true)
  })
  return (
    <>
      <Notice>{isSaved ? text('mails.saved') : undefined}</Notice>
      <SubmissionForm submission={submission} action={text('mails.save')}>
        <label htmlFor="frequency">{text('mails.frequency')}</label>
        <select id="frequency" name="frequency" defaultValue={mails.frequency}>
          {mailFrequencies.map((frequency) => (
            <option key={frequency} value={frequency}>
              {text(`mails.frequency.${frequency}`)}
            </option>
          ))}
        </select>
      </SubmissionForm>
    </>
  )
}
