import './sheet.css'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import type { Layout } from '../reader-view.ts'
import { pageQuery, type ScoreSource } from '../source.ts'
import { readEngravedPage } from './engraved-page.ts'
import type { Sheet } from './sheet.ts'
import { useStaffSize } from './staff-size.ts'
import type { PointerHandlers } from './music-pointer.ts'
import { useMusicPointer } from './pointer.ts'
import { usePinch } from './zoom.ts'

interface Props extends PointerHandlers {
  source: ScoreSource
  sheet: Sheet
  /** In percent of the width that fits. */
  zoom: number
  zoomTo(percent: number): void
  isPaperWhite: boolean
  /** Larger staves, for readers who do not see well. */
  isLargePrint?: boolean
  layout: Layout
  /** How many pages are loaded even if they are far from what is visible. */
  wanted: number
  onPages(pages: number): void
}

/** The height of A4 paper by its width, until the first page is there. */
const usualRatio = 297 / 210

/** The engraved pages of a score. A page is loaded shortly before it is visible. */
export function SheetView(props: Props) {
  const { source, zoom, zoomTo, isPaperWhite, layout: arrangement, onPages } = props
  const { text } = useTexts()
  const host = useRef<HTMLDivElement>(null)
  const [layout, setLayout] = useState({ ratio: usualRatio, width: 0, pages: 1, revision: source.revision })
  usePinch(host, zoom, zoomTo)
  useMusicPointer(host, props)
  const staffSize = useStaffSize(props.isLargePrint === true)

  function onFirst(ratio: number, width: number, pages: number, revision: string) {
    setLayout((last) =>
      last.ratio === ratio && last.width === width && last.pages === pages && last.revision === revision
        ? last
        : { ratio, width, pages, revision },
    )
    onPages(pages)
  }
  // The other pages are of the same revision as the first one, also if a new one is saved meanwhile.
  const rest = { ...source, revision: layout.revision }
  return (
    <div ref={host} className={`sheet in-${arrangement}${isPaperWhite ? ' white' : ''}`}>
      {Array.from({ length: layout.pages }, (_, index) => (
        <SheetPage
          key={index}
          {...props}
          source={index === 0 ? source : rest}
          number={index + 1}
          label={text('sheet.page', { page: index + 1, pages: layout.pages })}
          ratio={layout.ratio}
          width={layout.width}
          staffSize={staffSize}
          onLoaded={index === 0 ? onFirst : undefined}
        />
      ))}
    </div>
  )
}

interface PageProps extends Pick<Props, 'source' | 'sheet' | 'zoom' | 'wanted' | 'layout'> {
  number: number
  label: string
  ratio: number
  /** In units of the page. 0 until the first page is there. */
  width: number
  staffSize: number | undefined
  onLoaded: ((ratio: number, width: number, pages: number, revision: string) => void) | undefined
}

/** Units of a page in a pixel. */
const unitsOfPixel = 360 / 96

function SheetPage(props: PageProps) {
  const { source, sheet, zoom, wanted, layout, number, label, ratio, width, staffSize, onLoaded } = props
  const texts = useTexts()
  const paper = useRef<HTMLDivElement>(null)
  const isNear = useNear(paper)
  const { data, error, refetch } = useQuery({
    ...pageQuery(
      source,
      layout === 'line' ? { page: number, staffSize: undefined, layout } : { page: number, staffSize },
    ),
    enabled: number === 1 || isNear || number <= wanted,
  })
  const tellLoaded = useEffectEvent((ratio: number, width: number) => {
    if (data) onLoaded?.(ratio, width, data.pages, data.revision)
  })
  const svgText = data?.text
  useLayoutEffect(() => {
    if (svgText === undefined || !paper.current) return
    const { svg, width, height } = readEngravedPage(svgText)
    paper.current.replaceChildren(svg)
    tellLoaded(height / width, width)
    return sheet.add(number, svg)
  }, [svgText, sheet, number])
  return (
    <div
      className="sheet-page"
      style={
        {
          '--zoom': `${zoom}%`,
          '--scale': zoom / 100,
          '--shape': 1 / ratio,
          '--natural-width': `${width / unitsOfPixel}px`,
          aspectRatio: String(1 / ratio),
        } as CSSProperties
      }
    >
      {/* React leaves the children of this element alone. */}
      <div ref={paper} className="sheet-ink" role="img" aria-label={label} aria-busy={!data && !error} />
      {error && (
        <div className="sheet-error">
          <p role="alert">{errorText(texts, error)}</p>
          <Button isSecondary onPress={() => void refetch()}>
            {texts.text('app.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Returns whether an element is or was less than a window away from what is visible. */
function useNear(element: { readonly current: Element | null }): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      // The sheet scrolls sideways itself, and some browsers have no margin for that.
      { rootMargin: '100% 0%', scrollMargin: '0px 100%' } as IntersectionObserverInit,
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNear])
  return isNear
}
