import './sync.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type AddressParameters, pathTo } from '../../../../../src/contract/app-pages.ts'
import { call } from '../../../app/client.ts'
import { useTexts } from '../../../app/texts.ts'
import { musicQuery, nameOfRecording, type Recording, recordingsQuery } from '../../../score/source.ts'
import { ButtonLink } from '../../../ui/buttons.tsx'
import { Field } from '../../../ui/fields.tsx'
import { SubmissionForm } from '../../../ui/form.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryContent } from '../../../ui/query-content.tsx'
import { type KnownErrors, useSubmission } from '../../../ui/submission.ts'
import { scoreQuery } from '../../../score/score-query.ts'
import { Tapping } from './tapping.tsx'

/** Recordings of a score, and when they play each measure. */
export default function SyncPage({ score }: AddressParameters<'/scores/{score}/sync'>) {
  const { text } = useTexts()
  const details = useQuery(scoreQuery(score, undefined))
  return (
    <Page title={text('sync.title')} isWide>
      <QueryContent query={details}>
        {({ title, rights }) => (
          <>
            <p>{text('sync.of', { title })}</p>
            {rights?.aclWrite ? <Recordings score={score} /> : <p role="alert">{text('sync.onlyWriters')}</p>}
            <div className="buttons">
              <ButtonLink isSecondary href={pathTo('/scores/{score}', { score })}>
                {text('sync.back')}
              </ButtonLink>
            </div>
          </>
        )}
      </QueryContent>
    </Page>
  )
}

function Recordings({ score }: { score: string }) {
  const { text } = useTexts()
  const id = useId()
  const source = { score, revision: 'last', sharingKey: undefined }
  const recordings = useQuery(recordingsQuery(source))
  const music = useQuery(musicQuery(source))
  const [chosenId, choose] = useState<string>()
  return (
    <QueryContent query={recordings}>
      {(all) => {
        const files = all.filter(({ type }) => type === 'audio')
        const chosen: Recording | undefined = files.find((one) => one.id === chosenId) ?? files[0]
        return (
          <>
            <AddRecording score={score} isFirst={files.length === 0} onAdded={choose} />
            {files.length > 0 && (
              <div>
                <label htmlFor={id}>{text('sync.recording')}</label>
                <select
                  id={id}
                  value={chosen?.id}
                  onChange={({ currentTarget }) => choose(currentTarget.value)}
                >
                  {files.map((one) => (
                    <option key={one.id} value={one.id}>
                      {nameOfRecording(one)}
                    </option>
                  ))}
                </select>
              </div>
            )}
            {chosen && (
              <QueryContent query={music}>
                {({ measures }) => (
                  <Tapping key={chosen.id} source={source} recording={chosen} measures={measures} />
                )}
              </QueryContent>
            )}
          </>
        )
      }}
    </QueryContent>
  )
}

const knownErrors: KnownErrors = { url: ['url', 'sync.addressWrong'] }

interface AddProps {
  score: string
  isFirst: boolean
  onAdded(id: string): void
}

function AddRecording({ score, isFirst, onAdded }: AddProps) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const [count, setCount] = useState(0)
  const submission = useSubmission(knownErrors, async (form) => {
    const title = String(form.get('title')).trim()
    const body = { url: String(form.get('url')).trim(), ...(title && { title }) }
    const { track } = await call('addScoreTrack', { params: { score }, query: {}, body })
    await queries.invalidateQueries({ queryKey: ['scores', score, 'recordings'] })
    onAdded(track.id)
    // An empty form for the next one.
    setCount(count + 1)
  })
  return (
    <details className="sync-add" open={isFirst}>
      <summary>{text('sync.add')}</summary>
      <SubmissionForm key={count} submission={submission} action={text('sync.addDo')}>
        <Field name="url" label={text('sync.address')} hint={text('sync.addressHint')} isRequired />
        <Field name="title" label={text('sync.name')} />
      </SubmissionForm>
    </details>
  )
}
