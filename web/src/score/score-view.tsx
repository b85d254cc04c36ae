import './score-view.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTexts } from '../app/texts.ts'
import { loadedWhenIdle } from '../ui/loaded-when-idle.ts'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { IconButton, IconToggle } from './icon-buttons.tsx'
import { startCursor } from './player/cursor.ts'
import { measureOfNote } from './player/lit-notes.ts'
import { passageBetween, startOf } from './player/places.ts'
import type { Player } from './player/player.ts'
import { PlayerBar } from './player/player-bar.tsx'
import { usePlayCount, usePlayer } from './player/use-player.ts'
import type { Layout } from './reader-view.ts'
import { type GoToMeasure, useGoToMeasure } from './sheet/go-to-measure.ts'
import { turnPage } from './sheet/scrolling.ts'
import { createSheet, type Sheet } from './sheet/sheet.ts'
import { SheetView } from './sheet/sheet-view.tsx'
import type { ChosenRecording } from './recording-choice.tsx'
import { useZoom, zoomRange } from './sheet/zoom.ts'
import { musicQuery, type ScoreSource } from './source.ts'
import { useStoredSetting } from './stored-setting.ts'

const RecordingChoice = loadedWhenIdle(() => import('./recording-choice.tsx'))
const MeasureReader = loadedWhenIdle(() => import('./reading/measure-reader.tsx'))

interface Props {
  source: ScoreSource
  title: string
  artist: string
  layout?: Layout
  /** The pages that are shown, if something else draws on them as well. */
  sheet?: Sheet
  /** The measure that the reader wants to see. */
  goTo?: GoToMeasure | undefined
  /** Receives the measures that the reader points at, instead of the player. */
  onPick?: ((from: string, to: string, part: string) => void) | undefined
  /** The page on which recordings are synchronized, for those who may write the score. */
  recordingsPath?: string | undefined
  /** What is played unless the reader chooses otherwise. */
  recording?: ChosenRecording | undefined
  /** Receives the player when there is one. */
  onPlayer?(player: Player): void
  /** The listener has heard some seconds of the score. */
  onHeard?(): void
}

