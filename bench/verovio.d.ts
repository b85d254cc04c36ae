/** What the benchmark uses of verovio, which has no types. */
declare module 'verovio' {
  interface Toolkit {
    setOptions(options: Readonly<Record<string, unknown>>): void
    loadData(file: string): boolean
    renderToSVG(page: number): string
    renderToMIDI(): string
  }
  const verovio: {
    module: { onRuntimeInitialized?: () => void }
    toolkit: new () => Toolkit
  }
  export default verovio
}
