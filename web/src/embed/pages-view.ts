import '../score/sheet/sheet.css'
import { readEngravedPage } from '../score/sheet/engraved-page.ts'
import type { Sheet } from '../score/sheet/sheet.ts'
import { placesOn } from '../score/sheet/page-places.ts'
import type { Layout } from './options.ts'
import { text } from './texts.ts'

/** A page as the server engraved it. */
export interface PageText {
  readonly svg: string
  readonly pages: number
}

export type LoadPage = (page: number, staffSize: number | undefined) => Promise<PageText>

interface ViewOptions {
  readonly layout: Layout
  readonly noHeader: boolean
  readonly drawOnlyFirstPage: boolean
}

/** The engraved pages of a score. */
export interface PagesView {
  /** Shows the pages of another score or of other parts. Resolves when the first one is there. */
  show(load: LoadPage): Promise<void>
  /** Loads all pages. */
  showAll(): Promise<void>
  showMore(): void
  setLayout(layout: Layout): void
  zoom(): number
  isAutoZoom(): boolean
  /** @param zoom 1 for the size on paper; undefined for the width of the frame */
  setZoom(zoom: number | undefined): void
  stop(): void
}

/** The width of a page of A4 at 96 pixels an inch. */
const paperWidth = 794
/** The staves of a narrow frame, in millimeters, and the width below which a frame is narrow. */
const narrow = { staffSize: 10, width: 640 } as const

export function createPagesView(host: HTMLElement, sheet: Sheet, options: ViewOptions): PagesView {
  let load: LoadPage | undefined
  let layout = options.layout
  let zoom: number | undefined
  let count = 0
  let staffSize: number | undefined
  /** Rises when other pages are shown. */
  let round = 0
  let pages: { paper: HTMLElement; loading: Promise<void> | undefined; remove?: () => void }[] = []
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const index = pages.findIndex(({ paper }) => paper.parentElement === target)
        if (isIntersecting && index >= 0) void loadPage(index).catch(() => {})
      }
    },
    { rootMargin: '100%' },
  )

  function addPage(): void {
    const page = document.createElement('div')
    page.className = 'sheet-page'
    const paper = document.createElement('div')
    paper.className = 'sheet-ink'
    paper.setAttribute('role', 'img')
    paper.setAttribute('aria-busy', 'true')
    page.append(paper)
    host.append(page)
    pages.push({ paper, loading: undefined })
    paper.setAttribute(
      'aria-label',
      text('sheet.page', { page: pages.length, pages: Math.max(count, pages.length) }),
    )
    near.observe(page)
  }

  function loadPage(index: number): Promise<void> {
    const page = pages[index]
    if (!page || !load) return Promise.resolve()
    page.loading ??= draw(load, index, round).catch((error: unknown) => {
      page.loading = undefined
      throw error
    })
    return page.loading
  }

  async function draw(from: LoadPage, index: number, ofRound: number): Promise<void> {
    const { svg: source, pages: total } = await from(index + 1, staffSize)
    const page = pages[index]
    if (ofRound !== round || !page) return
    const { svg, width, height } = readEngravedPage(source)
    count = options.drawOnlyFirstPage ? 1 : total
    const box = { x: 0, y: 0, width, height }
    if (index === 0 && options.noHeader) cutHeader(svg, box)
    if (layout === 'track') cutMargins(svg, box)
    svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`)
    page.paper.replaceChildren(svg)
    page.paper.setAttribute('aria-label', text('sheet.page', { page: index + 1, pages: count }))
    page.paper.removeAttribute('aria-busy')
    page.paper.parentElement?.style.setProperty('aspect-ratio', `${box.width} / ${box.height}`)
    page.remove?.()
    page.remove = sheet.add(index + 1, svg)
    while (pages.length < count) {
      addPage()
      pages.at(-1)?.paper.parentElement?.style.setProperty('aspect-ratio', `${width} / ${height}`)
    }
  }

  function clear(): void {
    round++
    near.disconnect()
    for (const { remove } of pages) remove?.()
    pages = []
    count = 0
    host.replaceChildren()
  }

  function applyZoom(): void {
    host.dataset.layout = layout
    host.style.setProperty('--zoom', zoom === undefined ? '100%' : `${paperWidth * zoom}px`)
  }

  async function show(from: LoadPage): Promise<void> {
    clear()
    load = from
    staffSize = layout === 'responsive' && host.clientWidth < narrow.width ? narrow.staffSize : undefined
    applyZoom()
    addPage()
    await loadPage(0)
  }

  async function showAll(): Promise<void> {
    for (let index = 0; index < pages.length; index++) await loadPage(index)
  }

  applyZoom()
  return {
    show,
    showAll,
    showMore() {
      const index = pages.findIndex(({ loading }) => !loading)
      if (index >= 0) void loadPage(index).catch(() => {})
    },
    setLayout(value) {
      layout = value
      if (load) void show(load)
    },
    zoom: () => zoom ?? Math.round(((pages[0]?.paper.clientWidth || paperWidth) / paperWidth) * 100) / 100,
    isAutoZoom: () => zoom === undefined,
    setZoom(value) {
      zoom = value
      applyZoom()
    },
    stop: clear,
  }
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Space around the music, in staff heights of a usual page. */
const marginShare = 0.03

/** Cuts off what is printed above the first system. */
function cutHeader(svg: SVGSVGElement, box: Box): void {
  const tops = [...placesOn(svg).values()].map(({ y }) => y)
  if (tops.length === 0) return
  // Ledger lines and marks stand above the staff.
  const top = Math.max(0, Math.min(...tops) - 2 * marginShare * box.width)
  box.height -= top - box.y
  box.y = top
}

/** Cuts off the margins of the paper. */
function cutMargins(svg: SVGSVGElement, box: Box): void {
  const places = [...placesOn(svg).values()]
  if (places.length === 0) return
  const margin = marginShare * box.width
  const left = Math.min(...places.map(({ x }) => x)) - 3 * margin
  const right = Math.max(...places.map(({ x, width }) => x + width)) + margin
  const bottom = Math.max(...places.map(({ y, height }) => y + height)) + 2 * margin
  box.x = Math.max(0, left)
  box.width = right - box.x
  box.height = Math.min(box.height, bottom - box.y)
}
