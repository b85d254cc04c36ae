/** Made by web/texts-plugin.ts. */
declare module 'virtual:texts' {
  type Part = 'frame' | import('../../../src/contract/app-pages.ts').AppArea
  type Catalogue = import('../../../src/texts/catalogue.ts').Catalogue

  export const texts: Readonly<
    Record<string, Readonly<Record<Part, () => Promise<{ default: Partial<Catalogue> }>>>>
  >
}
