import './score-picker.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { toBase64 } from '../../ui/base64.ts'
import { Button } from '../../ui/buttons.tsx'
import { Field } from '../../ui/fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { foundScoresQuery } from './queries.ts'

export interface PickedScore {
  readonly id: string
  readonly title: string
}

interface Props {
  onPick(score: PickedScore): void
  onCancel(): void
}

/** Chooses one of the user’s scores, or uploads a new one. */
export function ScorePicker({ onPick, onCancel }: Props) {
  const { text } = useTexts()
  const [words, setWords] = useState('')
  const found = useQuery(foundScoresQuery(useDeferredValue(words.trim())))
  return (
    <>
      <UploadScore onUploaded={onPick} />
      <Field
        label={text('library.search')}
        type="search"
        autoComplete="off"
        maxLength={200}
        value={words}
        onChange={setWords}
      />
      <QueryContent query={found}>
        {(scores) =>
          scores.length === 0 ? (
            <p role="status">{text('work.noScores')}</p>
          ) : (
            <ul className="score-picker">
              {scores.map(({ id, title, composer }) => (
                <li key={id}>
                  <Button isSecondary onPress={() => onPick({ id, title })}>
                    <span className="picked-title">{title}</span>
                    {composer && <span>{composer}</span>}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
      <div className="buttons">
        <Button isSecondary onPress={onCancel}>
          {text('app.cancel')}
        </Button>
      </div>
    </>
  )
}

function UploadScore({ onUploaded }: { onUploaded(score: PickedScore): void }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    async mutationFn(file: File) {
      const created = await call('createScore', {
        body: {
          data: await toBase64(file),
          dataEncoding: 'base64',
          title: file.name.replace(/\.\w+$/, ''),
          privacy: 'private',
          collection: 'root',
        },
      })
      return created as ScoreDetails
    },
    async onSuccess(created) {
      await queries.invalidateQueries({ queryKey: ['lists'] })
      onUploaded(created)
    },
  })
  return (
    <>
      <FileTrigger onSelect={(files) => files?.[0] && mutate(files[0])}>
        <Button isSecondary isPending={isPending}>
          {text('work.uploadScore')}
        </Button>
      </FileTrigger>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
    </>
  )
}
