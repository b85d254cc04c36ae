/** What the editor uses of verovio, which has no types. */
declare module 'verovio/wasm' {
  /** The module of Emscripten. */
  const createModule: () => Promise<object>
  export default createModule
}

declare module 'verovio/esm' {
  export class VerovioToolkit {
    constructor(module: object)
    setOptions(options: Readonly<Record<string, unknown>>): void
    loadData(file: string): boolean
    getPageCount(): number
    renderToSVG(page: number): string
  }
  export function enableLog(level: number, module: object): void
}
