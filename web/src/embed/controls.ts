import { icons, type IconName } from '../../../src/contract/icons.ts'
import { clockTime, measureNumbers } from '../score/player/measure-numbers.ts'
import { type Player, tempoRange } from '../score/player/player.ts'
import type { Embed } from './embed.ts'
import { text } from './texts.ts'

/** Adds the bar of controls, as far as the address wants it. */
export function addControls(
  root: HTMLElement,
  embed: Embed,
  methods: Readonly<Record<string, (value?: unknown) => unknown>>,
): void {
  const { options, view } = embed
  if (!options.controlsDisplay) return
  const bar = element(
    'section',
    options.controlsPosition === 'top' ? 'controls score-tools' : 'controls player',
  )
  bar.setAttribute('aria-label', text('player.label'))
  const call = (method: string, value?: unknown) =>
    void Promise.resolve(methods[method]?.(value)).catch(() => {})
  const hasSound = !options.noAudio
  const panel = settingsPanel(embed)
  const parts = partsPanel(embed, (wanted) => call('setDisplayedParts', wanted))
  const row = element('div', 'controls-row')
  if (hasSound && options.controlsPlay && !options.hideFlatPlayback)
    row.append(playButton(embed), position(embed))
  else row.append(element('span', 'controls-gap'))
  const tools = element('span', 'controls-tools')
  if (options.controlsParts) tools.append(panelButton('list', text('player.parts'), parts))
  if (hasSound && options.controlsPanel) tools.append(panelButton('sliders', text('embed.settings'), panel))
  if (options.controlsZoom) {
    const zoomBy = (factor: number) =>
      view.setZoom(Math.max(0.5, Math.min(3, Math.round(view.zoom() * factor * 100) / 100)))
    tools.append(
      button('minus', text('sheet.zoomOut'), () => zoomBy(1 / 1.15)),
      button('plus', text('sheet.zoomIn'), () => zoomBy(1.15)),
    )
  }
  if (options.controlsPrint) tools.append(button('print', text('sheet.print'), () => call('print')))
  if (options.controlsFullscreen && document.fullscreenEnabled)
    tools.append(
      button('expand', text('embed.fullscreen'), () => call('fullscreen', !document.fullscreenElement)),
    )
  row.append(tools)
  if (options.branding) row.append(brand(embed))
  bar.append(panel, parts, row)
  if (options.controlsPosition === 'top') root.prepend(bar)
  else root.append(bar)
}

function element(name: string, className = ''): HTMLElement {
  const created = document.createElement(name)
  if (className) created.className = className
  return created
}

function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  svg.classList.add('icon')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', icons[name])
  svg.append(path)
  return svg
}

function button(name: IconName, label: string, onPress: () => void): HTMLButtonElement {
  const created = element('button', 'control') as HTMLButtonElement
  created.type = 'button'
  created.append(icon(name))
  setLabel(created, label)
  created.addEventListener('click', onPress)
  return created
}

function setLabel(target: HTMLElement, label: string): void {
  target.title = label
  target.setAttribute('aria-label', label)
}

function panelButton(name: IconName, label: string, panel: HTMLElement): HTMLButtonElement {
  const toggle = button(name, label, () => {
    panel.hidden = !panel.hidden
    toggle.setAttribute('aria-expanded', String(!panel.hidden))
  })
  panel.setAttribute('aria-label', label)
  toggle.setAttribute('aria-expanded', 'false')
  return toggle
}

function playButton(embed: Embed): HTMLElement {
  let player: Player | undefined
  const play = button('play', text('player.play'), () => player?.toggle())
  play.classList.add('control-main')
  let shown: IconName = 'play'
  embed.watch((current) => {
    player = current
    play.disabled = !current
    const state = current?.state()
    play.classList.toggle('is-loading', state?.status === 'loading')
    const name = state?.isPlaying ? 'pause' : 'play'
    if (name === shown) return
    shown = name
    play.replaceChildren(icon(name))
    setLabel(play, text(name === 'pause' ? 'player.pause' : 'player.play'))
  })
  return play
}

