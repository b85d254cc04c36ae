import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScoreDetails } from '../../../../../src/contract/scores.ts'
import { call } from '../../../app/client.ts'
import { useTexts } from '../../../app/texts.ts'
import { scoreQuery } from '../../../score/score-query.ts'
import { Field } from '../../../ui/fields.tsx'
import { SubmissionForm } from '../../../ui/form.tsx'
import { Select } from '../../../ui/select.tsx'
import { type KnownErrors, useSubmission } from '../../../ui/submission.ts'
import { useToast } from '../../../ui/toasts.tsx'
import { showOwnRevision } from '../live/own-revision.ts'
import { changedDetails, creationTypes } from './changed-details.ts'
import { licenseName, licenses } from './licenses.ts'

interface Props {
  score: ScoreDetails
  sharingKey: string | undefined
  onClose(): void
}

const fieldErrors: KnownErrors = {
  title: ['title', 'library.noTitle'],
  tags: ['tags', 'details.tagsWrong'],
}

/** Changes the credits of a score and what else is known about it. What was typed stays if the server refuses it. */
export function DetailsForm({ score, sharingKey, onClose }: Props) {
  const { text } = useTexts()
  const toast = useToast()
  const queries = useQueryClient()
  // The score can be changed by others meanwhile.
  const [opened] = useState(score)
  const submission = useSubmission(fieldErrors, async (form) => {
    const { id } = opened
    const body = changedDetails(form, opened)
    if (Object.keys(body).length > 0) {
      await call('editScore', { params: { score: id }, body })
      await queries.invalidateQueries({ queryKey: scoreQuery(id, sharingKey).queryKey })
      // The pages have the credits, too.
      void showOwnRevision(queries, id)
      toast({ message: text('details.saved') })
    }
    onClose()
  })
  return (
    <SubmissionForm submission={submission} action={text('comments.save')} onCancel={onClose}>
      <Field
        name="title"
        label={text('library.titleOf')}
        defaultValue={opened.title}
        isRequired
        maxLength={1000}
        autoFocus
      />
      <Line name="subtitle" label={text('details.subtitle')} score={opened} />
      <Line name="composer" label={text('scorePage.composer')} score={opened} />
      <Line name="arranger" label={text('scorePage.arranger')} score={opened} />
      <Line name="lyricist" label={text('scorePage.lyricist')} score={opened} />
      <Field
        name="description"
        label={text('details.description')}
        defaultValue={opened.description ?? ''}
        maxLength={2000}
        isMultiline
      />
      <Field
        name="tags"
        label={text('details.tags')}
        hint={text('details.tagsHint')}
        defaultValue={opened.tags?.join(' ') ?? ''}
      />
      <Select
        name="creationType"
        label={text('details.creationType')}
        defaultValue={opened.creationType ?? ''}
      >
        <option value="">{text('details.unknown')}</option>
        {creationTypes.map((type) => (
          <option key={type} value={type}>
            {text(`details.creationType.${type}`)}
          </option>
        ))}
      </Select>
      <Select name="license" label={text('details.license')} defaultValue={opened.license ?? ''}>
        <option value="">{text('details.unknown')}</option>
        {licenses.map((license) => (
          <option key={license} value={license}>
            {licenseName(license, text)}
          </option>
        ))}
      </Select>
      <Field
        name="licenseText"
        label={text('details.licenseText')}
        defaultValue={opened.licenseText ?? ''}
        maxLength={10_000}
        isMultiline
      />
    </SubmissionForm>
  )
}

interface LineProps {
  name: 'subtitle' | 'composer' | 'arranger' | 'lyricist'
  label: string
  score: ScoreDetails
}

/** One of the credits, in one line. */
const Line = ({ name, label, score }: LineProps) => (
  <Field name={name} label={label} defaultValue={score[name] ?? ''} maxLength={1000} autoComplete="off" />
)
