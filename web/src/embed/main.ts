import './embed.css'
import { addControls } from './controls.ts'
import { createEmbed, type Embed } from './embed.ts'
import { editingMethods } from './methods/editing.ts'
import { cursorMethods } from './methods/cursor.ts'
import { playbackMethods } from './methods/playback.ts'
import { scoreMethods } from './methods/score.ts'
import { viewMethods } from './methods/view.ts'
import { readOptions } from './options.ts'
import { type Method, startProtocol } from './protocol.ts'
import { loadHosted } from './shown-score.ts'
import { text } from './texts.ts'
import { applyTheme } from './theme.ts'

function start(root: HTMLElement): void {
  const options = readOptions(location.search)
  applyTheme(root, options)
  const host = document.createElement('main')
  host.className = 'sheet'
  host.tabIndex = -1
  host.setAttribute('aria-label', text('embed.sheet'))
  const heading = document.createElement('h1')
  heading.className = 'visually-hidden'
  heading.textContent = document.title
  const message = document.createElement('p')
  message.className = 'embed-message'
  message.setAttribute('role', 'status')
  root.append(heading, message, host)

  /** Events that were sent nowhere, because nobody had subscribed. */
  const unheard = new Set<string>()
  let emit = (_event: string, _parameters?: unknown): boolean => false
  const embed = createEmbed({
    host,
    options,
    emit(event, parameters) {
      if (!emit(event, parameters)) unheard.add(event)
      else unheard.delete(event)
    },
  })
  const methods: Record<string, Method> = {
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    ...scoreMethods(embed),
    ...playbackMethods(embed),
    ...viewMethods(embed, host),
    ...cursorMethods(embed),
    ...editingMethods,
  }
  if (options.jsapi) {
    const protocol = startProtocol(methods, (event) => {
      // A page that subscribes a moment too late still learns that the score is there, and how large it is.
      if (event === 'scoreLoaded' && unheard.delete(event)) protocol.emit(event)
      if (event === 'embedSize')
        void embed.shown().then(
          () => protocol.emit(event, embed.size()),
          () => {},
        )
    })
    emit = protocol.emit
  }
  document.addEventListener('fullscreenchange', () =>
    embed.emit('fullscreen', document.fullscreenElement !== null),
  )
  addControls(root, embed, methods)
  embed.watch(
    () =>
      void embed.shown().then(
        ({ score: { title } }) => {
          heading.textContent = title || document.title
        },
        () => {},
      ),
  )
  showFirst(embed, root.dataset.score ?? '', message)
}

/** Shows the score that the address names. */
function showFirst(embed: Embed, score: string, message: HTMLElement): void {
  message.textContent = text(score ? 'app.loading' : 'embed.blank')
  embed.watch(
    () =>
      void embed.shown().then(
        () => message.remove(),
        () => {},
      ),
  )
  if (!score) return
  const load = () => {
    embed
      .load(() => loadHosted(score, embed.options.sharingKey))
      .catch(() => {
        message.textContent = `${text('error.title')} `
        const retry = document.createElement('button')
        retry.type = 'button'
        retry.textContent = text('app.retry')
        retry.addEventListener('click', load)
        message.append(retry)
      })
  }
  load()
}

const root = document.getElementById('embed')
if (root) start(root)
