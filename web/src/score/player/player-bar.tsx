import './player.css'
import { type ReactNode, Suspense, useId, useMemo, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { useTexts } from '../../app/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { loadedWhenIdle } from '../../ui/loaded-when-idle.ts'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { clockTime, measureNumbers } from './measure-numbers.ts'
import { type Player, tempoRange } from './player.ts'
import { IconButton, IconToggle } from '../icon-buttons.tsx'
import { useDevice, usePlayerState, usePosition } from './use-player.ts'

const PracticePanel = loadedWhenIdle(() => import('./practice-panel.tsx'))

interface Props {
  player: Player
  title: string
  artist: string
  /** What else the panel for practising has. */
  children?: ReactNode
}

/** The controls of the music at the lower edge of the window. */
export function PlayerBar({ player, title, artist, children }: Props) {
  const { text } = useTexts()
  const state = usePlayerState(player)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const panelId = useId()
  useDevice(player, title, artist)
  usePlayerShortcuts(player)
  const isLoading = state.status === 'loading'
  return (
    <section className="player" aria-label={text('player.label')}>
      {state.status === 'failed' && (
        <p className="wrong" role="alert">
          {text('player.failed')}
        </p>
      )}
      {isPanelOpen && (
        <Suspense>
          <PracticePanel id={panelId} player={player}>
            {children}
          </PracticePanel>
        </Suspense>
      )}
      <div className="player-row">
        <IconButton
          icon={state.isPlaying ? 'pause' : 'play'}
          label={text(state.isPlaying ? 'player.pause' : 'player.play')}
          className={isLoading ? 'player-main is-loading' : 'player-main'}
          onPress={player.toggle}
        />
        <span className="player-steps">
          <IconButton icon="previous" label={text('player.back')} onPress={() => player.step(-1)} />
          <IconButton icon="next" label={text('player.forward')} onPress={() => player.step(1)} />
        </span>
        <Position player={player} />
        <span className="player-options">
          <TempoSteps player={player} />
          <IconToggle
            icon="repeat"
            label={text('player.loop')}
            isOn={state.isLooping}
            onChange={(isOn) => toggleLoop(player, isOn)}
          />
          {player.music.beats.length > 0 && (
            <IconToggle
              icon="metronome"
              label={text('player.metronome')}
              isOn={state.hasMetronome}
              onChange={player.setMetronome}
            />
          )}
        </span>
        <Button
          className="player-practice"
          aria-expanded={isPanelOpen}
          aria-controls={isPanelOpen ? panelId : undefined}
          onPress={() => setPanelOpen(!isPanelOpen)}
        >
          <Icon name="sliders" />
          <span>{text('player.practise')}</span>
        </Button>
      </div>
    </section>
  )
}

function TempoSteps({ player }: { player: Player }) {
  const { text } = useTexts()
  const { tempo } = usePlayerState(player)
  return (
    <span className="player-tempo">
      <IconButton
        icon="minus"
        label={text('player.slower')}
        onPress={() => player.setTempo(tempo - tempoRange.step)}
      />
      <output aria-label={text('player.tempo')}>{tempo} %</output>
      <IconButton
        icon="plus"
        label={text('player.faster')}
        onPress={() => player.setTempo(tempo + tempoRange.step)}
      />
    </span>
  )
}

/** Where the music is: the measure, the time, and a slider. */
function Position({ player }: { player: Player }) {
  const { text } = useTexts()
  const position = usePosition(player)
  const { measures, durationSeconds } = player.music
  const numbers = useMemo(() => measureNumbers(measures), [measures])
  const measure = text('player.measure', {
    measure: numbers.numberOf(measures[player.measure()]?.uuid),
    measures: numbers.count,
  })
  const time = `${clockTime(position)} / ${clockTime(durationSeconds)}`
  return (
    <span className="player-position">
      <input
        type="range"
        aria-label={text('player.position')}
        aria-valuetext={`${measure}, ${time}`}
        min={0}
        max={Math.ceil(durationSeconds)}
        step={0.1}
        value={position}
        onChange={(event) => player.seek(event.currentTarget.valueAsNumber)}
      />
      <span className="player-place">
        <span>{measure}</span>
        <span>{time}</span>
      </span>
    </span>
  )
}

/** Turns the loop on or off. Without a passage, it repeats the measure that sounds. */
function toggleLoop(player: Player, isOn: boolean): void {
  const here = player.music.measures[player.measure()]
  if (isOn && !player.state().loop && here) player.setLoop({ start: here.start, end: here.end })
  else player.setLooping(isOn)
}

function usePlayerShortcuts(player: Player): void {
  const here = () => player.music.measures[player.measure()]
  const end = player.music.durationSeconds
  const tempoBy = (change: number) => player.setTempo(player.state().tempo + change)
  function loopFrom() {
    const start = here()?.start ?? 0
    const { loop } = player.state()
    player.setLoop({ start, end: loop && loop.end > start ? loop.end : (here()?.end ?? end) })
  }
  function loopTo() {
    const stop = here()?.end ?? end
    const { loop } = player.state()
    player.setLoop({ start: loop && loop.start < stop ? loop.start : (here()?.start ?? 0), end: stop })
  }
  useShortcuts([
    { key: ' ', text: 'shortcuts.play', run: player.toggle },
    { key: 'ArrowLeft', text: 'player.back', run: () => player.step(-1) },
    { key: 'ArrowRight', text: 'player.forward', run: () => player.step(1) },
    { key: '[', text: 'shortcuts.loopFrom', run: loopFrom },
    { key: ']', text: 'shortcuts.loopTo', run: loopTo },
    { key: 'l', text: 'player.loop', run: () => toggleLoop(player, !player.state().isLooping) },
    { key: 'm', text: 'player.metronome', run: () => player.setMetronome(!player.state().hasMetronome) },
    { key: ',', text: 'player.slower', run: () => tempoBy(-tempoRange.step) },
    { key: '.', text: 'player.faster', run: () => tempoBy(tempoRange.step) },
  ])
}