/** A score to read and to practise: its pages, and the player. */
export default function ScoreView(props: Props) {
  const { source, title, artist, layout = 'scroll', sheet: givenSheet, goTo } = props
  const { onPlayer, onHeard, onPick, recordingsPath } = props
  const { text } = useTexts()
  const root = useRef<HTMLDivElement>(null)
  const [ownSheet] = useState(createSheet)
  const sheet = givenSheet ?? ownSheet
  const [zoom, zoomTo] = useZoom()
  const [isPaperWhite, setPaperWhite] = useStoredSetting('paper-white', false, (value) => value === 'true')
  const [pages, setPages] = useState<number>()
  const [wanted, setWanted] = useState(1)
  const [isLargePrint, setLargePrint] = useStoredSetting('large-print', false, (value) => value === 'true')
  const [isReading, setReading] = useStoredSetting('read-measures', false, (value) => value === 'true')
  const [isPrinting, setPrinting] = useState(false)
  // The first page comes first.
  const music = useQuery({
    ...musicQuery(source),
    enabled: pages !== undefined,
    placeholderData: keepPreviousData,
  })
  const [choice, choose] = useState<ChosenRecording | null>()
  const chosen = choice === undefined ? props.recording : (choice ?? undefined)
  // Of a new revision, the synthesizer plays until the reader chooses again.
  const played = chosen && chosen.score === music.data ? chosen.music : music.data
  const player = usePlayer(played, source.score)
  usePlayCount(player, source, onHeard)
  const tellPlayer = useEffectEvent((created: Player) => onPlayer?.(created))
  useEffect(() => {
    if (!player) return
    tellPlayer(player)
    const cursor = startCursor(player, sheet, () => wantMore())
    return () => cursor.stop()
  }, [player, sheet])
  // State is not changed by a function here: React would call it while it renders, when pages may come and go.
  const wantMore = useEffectEvent(() => {
    let next = wanted
    while (next < (pages ?? 1) && sheet.has(next)) next++
    setWanted(next)
  })
  useGoToMeasure(sheet, goTo, wantMore)
  useEffect(() => {
    if (!isPrinting) return
    const printWhenComplete = () => {
      for (let page = 1; page <= (pages ?? 1); page++) if (!sheet.has(page)) return
      setPrinting(false)
      print()
    }
    const stop = sheet.subscribe(printWhenComplete)
    printWhenComplete()
    return () => void stop()
  }, [isPrinting, pages, sheet])
  // A page to turn has room between the tools and the player, and not below the title and the buttons.
  useEffect(() => {
    if (layout === 'pages') root.current?.scrollIntoView({ behavior: 'instant' })
  }, [layout])
  const zoomBy = (change: number) => zoomTo(zoom + change)
  useShortcuts([
    { key: '+', text: 'sheet.zoomIn', run: () => zoomBy(zoomRange.step) },
    { key: '-', text: 'sheet.zoomOut', run: () => zoomBy(-zoomRange.step) },
    { key: '0', text: 'sheet.zoomFit', run: () => zoomTo(100) },
    // What the pedals of musicians send.
    { key: 'PageDown', text: 'sheet.nextPage', run: () => turnPage(sheet, 1) },
    { key: 'PageUp', text: 'sheet.previousPage', run: () => turnPage(sheet, -1) },
  ])
  return (
    <div ref={root} className="score-view">
      <div className="score-tools">
        <IconButton icon="minus" label={text('sheet.zoomOut')} onPress={() => zoomBy(-zoomRange.step)} />
        <output aria-label={text('sheet.zoom')}>{zoom} %</output>
        <IconButton icon="plus" label={text('sheet.zoomIn')} onPress={() => zoomBy(zoomRange.step)} />
        <span className="score-tools-gap" />
        <IconToggle icon="read" label={text('reading.open')} isOn={isReading} onChange={setReading} />
        <IconToggle
          icon="large"
          label={text('sheet.largePrint')}
          isOn={isLargePrint}
          onChange={setLargePrint}
        />
        <IconToggle
          icon="sun"
          label={text('sheet.whitePaper')}
          isOn={isPaperWhite}
          onChange={setPaperWhite}
        />
        <IconButton icon="print" label={text('sheet.print')} onPress={() => setPrinting(true)} />
      </div>
      <Suspense>{isReading && player && <MeasureReader source={source} player={player} />}</Suspense>
      {layout === 'pages' && <PageZones sheet={sheet} />}
      <SheetView
        // Other music has other pages.
        key={JSON.stringify([source.revision, source.variant, layout])}
        source={source}
        layout={layout}
        sheet={sheet}
        zoom={zoom}
        zoomTo={zoomTo}
        isPaperWhite={isPaperWhite}
        isLargePrint={isLargePrint}
        wanted={isPrinting ? Number.POSITIVE_INFINITY : wanted}
        onPages={setPages}
        onMeasure={(uuid, part) => (onPick ? onPick(uuid, uuid, part) : player && startAt(player, uuid))}
        onNote={(id, part) =>
          onPick ? onPick(measureOfNote(id), measureOfNote(id), part) : player && startAtNote(player, id)
        }
        onRange={(from, to, part) => (onPick ? onPick(from, to, part) : player && loopOver(player, from, to))}
      />
      {player && (
        <PlayerBar player={player} title={title} artist={artist}>
          {music.data && (
            <RecordingChoice
              source={source}
              score={music.data}
              chosen={chosen}
              onChoose={(one) => choose(one ?? null)}
              editPath={recordingsPath}
            />
          )}
        </PlayerBar>
      )}
    </div>
  )
}

/** Turns pages by a tap at the edges, and by keys. */
function PageZones({ sheet }: { sheet: Sheet }) {
  const { text } = useTexts()
  useShortcuts([
    { key: 'ArrowDown', text: 'sheet.nextPage', run: () => turnPage(sheet, 1) },
    { key: 'ArrowUp', text: 'sheet.previousPage', run: () => turnPage(sheet, -1) },
  ])
  return (
    <>
      <IconButton
        icon="previous"
        className="page-zone is-left"
        label={text('sheet.previousPage')}
        onPress={() => turnPage(sheet, -1)}
      />
      <IconButton
        icon="next"
        className="page-zone is-right"
        label={text('sheet.nextPage')}
        onPress={() => turnPage(sheet, 1)}
      />
    </>
  )
}

function startAt(player: Player, uuid: string): void {
  const start = startOf(player.music.measures, uuid, player.position())
  if (start !== undefined) player.seek(start)
}

/** Starts at a note, and lets it sound: the next time that it is played, or else the first time. */
function startAtNote(player: Player, id: string): void {
  const times = player.music.notes.filter(({ ids }) => ids.includes(id))
  const time = times.find(({ start }) => start >= player.position()) ?? times[0]
  if (time) void player.hear(time)
  else startAt(player, measureOfNote(id))
}

function loopOver(player: Player, from: string, to: string): void {
  const passage = passageBetween(player.music.measures, from, to, player.position())
  if (!passage) return
  player.setLoop(passage)
  player.seek(passage.start)
}
