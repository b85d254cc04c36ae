import { readEngravedPage } from '../score/sheet/engraved-page.ts'
import type { ShownScore } from './shown-score.ts'

type PictureOptions = Readonly<Record<string, unknown>>

const svgNamespace = 'http://www.w3.org/2000/svg'
const unitsPerInch = 360

/** Returns the score as one SVG: its first page, or all of it on one line. */
export async function svgOfPages(shown: ShownScore, { layout }: PictureOptions): Promise<string> {
  const svg = await drawing(shown, layout === 'page')
  return new XMLSerializer().serializeToString(svg)
}

/** Returns the same picture as bytes of a PNG, or as a data URL. */
export async function pngOfPages(
  shown: ShownScore,
  { layout, dpi = 150, result }: PictureOptions,
): Promise<Uint8Array | string> {
  if (typeof dpi !== 'number' || dpi < 50 || dpi > 300)
    throw new Error(`Parameter dpi should be between 50 and 300, not ${String(dpi)}`)
  const svg = await drawing(shown, layout === 'page')
  const { width, height } = svg.viewBox.baseVal
  // A browser draws no picture that is much larger.
  const scale = Math.min(dpi / unitsPerInch, 16_000 / width, 16_000 / height)
  svg.setAttribute('width', String(width * scale))
  svg.setAttribute('height', String(height * scale))
  const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale))
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('This browser cannot draw pictures.')
  paper.fillStyle = 'white'
  paper.fillRect(0, 0, canvas.width, canvas.height)
  const address = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' }),
  )
  try {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height)
  } finally {
    URL.revokeObjectURL(address)
  }
  const png = await canvas.convertToBlob({ type: 'image/png' })
  return result === 'dataURL' ? dataUrlOf(png) : new Uint8Array(await png.arrayBuffer())
}

function dataUrlOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

async function drawing({ files, displayed }: ShownScore, isFirstPage: boolean) {
  const parts = displayed?.join(',')
  const layout = isFirstPage ? undefined : 'line'
  const load = (page: number) => files.get('svg', { page, parts, layout })
  const first = await load(1)
  const pages = isFirstPage ? 1 : Number(first.headers.get('X-Partita-Pages') ?? 1)
  const texts = [await first.text()]
  while (texts.length < pages) texts.push(await (await load(texts.length + 1)).text())
  const svg = inARow(texts.map((text) => readEngravedPage(text).svg))
  svg.setAttribute('color', 'black')
  for (const background of svg.querySelectorAll('.sheet-paper')) background.setAttribute('fill', 'white')
  // The boxes are for the pointer.
  for (const box of svg.querySelectorAll('rect[data-measure]')) box.remove()
  return svg
}

/** Puts pages beside each other. */
function inARow(pages: readonly SVGSVGElement[]): SVGSVGElement {
  const [only] = pages
  if (only && pages.length === 1) return only
  const row = document.createElementNS(svgNamespace, 'svg')
  let [left, bottom] = [0, 0]
  for (const page of pages) {
    const { width, height } = page.viewBox.baseVal
    for (const [name, value] of Object.entries({ x: left, width, height }))
      page.setAttribute(name, String(value))
    row.append(page)
    left += width
    bottom = Math.max(bottom, height)
  }
  row.setAttribute('viewBox', `0 0 ${left} ${bottom}`)
  return row
}
