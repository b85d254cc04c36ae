import type { EmbedOptions } from './options.ts'

const colors = {
  themePrimary: '--primary',
  themePrimaryDark: '--primary-dark',
  themeControlsBackground: '--controls',
  themeSlider: '--slider',
  themeCursorV0: '--cursor-voice-1',
  themeCursorV1: '--cursor-voice-2',
  themeSelection: '--loop',
} as const satisfies Partial<Record<keyof EmbedOptions, string>>

/** Applies the colors that the address sets. */
export function applyTheme(root: HTMLElement, options: EmbedOptions): void {
  for (const [name, variable] of Object.entries(colors)) {
    const color = options[name as keyof typeof colors]
    if (color !== undefined) root.style.setProperty(variable, color)
  }
  const { themeScoreBackground: background } = options
  if (background !== undefined) document.documentElement.dataset.background = background
}
