import { enableLog, VerovioToolkit } from 'verovio/esm'
import createModule from 'verovio/wasm'
import type { EngravingAnswer, EngravingTask } from './messages.ts'

// Engraves music with verovio, away from the page, which stays responsive.

const answer = (message: EngravingAnswer): void => postMessage(message)

/** A page is as high as the line of music on it: lines that do not fit on a page begin the next one. */
const options = {
  pageHeight: 100,
  adjustPageHeight: true,
  scale: 100,
  breaks: 'auto',
  header: 'none',
  footer: 'none',
  pageMarginLeft: 0,
  pageMarginRight: 0,
  pageMarginTop: 20,
  pageMarginBottom: 20,
  svgRemoveXlink: true,
  svgViewBox: true,
  // The glyphs in texts are in a font of the page.
  smuflTextFont: 'none',
}

/** Removes what differs each time, so that a line that has not changed is the same text, and styles, which the policy of the page blocks. */
const withoutExtras = (svg: string): string =>
  svg
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/ id="[a-z][a-z0-9]*"/g, '')
    .replace(/(E[0-9A-F]{3,4})-[a-z0-9]+"/g, '$1"')
    .replace(/>\s+</g, '><')

async function start(): Promise<void> {
  const module = await createModule()
  enableLog(0, module)
  const toolkit = new VerovioToolkit(module)
  addEventListener('message', ({ data }: MessageEvent<EngravingTask>) => {
    const { id, xml, width, isFull } = data
    try {
      toolkit.setOptions({ ...options, pageWidth: width, minLastJustification: isFull ? 0 : 0.8 })
      if (!toolkit.loadData(xml)) return answer({ kind: 'failed', id })
      const lines = Array.from({ length: toolkit.getPageCount() }, (_, index) =>
        withoutExtras(toolkit.renderToSVG(index + 1)),
      )
      answer({ kind: 'done', id, lines })
    } catch {
      // After an exception the module is in no defined state, so the page starts another worker.
      answer({ kind: 'failed', id })
      close()
    }
  })
  answer({ kind: 'ready' })
}

start().catch(() => answer({ kind: 'failed', id: undefined }))
