import './measure-reader.css'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTexts } from '../../app/texts.ts'
import { QueryContent } from '../../ui/query-content.tsx'
import { indexAt, startOf } from '../player/places.ts'
import type { Player } from '../player/player.ts'
import { usePlayerState, usePosition } from '../player/use-player.ts'
import { contentsQuery, type ScoreSource } from '../source.ts'
import type { ScoreContents } from '../../../../src/music/model/measure-contents.ts'
import { spokenMeasure } from './spoken-measure.ts'

/** Reads the measures of a score as text, for readers who do not see the page. */
export default function MeasureReader({ source, player }: { source: ScoreSource; player: Player }) {
  const { text } = useTexts()
  const contents = useQuery(contentsQuery(source))
  return (
    <section className="reader" aria-label={text('reading.open')}>
      <QueryContent query={contents}>{(loaded) => <Reader contents={loaded} player={player} />}</QueryContent>
    </section>
  )
}

/**
 * The slider has the text of the measure as its value, so a screen reader says it whenever an arrow key has changed the measure
 * or the part. During playback the measure changes by itself, and is said only if the reader wants it.
 */
function Reader({ contents, player }: { contents: ScoreContents; player: Player }) {
  const texts = useTexts()
  const { text } = texts
  const ids = { slider: useId(), part: useId(), keys: useId() }
  const { isPlaying } = usePlayerState(player)
  const position = usePosition(player)
  const [part, setPart] = useState<number>()
  const [isAnnounced, setAnnounced] = useState(false)
  const { measures } = player.music
  const played = measures[indexAt(measures, position)]?.uuid
  const index = Math.max(
    0,
    contents.measures.findIndex(({ uuid }) => uuid === played),
  )
  const spoken = spokenMeasure(texts, contents, index, part)

  function goTo(next: number) {
    const uuid = contents.measures[next]?.uuid
    const start = uuid === undefined ? undefined : startOf(measures, uuid, player.position())
    if (start !== undefined) player.seek(start)
  }
  /** Up and down go through the parts; before the first one there are all parts together. */
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.max(-1, Math.min(contents.parts.length - 1, (part ?? -1) + step))
    setPart(next < 0 ? undefined : next)
  }
  return (
    <>
      <div className="reader-controls">
        <label htmlFor={ids.slider}>{text('reading.slider')}</label>
        <input
          id={ids.slider}
          type="range"
          min={1}
          max={contents.measures.length}
          value={index + 1}
          aria-valuetext={spoken}
          aria-describedby={ids.keys}
          onChange={(event) => goTo(event.currentTarget.valueAsNumber - 1)}
          onKeyDown={onKeyDown}
        />
        {contents.parts.length > 1 && (
          <>
            <label htmlFor={ids.part}>{text('reading.part')}</label>
            <select
              id={ids.part}
              value={part ?? ''}
              onChange={({ currentTarget: { value } }) => setPart(value === '' ? undefined : Number(value))}
            >
              <option value="">{text('reading.allParts')}</option>
              {contents.parts.map(({ uuid, name }, at) => (
                <option key={uuid} value={at}>
                  {name || text('player.part', { number: at + 1 })}
                </option>
              ))}
            </select>
          </>
        )}
        <label className="reader-choice">
          <input
            type="checkbox"
            checked={isAnnounced}
            onChange={(event) => setAnnounced(event.currentTarget.checked)}
          />
          {text('reading.during')}
        </label>
      </div>
      <p className="reader-text">{spoken}</p>
      <p className="hint" id={ids.keys}>
        {text('reading.keys')}
      </p>
      <p className="visually-hidden" aria-live="polite">
        {isPlaying && isAnnounced ? spoken : ''}
      </p>
    </>
  )
}
