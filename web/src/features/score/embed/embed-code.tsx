import './embed-code.css'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { ScoreDetails } from '../../../../../src/contract/scores.ts'
import { useTexts } from '../../../app/texts.ts'
import { musicQuery } from '../../../score/source.ts'
import { Button } from '../../../ui/buttons.tsx'
import { Copyable } from '../../../ui/copyable.tsx'

const layouts = ['responsive', 'page', 'track'] as const

interface Props {
  score: ScoreDetails
  sharingKey: string | undefined
  close: () => void
}

/** The content of the dialog. Only a score that visitors can open has a code. */
export default function EmbedCode({ score, sharingKey, close }: Props) {
  const { text } = useTexts()
  // The owner of a score that is shared by a link sees its key in the details.
  const key = score.privacy === 'privateLink' ? (sharingKey ?? score.sharingKey ?? undefined) : undefined
  const isReachable = score.privacy === 'public' || key !== undefined
  return (
    <>
      {isReachable ? <Code score={score} sharingKey={key} /> : <p>{text('embed.onlyShared')}</p>}
      <div className="buttons">
        <Button isSecondary onPress={close}>
          {text('app.close')}
        </Button>
      </div>
    </>
  )
}

/** A preview of the embed, what can be chosen about it, and the code to copy. */
function Code({ score: { id, title }, sharingKey }: Omit<Props, 'close'>) {
  const { text } = useTexts()
  const names = useId()
  const [width, setWidth] = useState(800)
  const [height, setHeight] = useState(450)
  const [layout, setLayout] = useState<(typeof layouts)[number]>('responsive')
  const [hasControls, setControls] = useState(true)
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const music = useQuery(musicQuery({ score: id, revision: 'last', sharingKey, variant: {} }))
  const parts = music.data?.parts ?? []
  const shown = parts.flatMap((_, index) => (hidden.has(index) ? [] : [index]))
  const query = new URLSearchParams({
    ...(sharingKey !== undefined && { sharingKey }),
    ...(layout !== 'responsive' && { layout }),
    ...(hidden.size > 0 && { parts: shown.join(',') }),
    ...(!hasControls && { controlsDisplay: 'false' }),
  })
  const path = `/embed/${id}${query.size > 0 ? `?${query}` : ''}`
  const code = `<iframe src="${escaped(location.origin + path)}" title="${escaped(title)}" width="${width}" height="${height}" allow="autoplay; midi" allowfullscreen loading="lazy"></iframe>`
  const size = (label: string, value: number, set: (value: number) => void) => (
    <label>
      {label}
      <input
        type="number"
        min={200}
        max={4000}
        value={value}
        onChange={({ currentTarget: { valueAsNumber } }) => set(valueAsNumber > 0 ? valueAsNumber : 200)}
      />
    </label>
  )
  const choice = (label: string, isOn: boolean, set: (isOn: boolean) => void) => (
    <label key={label} className="embed-choice">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => set(currentTarget.checked)} />
      {label}
    </label>
  )
  return (
    <div className="embed-code">
      <iframe className="embed-preview" src={path} title={text('embed.preview')} />
      <div className="embed-settings">
        {size(text('embed.width'), width, setWidth)}
        {size(text('embed.height'), height, setHeight)}
        <label htmlFor={names}>
          {text('embed.layout')}
          <select
            id={names}
            value={layout}
            onChange={({ currentTarget: { value } }) =>
              setLayout(layouts.find((one) => one === value) ?? 'responsive')
            }
          >
            {layouts.map((one) => (
              <option key={one} value={one}>
                {text(`embed.layout.${one}`)}
              </option>
            ))}
          </select>
        </label>
        {choice(text('embed.controls'), hasControls, setControls)}
      </div>
      {parts.length > 1 && (
        <fieldset className="embed-parts">
          <legend>{text('player.parts')}</legend>
          {parts.map((name, index) =>
            choice(name || text('player.part', { number: index + 1 }), !hidden.has(index), (isOn) => {
              const next = new Set(hidden)
              if (isOn) next.delete(index)
              else next.add(index)
              // An embed shows at least one part.
              if (next.size < parts.length) setHidden(next)
            }),
          )}
        </fieldset>
      )}
      <Copyable label={text('embed.code')}>{code}</Copyable>
    </div>
  )
}

const escaped = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
