import { uuidsOf, type Embed } from '../embed.ts'
import { zoomRange } from '../options.ts'
import type { ScorePart } from '../document/score.ts'
import { numberAt } from '../document/json-form.ts'
import type { Method } from '../protocol.ts'
import { flag, number, object } from './parameters.ts'
import { scoreDetails } from '../score-files.ts'

const layouts = ['responsive', 'page', 'track'] as const

/** Set-up, view and parts. */
export function viewMethods(embed: Embed, host: HTMLElement): Record<string, Method> {
  const { view, options } = embed
  let editor: Record<string, unknown> = {}
  async function parts(isShown: (part: ScorePart) => boolean) {
    const shown = await embed.shown()
    const instruments = await instrumentsOf(shown.files.hosted)
    return shown.score.parts.flatMap((part, idx) =>
      isShown(part)
        ? [
            {
              idx,
              uuid: part.uuid,
              name: part.name,
              abbreviation: part.abbreviation,
              instrumentTemplate: instruments[idx] ?? { group: '', instrument: '', listedGroup: '' },
              isTransposing: (numberAt(part.measures[0]?.attributes.transpose, 'chromatic') ?? 0) !== 0,
            },
          ]
        : [],
    )
  }
  return {
    getEmbedConfig: () => ({ ...options, zoom: view.isAutoZoom() ? 'auto' : view.zoom(), ...editor }),
    setEditorConfig(parameters) {
      editor = { ...editor, ...object(parameters) }
      const layout = layouts.find((one) => one === editor.displayMode)
      if (layout) view.setLayout(layout)
    },
    async fullscreen(parameters) {
      if (flag('fullscreen', parameters)) await document.documentElement.requestFullscreen()
      else if (document.fullscreenElement) await document.exitFullscreen()
    },
    focusScore() {
      host.focus()
    },
    async print() {
      await embed.shown()
      await view.showAll()
      // The dialog stops the script, so the answer comes first.
      setTimeout(() => print())
    },
    getZoom: () => view.zoom(),
    setZoom(parameters) {
      view.setZoom(number('zoom', parameters, zoomRange.least, zoomRange.most))
      return view.zoom()
    },
    getAutoZoom: () => view.isAutoZoom(),
    setAutoZoom(parameters) {
      view.setZoom(flag('autoZoom', parameters) ? undefined : view.zoom())
      return view.isAutoZoom()
    },
    async scrollToCursor() {
      await embed.shown()
      embed.scrollToCursor()
    },
    getParts: () => parts(() => true),
    async getDisplayedParts() {
      const { displayed } = await embed.shown()
      return parts(({ uuid }) => !displayed || displayed.includes(uuid))
    },
    async setDisplayedParts(parameters) {
      const wanted = Array.isArray(parameters) ? parameters : object(parameters).parts
      if (!Array.isArray(wanted)) throw new Error('Parameter parts should be a list.')
      const shown = await embed.shown()
      const uuids = uuidsOf(shown, wanted)
      shown.displayed = uuids.length === 0 || uuids.length === shown.score.parts.length ? undefined : uuids
      await embed.redraw()
    },
    getNbParts: async () => (await embed.shown()).score.parts.length,
    getPartsUuids: async () => (await embed.shown()).score.parts.map(({ uuid }) => uuid),
  }
}

interface Instrument {
  readonly group: string
  readonly instrument: string
  readonly listedGroup: string
}

/** Returns the instruments of the parts, which the server knows of its own scores. */
async function instrumentsOf(
  hosted: { score: string; sharingKey: string | undefined } | undefined,
): Promise<Instrument[]> {
  if (!hosted) return []
  const { instruments = [] } = (await scoreDetails(hosted.score, hosted.sharingKey)) as {
    instruments?: string[]
  }
  return instruments.map((name) => {
    const [group = '', instrument = ''] = name.split('.')
    return { group, instrument, listedGroup: group }
  })
}
