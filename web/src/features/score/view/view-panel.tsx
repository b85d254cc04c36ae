import './view-panel.css'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { RadioGroup } from 'react-aria-components/RadioGroup'
import { Label } from 'react-aria-components/Label'
import type { ScoreDetails } from '../../../../../src/contract/scores.ts'
import { useTexts } from '../../../app/texts.ts'
import type { Layout, ReaderView } from '../../../score/reader-view.ts'
import { musicQuery, type ScoreSource } from '../../../score/source.ts'
import { Button } from '../../../ui/buttons.tsx'
import { RadioChoice } from '../../../ui/fields.tsx'
import { intervalToKey, keyAfter, offeredIntervals, parameterOf } from './intervals.ts'

interface Props {
  score: ScoreDetails
  source: ScoreSource
  view: ReaderView
}

/** Which parts of a score are shown, in which pitches, and how the pages are laid out. */
export default function ViewPanel({ score, source, view }: Props) {
  const { text } = useTexts()
  const layouts = ['scroll', 'pages', 'line'] as const
  return (
    <div className="view-panel">
      <RadioGroup value={view.layout} onChange={(layout) => view.setLayout(layout as Layout)}>
        <Label>{text('view.layout')}</Label>
        {layouts.map((layout) => (
          <RadioChoice key={layout} value={layout}>
            {text(`view.layout.${layout}`)}
          </RadioChoice>
        ))}
      </RadioGroup>
      <PartChoice source={source} view={view} />
      <IntervalChoice view={view} />
      {score.mainKeySignature !== undefined && <KeyChoice view={view} main={score.mainKeySignature} />}
      <RadioGroup
        value={view.variant.concertPitch ? 'concert' : 'written'}
        onChange={(pitch) => view.change({ concertPitch: pitch === 'concert' ? true : undefined })}
      >
        <Label>{text('view.pitch')}</Label>
        <RadioChoice value="written">{text('view.written')}</RadioChoice>
        <RadioChoice value="concert">{text('view.concert')}</RadioChoice>
      </RadioGroup>
    </div>
  )
}

function PartChoice({ source, view }: Omit<Props, 'score'>) {
  const { text } = useTexts()
  // The view of the score loads the music.
  const { data: music } = useQuery({ ...musicQuery(source), enabled: false })
  if (!music) return <p className="hint">{text('view.partsLater')}</p>
  const parts = music.partUuids.map((uuid, index) => ({
    uuid,
    name: music.parts[index] || text('player.part', { number: index + 1 }),
  }))
  if (parts.length < 2) return null
  const chosen = view.variant.parts?.split(',')
  const isShown = (uuid: string) => chosen?.includes(uuid) ?? true
  function show(uuids: readonly string[]) {
    const isAll = uuids.length === 0 || uuids.length === parts.length
    view.change({ parts: isAll ? undefined : uuids.join(',') })
  }
  const shown = parts.filter(({ uuid }) => isShown(uuid)).map(({ uuid }) => uuid)
  return (
    <fieldset className="view-parts">
      <legend>{text('view.parts')}</legend>
      <ul>
        {parts.map(({ uuid, name }) => (
          <li key={uuid}>
            <label>
              <input
                type="checkbox"
                checked={isShown(uuid)}
                disabled={shown.length === 1 && isShown(uuid)}
                onChange={(event) =>
                  show(
                    parts
                      .map((part) => part.uuid)
                      .filter((one) => (one === uuid ? event.currentTarget.checked : shown.includes(one))),
                  )
                }
              />
              {name}
            </label>
            <Button isSecondary aria-label={text('view.only', { part: name })} onPress={() => show([uuid])}>
              {text('view.onlyShort')}
            </Button>
          </li>
        ))}
      </ul>
      {chosen && (
        <Button isSecondary onPress={() => show([])}>
          {text('view.allParts')}
        </Button>
      )}
      <p className="hint">{text('view.partsHint')}</p>
    </fieldset>
  )
}

function IntervalChoice({ view }: Pick<Props, 'view'>) {
  const { text } = useTexts()
  const { transpose } = view.variant
  const id = useId()
  const isOffered = !transpose || offeredIntervals.some((one) => parameterOf(one) === transpose)
  return (
    <div>
      <label htmlFor={id}>{text('view.interval')}</label>
      <select
        id={id}
        value={transpose ?? ''}
        onChange={(event) => view.change({ transpose: event.currentTarget.value || undefined })}
      >
        <option value="">{text('view.noInterval')}</option>
        {offeredIntervals.map((interval) => {
          const size = Math.abs(interval.semitones) as 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12
          return (
            <option key={parameterOf(interval)} value={parameterOf(interval)}>
              {text(interval.semitones > 0 ? 'view.up' : 'view.down', { interval: text(`interval.${size}`) })}
            </option>
          )
        })}
        {!isOffered && <option value={transpose}>{text('view.otherInterval')}</option>}
      </select>
    </div>
  )
}

const keys = [-7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7] as const

function KeyChoice({ view, main }: Pick<Props, 'view'> & { main: number }) {
  const { text } = useTexts()
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{text('view.key')}</label>
      <select
        id={id}
        value={keyAfter(main, view.variant.transpose)}
        onChange={(event) => {
          const interval = intervalToKey(main, Number(event.currentTarget.value))
          view.change({ transpose: interval && parameterOf(interval) })
        }}
      >
        {keys.map((key) => (
          <option key={key} value={key}>
            {text(`musicKey.${key}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
