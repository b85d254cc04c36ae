import { type ChangeEvent, type ReactNode, useId, useMemo } from 'react'
import { useTexts } from '../../app/texts.ts'
import { measureNumbers } from './measure-numbers.ts'
import { indexAt, passageBetween } from './places.ts'
import { type Player, tempoRange } from './player.ts'
import { usePlayerState } from './use-player.ts'
import { LevelMeter } from './level-meter.tsx'

/** Everything that helps to practise: tempo, loop, metronome, and how loud each part is. */
export default function PracticePanel({
  id,
  player,
  children,
}: {
  id: string
  player: Player
  children?: ReactNode
}) {
  const { text } = useTexts()
  const state = usePlayerState(player)
  return (
    <section id={id} className="practice" aria-label={text('player.practise')}>
      <div className="practice-settings">
        <Slider
          label={text('player.tempo')}
          value={state.tempo}
          valueText={`${state.tempo} %`}
          {...tempoRange}
          onChange={player.setTempo}
        />
        <LoopFields player={player} />
        {player.music.beats.length > 0 && (
          <>
            <Choice
              label={text('player.metronome')}
              isOn={state.hasMetronome}
              onChange={player.setMetronome}
            />
            <Choice label={text('player.countIn')} isOn={state.hasCountIn} onChange={player.setCountIn} />
          </>
        )}
        <Slider
          label={text('player.volume')}
          value={Math.round(state.volume * 100)}
          valueText={`${Math.round(state.volume * 100)} %`}
          least={0}
          most={100}
          step={1}
          onChange={(percent) => player.setVolume(percent / 100)}
        />
        <LevelMeter player={player} />
      </div>
      <div>
        {children}
        <MyPart player={player} />
        {state.parts.length > 0 && <Mixer player={player} />}
      </div>
    </section>
  )
}

interface SliderProps {
  label: string
  value: number
  valueText: string
  least: number
  most: number
  step: number
  onChange(value: number): void
}

export function Slider({ label, value, valueText, least, most, step, onChange }: SliderProps) {
  const id = useId()
  return (
    <div className="practice-slider">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        aria-valuetext={valueText}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <span aria-hidden="true">{valueText}</span>
    </div>
  )
}

interface ChoiceProps {
  label: string
  name?: string
  isOn: boolean
  onChange(isOn: boolean): void
}

function Choice({ label, name, isOn, onChange }: ChoiceProps) {
  return (
    <label className="practice-choice">
      <input
        type="checkbox"
        checked={isOn}
        aria-label={name}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  )
}

/** The measures that are repeated. A repeated passage of the score can be played several times: the present one counts. */
function LoopFields({ player }: { player: Player }) {
  const { text } = useTexts()
  const { loop, isLooping } = usePlayerState(player)
  const { measures } = player.music
  const numbers = useMemo(() => measureNumbers(measures), [measures])
  const numberAt = (seconds: number) => numbers.numberOf(measures[indexAt(measures, seconds)]?.uuid)
  const from = loop ? numberAt(loop.start) : 1
  const to = loop ? numberAt(loop.end - 0.01) : numbers.count
  function change(first: number, last: number) {
    const [a, b] = [numbers.uuidOf(first), numbers.uuidOf(last)]
    const passage = a && b && passageBetween(measures, a, b, player.position())
    if (passage) player.setLoop(passage)
  }
  const field = (label: string, value: number, onNumber: (value: number) => void) => (
    <label>
      {label}
      <input
        type="number"
        inputMode="numeric"
        min={1}
        max={numbers.count}
        value={value}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onNumber(event.currentTarget.valueAsNumber)}
      />
    </label>
  )
  return (
    <fieldset className="practice-loop">
      <legend>{text('player.loop')}</legend>
      {field(text('player.loopFrom'), from, (value) => change(value, Math.max(value, to)))}
      {field(text('player.loopTo'), to, (value) => change(Math.min(from, value), value))}
      <Choice
        label={text('player.loopOn')}
        isOn={isLooping}
        onChange={(isOn) => (isOn && !loop ? change(from, to) : player.setLooping(isOn))}
      />
      <p className="hint">{text('player.loopHint')}</p>
    </fieldset>
  )
}

const nameOf = (text: ReturnType<typeof useTexts>['text'], name: string, index: number): string =>
  name || text('player.part', { number: index + 1 })

/** Which part is louder than the others. */
function MyPart({ player }: { player: Player }) {
  const { text } = useTexts()
  const id = useId()
  const { parts, myPart } = usePlayerState(player)
  if (parts.length < 2) return null
  const choose = (value: string) => player.setMyPart(value === '' ? undefined : Number(value))
  return (
    <div className="practice-slider practice-part">
      <label htmlFor={id}>{text('player.myPart')}</label>
      <select
        id={id}
        value={String(myPart ?? '')}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">{text('player.myPartNone')}</option>
        {parts.map(({ name }, index) => (
          // Parts have no id of their own, and never change places.
          <option key={`${index} ${name}`} value={index}>
            {nameOf(text, name, index)}
          </option>
        ))}
      </select>
    </div>
  )
}

function Mixer({ player }: { player: Player }) {
  const { text } = useTexts()
  const { parts } = usePlayerState(player)
  return (
    <table className="mixer">
      <caption>{text('player.parts')}</caption>
      <tbody>
        {parts.map(({ name, isMuted, isSolo, level }, index) => {
          const part = nameOf(text, name, index)
          return (
            // Parts have no id of their own, and never change places.
            <tr key={`${index} ${name}`}>
              <th scope="row">{part}</th>
              <td>
                <input
                  type="range"
                  aria-label={text('player.levelOf', { part })}
                  min={0}
                  max={1.5}
                  step={0.05}
                  value={level}
                  onChange={(event) => player.setPart(index, { level: event.currentTarget.valueAsNumber })}
                />
              </td>
              <td>
                <Choice
                  label={text('player.mute')}
                  name={text('player.muteOf', { part })}
                  isOn={isMuted}
                  onChange={(isOn) => player.setPart(index, { isMuted: isOn })}
                />
              </td>
              <td>
                <Choice
                  label={text('player.solo')}
                  name={text('player.soloOf', { part })}
                  isOn={isSolo}
                  onChange={(isOn) => player.setPart(index, { isSolo: isOn })}
                />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
