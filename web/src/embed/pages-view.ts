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

/** How the server sets a page. */
export interface PageSetting {
  readonly page: number
  readonly staffSize: number | undefined
  readonly layout: 'line' | undefined
}

export type LoadPage = (setting: PageSetting) => Promise<PageText>

interface ViewOptions {
  readonly layout: Layout
  readonly zoom: number | 'auto'
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
/** A page has 360 units an inch. */
const pixelsPerUnit = 96 / 360
/** The staves of a narrow frame, in millimeters, and the width below which a frame is narrow. */
const narrow = { staffSize: 10, width: 640 } as const

export function createPagesView(host: HTMLElement, sheet: Sheet, options: ViewOptions): PagesView {
  let load: LoadPage | undefined
  let layout = options.layout
  let zoom = options.zoom === 'auto' ? undefined : options.zoom
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
    const { svg: source, pages: total } = await from({
      page: index + 1,
      staffSize,
      layout: layout === 'track' ? 'line' : undefined,
    })
    const page = pages[index]
    if (ofRound !== round || !page) return
    const { svg, width, height } = readEngravedPage(source)
    count = options.drawOnlyFirstPage ? 1 : total
    const box = { x: 0, y: 0, width, height }
    if (index === 0 && options.noHeader && layout !== 'track') cutHeader(svg, box)
    svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`)
    page.paper.replaceChildren(svg)
    page.paper.setAttribute('aria-label', text('sheet.page', { page: index + 1, pages: count }))
    page.paper.removeAttribute('aria-busy')
    page.paper.parentElement?.style.setProperty('aspect-ratio', `${box.width} / ${box.height}`)
    page.paper.parentElement?.style.setProperty('--natural', `${box.width * pixelsPerUnit}px`)
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
    host.style.setProperty('--scale', String(zoom ?? 1))
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
    zoom() {
      if (zoom !== undefined || layout === 'track') return zoom ?? 1
      return Math.round(((pages[0]?.paper.clientWidth || paperWidth) / paperWidth) * 100) / 100
    },
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

/** Space above the staves for ledger lines and marks, as a share of the width of the page. */
const spaceAbove = 0.06

/** Cuts off what is printed above the first system. */
function cutHeader(svg: SVGSVGElement, box: Box): void {
  const tops = [...placesOn(svg).values()].map(({ y }) => y)
  if (tops.length === 0) return
  const top = Math.max(0, Math.min(...tops) - spaceAbove * box.width)
  box.height -= top - box.y
  box.y = top
}
