import { readEngravedPage } from '../score/sheet/engraved-page.ts'
import { placesOn } from '../score/sheet/page-places.ts'
import type { ShownScore } from './shown-score.ts'

type PictureOptions = Readonly<Record<string, unknown>>

const svgNamespace = 'http://www.w3.org/2000/svg'
/** The width of a page of A4 in inches. */
const paperInches = 210 / 25.4

/** Returns the score as one SVG: its first page, or with `track` all of its systems in a row. */
export async function svgOfPages(shown: ShownScore, { layout }: PictureOptions): Promise<string> {
  const { svg } = await drawing(shown, layout === 'page')
  return new XMLSerializer().serializeToString(svg)
}

/** Returns the same picture as bytes of a PNG, or as a data URL. */
export async function pngOfPages(
  shown: ShownScore,
  { layout, dpi = 150, result }: PictureOptions,
): Promise<Uint8Array | string> {
  if (typeof dpi !== 'number' || dpi < 50 || dpi > 300)
    throw new Error(`Parameter dpi should be between 50 and 300, not ${String(dpi)}`)
  const { svg, unitsOfPaper } = await drawing(shown, layout === 'page')
  const { width, height } = svg.viewBox.baseVal
  // A browser draws no picture that is much larger.
  const scale = Math.min((paperInches * dpi) / unitsOfPaper, 16_000 / width, 16_000 / height)
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
  const load = async (page: number) => files.get('svg', { page, parts })
  const first = await load(1)
  const pages = isFirstPage ? 1 : Number(first.headers.get('X-Partita-Pages') ?? 1)
  const texts = [await first.text()]
  while (texts.length < pages) texts.push(await (await load(texts.length + 1)).text())
  const drawn = texts.map(readEngravedPage)
  const unitsOfPaper = drawn[0]?.width ?? 1
  const svg = isFirstPage && drawn[0] ? drawn[0].svg : systemsInARow(drawn.map(({ svg }) => svg))
  svg.setAttribute('color', 'black')
  for (const background of svg.querySelectorAll('.sheet-paper')) background.setAttribute('fill', 'white')
  // The boxes are for the pointer.
  for (const box of svg.querySelectorAll('rect[data-measure]')) box.remove()
  return { svg, unitsOfPaper }
}

/** Puts the systems of all pages beside each other. The title stays above the first one. */
function systemsInARow(pages: readonly SVGSVGElement[]): SVGSVGElement {
  const create = (name: string) => document.createElementNS(svgNamespace, name)
  const row = create('svg') as SVGSVGElement
  const drawn = row.appendChild(create('defs'))
  const cuts = pages.flatMap((svg, page) => systemsOf(svg).map((box) => ({ page, box })))
  const height = Math.max(0, ...cuts.map(({ box }) => box.height))
  for (const [page, svg] of pages.entries()) {
    const group = drawn.appendChild(create('g'))
    group.id = `page-${page + 1}`
    group.append(...svg.childNodes)
  }
  let left = 0
  for (const { page, box } of cuts) {
    const cut = row.appendChild(create('svg'))
    const place = { x: left, y: height - box.height, width: box.width, height: box.height }
    for (const [name, value] of Object.entries(place)) cut.setAttribute(name, String(value))
    cut.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`)
    cut.appendChild(create('use')).setAttribute('href', `#page-${page + 1}`)
    left += box.width
  }
  row.setAttribute('viewBox', `0 0 ${left} ${height}`)
  return row
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Returns the strip of each system of a page. The strips end halfway to the next system. */
function systemsOf(svg: SVGSVGElement): Box[] {
  const { width, height } = svg.viewBox.baseVal
  const bands: { top: number; bottom: number; right: number }[] = []
  for (const place of [...placesOn(svg).values()].sort((a, b) => a.y - b.y)) {
    const last = bands.at(-1)
    const bottom = place.y + place.height
    const right = place.x + place.width
    if (last && place.y < last.bottom) {
      last.bottom = Math.max(last.bottom, bottom)
      last.right = Math.max(last.right, right)
    } else bands.push({ top: place.y, bottom, right })
  }
  const margin = 0.02 * width
  return bands.map(({ bottom, right }, index) => {
    const above = bands[index - 1]
    const below = bands[index + 1]
    const y = above ? (above.bottom + (bands[index]?.top ?? bottom)) / 2 : 0
    const end = below ? (bottom + below.top) / 2 : Math.min(height, bottom + 4 * margin)
    return { x: 0, y, width: Math.min(width, right + margin), height: end - y }
  })
}
