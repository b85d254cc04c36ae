/** Made by web/texts-plugin.ts. */
declare module 'virtual:texts' {
  type Part = 'frame' | import('../../../src/contract/app-pages.ts').AppArea

  export const texts: import('./texts.ts').TextLoaders<Part>
}

declare module 'virtual:texts-of-recorder' {
  export const texts: import('./texts.ts').TextLoaders<'recorder'>
}

declare module 'virtual:texts-of-editor' {
  export const texts: import('./texts.ts').TextLoaders<'editor'>
}