/** The place in the music: a slider, the measure and the time. */
function position(embed: Embed): HTMLElement {
  const box = element('span', 'controls-position')
  const slider = element('input') as HTMLInputElement
  slider.type = 'range'
  slider.min = '0'
  slider.step = '0.1'
  slider.setAttribute('aria-label', text('player.position'))
  const place = element('span', 'controls-place')
  box.append(slider, place)
  let player: Player | undefined
  function show(): void {
    slider.disabled = !player
    if (!player) return
    const { measures, durationSeconds } = player.music
    const numbers = measureNumbers(measures)
    const seconds = player.position()
    const measure = text('player.measure', {
      measure: numbers.numberOf(measures[player.measure()]?.uuid),
      measures: numbers.count,
    })
    const time = `${clockTime(seconds)} / ${clockTime(durationSeconds)}`
    slider.max = String(Math.ceil(durationSeconds))
    slider.value = String(seconds)
    slider.setAttribute('aria-valuetext', `${measure}, ${time}`)
    place.textContent = player.state().status === 'failed' ? text('player.failed') : time
  }
  slider.addEventListener('input', () => player?.seek(slider.valueAsNumber))
  setInterval(() => player?.state().isPlaying && show(), 200)
  embed.watch((current) => {
    player = current
    show()
  })
  return box
}

function slider(
  label: string,
  range: { least: number; most: number; step: number },
  onChange: (value: number) => void,
) {
  const line = element('label', 'controls-slider')
  const input = element('input') as HTMLInputElement
  const shown = element('output')
  input.type = 'range'
  input.min = String(range.least)
  input.max = String(range.most)
  input.step = String(range.step)
  input.addEventListener('input', () => onChange(input.valueAsNumber))
  const name = element('span')
  name.textContent = label
  line.append(name, input, shown)
  const show = (percent: number) => {
    input.value = String(percent)
    shown.textContent = `${percent} %`
  }
  return { line, show }
}

function choice(label: string, onChange: (isOn: boolean) => void) {
  const line = element('label', 'controls-choice')
  const input = element('input') as HTMLInputElement
  input.type = 'checkbox'
  input.addEventListener('change', () => onChange(input.checked))
  line.append(input, label)
  return { line, input }
}

function settingsPanel(embed: Embed): HTMLElement {
  const panel = element('fieldset', 'controls-panel')
  panel.hidden = true
  let player: Player | undefined
  const tempo = slider(text('player.tempo'), tempoRange, (percent) => player?.setTempo(percent))
  const volume = slider(text('player.volume'), { least: 0, most: 100, step: 1 }, (percent) =>
    player?.setVolume(percent / 100),
  )
  const metronome = choice(text('player.metronome'), (isOn) => player?.setMetronome(isOn))
  const countIn = choice(text('player.countIn'), (isOn) => player?.setCountIn(isOn))
  panel.append(tempo.line, volume.line, metronome.line, countIn.line)
  embed.watch((current) => {
    player = current
    const state = current?.state()
    if (!state) return
    tempo.show(state.tempo)
    volume.show(Math.round(state.volume * 100))
    metronome.input.checked = state.hasMetronome
    countIn.input.checked = state.hasCountIn
  })
  return panel
}

/** The parts that are shown. */
function partsPanel(embed: Embed, onChange: (wanted: string[]) => void): HTMLElement {
  const panel = element('fieldset', 'controls-panel')
  panel.hidden = true
  let shownScore: unknown
  embed.watch(() => {
    void embed.shown().then(
      (shown) => {
        if (shown === shownScore) return
        shownScore = shown
        const boxes = shown.score.parts.map(({ name, uuid }, index) => {
          const { line, input } = choice(name || text('player.part', { number: index + 1 }), () => {
            const wanted = boxes.flatMap((box) => (box.input.checked ? [box.uuid] : []))
            // A score without a part cannot be shown.
            if (wanted.length > 0) onChange(wanted)
            else input.checked = true
          })
          input.checked = !shown.displayed || shown.displayed.includes(uuid)
          return { line, input, uuid }
        })
        panel.replaceChildren(...boxes.map(({ line }) => line))
      },
      () => {},
    )
  })
  return panel
}

/** A link to the page of the score, in a window of its own. */
function brand(embed: Embed): HTMLElement {
  const link = element('a', 'controls-brand') as HTMLAnchorElement
  link.target = '_blank'
  link.rel = 'noopener'
  link.textContent = 'Partita'
  setLabel(link, text('embed.open'))
  link.href = '/'
  embed.watch(() => {
    void embed.shown().then(
      ({ files: { hosted } }) => {
        const key =
          hosted?.sharingKey === undefined ? '' : `?${new URLSearchParams({ sharingKey: hosted.sharingKey })}`
        link.href = hosted ? `/scores/${hosted.score}${key}` : '/'
      },
      () => {},
    )
  })
  return link
}
