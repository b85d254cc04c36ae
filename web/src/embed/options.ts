const layouts = ['responsive', 'page', 'track'] as const
export type Layout = (typeof layouts)[number]

/** What the address of an embed sets. The names are those of the address. */
export interface EmbedOptions {
  readonly jsapi: boolean
  readonly mode: 'view' | 'edit'
  readonly sharingKey: string | undefined
  readonly locale: string | undefined
  readonly layout: Layout
  /** 1 for the size on paper. */
  readonly zoom: number | 'auto'
  readonly parts: readonly string[]
  readonly drawOnlyFirstPage: boolean
  readonly noHeader: boolean
  readonly themePrimary: string | undefined
  readonly themePrimaryDark: string | undefined
  readonly themeControlsBackground: string | undefined
  readonly themeSlider: string | undefined
  readonly themeCursorV0: string | undefined
  readonly themeCursorV1: string | undefined
  readonly themeSelection: string | undefined
  readonly themeScoreBackground: 'white' | 'transparent' | undefined
  readonly branding: boolean
  readonly controlsDisplay: boolean
  readonly controlsPosition: 'bottom' | 'top'
  readonly controlsPlay: boolean
  readonly controlsFullscreen: boolean
  readonly controlsPanel: boolean
  readonly controlsZoom: boolean
  readonly controlsPrint: boolean
  readonly controlsParts: boolean
  readonly noAudio: boolean
  readonly hideFlatPlayback: boolean
  readonly playbackMetronome: 'count-in' | 'inactive' | 'active'
  /** From 0 to 1. */
  readonly playbackVolumeMaster: number
}

export const zoomRange = { least: 0.1, most: 3 } as const

/** Reads the query of the address. Unknown parameters and values are ignored. */
export function readOptions(search: string): EmbedOptions {
  const query = new URLSearchParams(search)
  const isOn = (name: string, fallback: boolean) => {
    const value = query.get(name)
    return value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : fallback
  }
  const oneOf = <Value extends string>(name: string, values: readonly Value[], fallback: Value): Value =>
    values.find((value) => value === query.get(name)) ?? fallback
  const color = (name: string) => {
    const value = query.get(name)?.trim()
    return value && CSS.supports('color', value) ? value : undefined
  }
  const background = query.get('themeScoreBackground')
  return {
    jsapi: isOn('jsapi', false),
    mode: oneOf('mode', ['view', 'edit'], 'view'),
    sharingKey: query.get('sharingKey') ?? undefined,
    locale: query.get('locale') ?? undefined,
    layout: oneOf('layout', layouts, 'responsive'),
    zoom: within(query.get('zoom'), zoomRange.least, zoomRange.most) ?? 'auto',
    parts: (query.get('parts') ?? '').split(',').filter(Boolean),
    drawOnlyFirstPage: isOn('drawOnlyFirstPage', false),
    noHeader: isOn('noHeader', false),
    themePrimary: color('themePrimary'),
    themePrimaryDark: color('themePrimaryDark'),
    themeControlsBackground: color('themeControlsBackground'),
    themeSlider: color('themeSlider'),
    themeCursorV0: color('themeCursorV0'),
    themeCursorV1: color('themeCursorV1'),
    themeSelection: color('themeSelection'),
    themeScoreBackground: background === 'white' || background === 'transparent' ? background : undefined,
    branding: isOn('branding', true),
    controlsDisplay: isOn('controlsDisplay', true),
    controlsPosition: oneOf('controlsPosition', ['bottom', 'top'], 'bottom'),
    controlsPlay: isOn('controlsPlay', true),
    controlsFullscreen: isOn('controlsFullscreen', true),
    controlsPanel: isOn('controlsPanel', true),
    controlsZoom: isOn('controlsZoom', true),
    controlsPrint: isOn('controlsPrint', true),
    controlsParts: isOn('controlsParts', false),
    noAudio: isOn('noAudio', false),
    hideFlatPlayback: isOn('hideFlatPlayback', false),
    playbackMetronome: oneOf('playbackMetronome', ['count-in', 'inactive', 'active'], 'inactive'),
    playbackVolumeMaster: within(query.get('playbackVolumeMaster'), 0, 1) ?? 1,
  }
}

/** Returns the number in a text, at the nearer limit if it is outside of them. Undefined for no number. */
function within(text: string | null, least: number, most: number): number | undefined {
  const value = Number(text)
  return text === null || text.trim() === '' || Number.isNaN(value)
    ? undefined
    : Math.max(least, Math.min(most, value))
}
