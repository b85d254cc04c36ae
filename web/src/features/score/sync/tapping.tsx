import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button as PressButton } from 'react-aria-components/Button'
import { call } from '../../../app/client.ts'
import { errorText, useTexts } from '../../../app/texts.ts'
import { measureNumbers } from '../../../score/player/measure-numbers.ts'
import type { PlayedMeasure } from '../../../score/player/places.ts'
import { createSheet, drawBehind } from '../../../score/sheet/sheet.ts'
import { SheetView } from '../../../score/sheet/sheet-view.tsx'
import type { Recording, ScoreSource } from '../../../score/source.ts'
import { Button } from '../../../ui/buttons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useShortcuts } from '../../../ui/shortcuts.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { pointsOf, type Taps, tapsOf, withMovedTap, withTap } from './taps.ts'

interface Props {
  source: ScoreSource
  recording: Recording
  /** In the order of playing. */
  measures: readonly PlayedMeasure[]
}

/** The user taps when each measure of a recording begins, and corrects the times. */
export function Tapping({ source, recording, measures }: Props) {
  const texts = useTexts()
  const { text } = texts
  const audio = useRef<HTMLAudioElement>(null)
  const uuids = measures.map(({ uuid }) => uuid)
  const numbers = measureNumbers(measures)
  const [taps, setTaps] = useState<Taps>(() => tapsOf(recording.synchronizationPoints ?? [], uuids))
  // Before the recording was played or moved, a tap would only say 0 seconds.
  const [hasBegun, setBegun] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const next = uuids[taps.length]
  const isComplete = taps.length > uuids.length

  function tap() {
    const time = audio.current?.currentTime
    if (time !== undefined && hasBegun) setTaps((all) => withTap(all, time, uuids.length + 1))
  }
  const undo = () => setTaps((all) => all.slice(0, -1))
  useShortcuts([
    { key: ' ', text: 'sync.tap', run: tap },
    { key: 'Backspace', text: 'sync.undo', run: undo },
  ])
  const nameOf = (index: number) => {
    const uuid = uuids[index]
    return uuid === undefined ? text('sync.end') : text('sync.measure', { number: numbers.numberOf(uuid) })
  }
  return (
    <>
      <div className="sync-tools">
        {/* biome-ignore lint/a11y/useMediaCaption: the recording is music, and nobody has its words */}
        <audio
          ref={audio}
          controls
          src={recording.url}
          aria-label={text('sync.player')}
          onPlay={() => setBegun(true)}
          onSeeking={() => setBegun(true)}
          onError={() => setFailed(true)}
          onLoadedData={() => setFailed(false)}
        />
        <PressButton className="sync-tap" isDisabled={isComplete || !hasBegun} onPressStart={tap}>
          {isComplete
            ? text('sync.done')
            : hasBegun
              ? text('sync.tapNext', { place: nameOf(taps.length) })
              : text('sync.playFirst')}
        </PressButton>
        <Button isSecondary isDisabled={taps.length === 0} onPress={undo}>
          {text('sync.undo')}
        </Button>
        <Save source={source} recording={recording} taps={taps} measures={uuids} />
      </div>
      <Notice isError>{hasFailed ? text('sync.cannotPlay') : undefined}</Notice>
      <p className="hint">{text('sync.how')}</p>
      <NextMeasure source={source} measure={next} />
      {taps.length > 0 && (
        <Times
          taps={taps}
          nameOf={nameOf}
          onMove={(index, seconds) => setTaps((all) => withMovedTap(all, index, seconds))}
          onPlay={(seconds) => {
            if (!audio.current) return
            audio.current.currentTime = seconds
            void audio.current.play()
          }}
        />
      )}
    </>
  )
}

interface SaveProps {
  source: ScoreSource
  recording: Recording
  taps: Taps
  measures: readonly string[]
}

function Save({ source: { score }, recording, taps, measures }: SaveProps) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call('updateScoreTrack', {
        params: { score, track: recording.id },
        query: {},
        body: { synchronizationPoints: pointsOf(taps, measures), state: 'completed' },
      }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['scores', score, 'recordings'] })
      toast({ message: text('sync.saved') })
    },
  })
  return (
    <>
      <Button isPending={isPending} onPress={() => mutate()}>
        {text('sync.save')}
      </Button>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
    </>
  )
}

/** The pages of the score, with the measure that is tapped next. */
function NextMeasure({ source, measure }: { source: ScoreSource; measure: string | undefined }) {
  const { text } = useTexts()
  const [sheet] = useState(createSheet)
  const [pages, setPages] = useState(1)
  useEffect(() => {
    if (measure === undefined) return
    let mark: SVGRectElement | undefined
    const show = () => {
      const found = sheet.find(measure)
      if (!found || mark?.isConnected) return
      mark = drawBehind(found, 'sheet-cursor', 45)
      mark.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    }
    show()
    const stop = sheet.subscribe(show)
    return () => {
      stop()
      mark?.remove()
    }
  }, [sheet, measure])
  const ignore = () => {}
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it
    <section className="sync-sheet" aria-label={text('sync.pages')} tabIndex={0}>
      <SheetView
        source={source}
        sheet={sheet}
        zoom={100}
        zoomTo={ignore}
        isPaperWhite={false}
        layout="scroll"
        wanted={pages}
        onPages={setPages}
        onMeasure={ignore}
        onNote={ignore}
        onRange={ignore}
      />
    </section>
  )
}

interface TimesProps {
  taps: Taps
  nameOf(index: number): string
  onMove(index: number, seconds: number): void
  onPlay(seconds: number): void
}

/** The times, to correct them. The arrow keys in a field move it by a 50th of a second. */
function Times({ taps, nameOf, onMove, onPlay }: TimesProps) {
  const { text } = useTexts()
  return (
    <table className="sync-times">
      <caption>{text('sync.times')}</caption>
      <tbody>
        {taps.map((time, index) => {
          const place = nameOf(index)
          return (
            // A tap is the one of its measure.
            <tr key={index}>
              <th scope="row">{place}</th>
              <td>
                <input
                  type="number"
                  min={0}
                  step={0.02}
                  value={time}
                  aria-label={text('sync.timeOf', { place })}
                  onChange={({ currentTarget }) => onMove(index, currentTarget.valueAsNumber)}
                />
              </td>
              <td>
                <Button isSecondary onPress={() => onPlay(time)}>
                  {text('sync.playFrom')}
                  <span className="visually-hidden">{place}</span>
                </Button>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
