import { useState } from 'react'
import type { Instrument } from '../../../../src/contract/instruments.ts'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { call, download } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Button, ButtonLink } from '../../ui/buttons.tsx'
import { CheckboxField, Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { InstrumentPicker } from './instrument-picker.tsx'

/** Creates an empty score for chosen instruments, and offers its files. */
export function NewScorePage() {
  const { text } = useTexts()
  const [created, setCreated] = useState<ScoreDetails>()
  return created ? (
    <Page title={text('newScore.created', { title: created.title })} key={created.id}>
      <p>{created.instrumentsNames.join(', ')}</p>
      <div className="buttons">
        <ButtonLink href={pathTo('/scores/{score}/edit', { score: created.id })}>
          {text('editor.write')}
        </ButtonLink>
        <ButtonLink isSecondary href={pathTo('/scores/{score}', { score: created.id })}>
          {text('newScore.open')}
        </ButtonLink>
        <Button isSecondary onPress={() => void saveFile(created.id, 'pdf')}>
          {text('newScore.pdf')}
        </Button>
        <Button isSecondary onPress={() => void saveFile(created.id, 'mxl')}>
          {text('newScore.musicXml')}
        </Button>
        <Button isSecondary onPress={() => setCreated(undefined)}>
          {text('newScore.another')}
        </Button>
      </div>
    </Page>
  ) : (
    <Page title={text('newScore.title')}>
      <ScoreForm onCreated={setCreated} />
    </Page>
  )
}

/** Lets the browser save a file of the score. */
const saveFile = (score: string, format: 'pdf' | 'mxl'): Promise<void> =>
  download('getScoreRevisionData', { params: { score, revision: 'last', format } })

const meters = ['4/4', '3/4', '2/4', '2/2', '6/8', '9/8', '12/8', '5/4', '7/8']
const keys = [0, 1, 2, 3, 4, 5, 6, 7, -1, -2, -3, -4, -5, -6, -7]
const nameOfKey = (fifths: number): string =>
  fifths === 0 ? '–' : `${Math.abs(fifths)} ${fifths > 0 ? '♯' : '♭'}`

/** The server knows the rules of the fields. */
const knownErrors: KnownErrors = { title: ['title', 'newScore.noTitle'] }

function ScoreForm({ onCreated }: { onCreated(score: ScoreDetails): void }) {
  const { text } = useTexts()
  const [chosen, setChosen] = useState<readonly Instrument[]>([])
  const [isMissing, setMissing] = useState(false)
  const submission = useSubmission(knownErrors, async (form) => {
    setMissing(chosen.length === 0)
    if (chosen.length === 0) return
    const [nbBeats, beatType] = String(form.get('meter')).split('/').map(Number) as [number, number]
    const scoreData = {
      fifths: Number(form.get('key')),
      nbBeats,
      beatType,
      useTabStaff: form.get('tablature') !== null,
      instruments: chosen.map(({ group, instrument, longName, shortName }) => ({
        group,
        instrument,
        longName,
        shortName,
      })),
    }
    const created = await call('createScore', {
      body: {
        title: String(form.get('title')),
        privacy: 'private',
        collection: 'root',
        builderData: { scoreData },
      },
    })
    onCreated(created as ScoreDetails)
  })
  return (
    <SubmissionForm submission={submission} action={text('newScore.do')} cancelPath={pathTo('/scores')}>
      <Field name="title" label={text('newScore.name')} isRequired maxLength={200} autoComplete="off" />
      <InstrumentPicker onAdd={(instrument) => setChosen([...chosen, instrument])} />
      <Chosen instruments={chosen} onRemove={(index) => setChosen(chosen.toSpliced(index, 1))} />
      {isMissing && chosen.length === 0 && (
        <p role="alert" className="field-error">
          {text('newScore.noInstruments')}
        </p>
      )}
      <Select name="key" label={text('newScore.key')} defaultValue="0">
        {keys.map((fifths) => (
          <option key={fifths} value={fifths}>
            {nameOfKey(fifths)}
          </option>
        ))}
      </Select>
      <Select name="meter" label={text('newScore.meter')}>
        {meters.map((meter) => (
          <option key={meter}>{meter}</option>
        ))}
      </Select>
      <CheckboxField
        name="tablature"
        label={text('newScore.tablature')}
        hint={text('newScore.tablatureHint')}
        defaultSelected={false}
      />
    </SubmissionForm>
  )
}

interface ChosenProps {
  instruments: readonly Instrument[]
  onRemove(index: number): void
}

/** The instruments of the score from the top, each with a button that removes it. */
function Chosen({ instruments, onRemove }: ChosenProps) {
  const { text } = useTexts()
  if (instruments.length === 0) return <p className="hint">{text('newScore.noneChosen')}</p>
  return (
    <ol aria-label={text('newScore.chosen')}>
      {instruments.map(({ longName }, index) => (
        // The index is the key, because an instrument can be chosen twice.
        <li key={index}>
          {longName}{' '}
          <Button
            isSecondary
            aria-label={text('newScore.remove', { instrument: longName })}
            onPress={() => onRemove(index)}
          >
            ×
          </Button>
        </li>
      ))}
    </ol>
  )
}
