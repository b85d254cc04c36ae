import './sheet.css'
import { useQuery } from '@tanstack/react-query'
import {
  type CSSProperties,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { pageQuery, type ScoreSource } from '../source.ts'
import { readEngravedPage } from './engraved-page.ts'
import type { Sheet } from './sheet.ts'
import { usePinch } from './zoom.ts'

interface Props {
  source: ScoreSource
  sheet: Sheet
  /** In percent of the width that fits. */
  zoom: number
  zoomTo(percent: number): void
  isPaperWhite: boolean
  /** How many pages are loaded even if they are far from what is visible. */
  wanted: number
  onPages(pages: number): void
  onMeasure(uuid: string): void
  /** The reader has dragged the pointer from one measure to another. */
  onRange(from: string, to: string): void
}

/** The height of A4 paper by its width, until the first page is there. */
const usualRatio = 297 / 210

/** The engraved pages of a score, one below the other. A page is loaded shortly before it is visible. */
export function SheetView(props: Props) {
  const { source, zoom, zoomTo, isPaperWhite, onPages, onMeasure, onRange } = props
  const { text } = useTexts()
  const host = useRef<HTMLDivElement>(null)
  const [layout, setLayout] = useState({ ratio: usualRatio, pages: 1, revision: source.revision })
  usePinch(host, zoom, zoomTo)
  useMeasurePointer(host, onMeasure, onRange)

  function onFirst(ratio: number, pages: number, revision: string) {
    setLayout((last) =>
      last.ratio === ratio && last.pages === pages && last.revision === revision
        ? last
        : { ratio, pages, revision },
    )
    onPages(pages)
  }
  // The other pages are of the same revision as the first one, also if a new one is saved meanwhile.
  const rest = { ...source, revision: layout.revision }
  return (
    <div ref={host} className={isPaperWhite ? 'sheet white' : 'sheet'}>
      {Array.from({ length: layout.pages }, (_, index) => (
        <SheetPage
          key={index}
          {...props}
          source={index === 0 ? source : rest}
          number={index + 1}
          label={text('sheet.page', { page: index + 1, pages: layout.pages })}
          ratio={layout.ratio}
          onLoaded={index === 0 ? onFirst : undefined}
        />
      ))}
    </div>
  )
}

interface PageProps extends Pick<Props, 'source' | 'sheet' | 'zoom' | 'wanted'> {
  number: number
  label: string
  ratio: number
  onLoaded: ((ratio: number, pages: number, revision: string) => void) | undefined
}

function SheetPage({ source, sheet, zoom, wanted, number, label, ratio, onLoaded }: PageProps) {
  const texts = useTexts()
  const paper = useRef<HTMLDivElement>(null)
  const isNear = useNear(paper)
  const { data, error, refetch } = useQuery({
    ...pageQuery(source, number),
    enabled: number === 1 || isNear || number <= wanted,
  })
  const tellLoaded = useEffectEvent((ratio: number) => {
    if (data) onLoaded?.(ratio, data.pages, data.revision)
  })
  const svgText = data?.text
  useLayoutEffect(() => {
    if (svgText === undefined || !paper.current) return
    const { svg, width, height } = readEngravedPage(svgText)
    paper.current.replaceChildren(svg)
    tellLoaded(height / width)
    return sheet.add(number, svg)
  }, [svgText, sheet, number])
  return (
    <div
      className="sheet-page"
      style={{ '--zoom': `${zoom}%`, aspectRatio: String(1 / ratio) } as CSSProperties}
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

/** Tells which measure was clicked, and from which to which the mouse was dragged. */
function useMeasurePointer(
  host: RefObject<HTMLElement | null>,
  onMeasure: (uuid: string) => void,
  onRange: (from: string, to: string) => void,
): void {
  const click = useEffectEvent(onMeasure)
  const range = useEffectEvent(onRange)
  useEffect(() => {
    const target = host.current
    if (!target) return
    let from: string | undefined
    const measureAt = (event: Event) =>
      event.target instanceof Element
        ? event.target.closest<SVGElement>('[data-measure]')?.dataset.measure
        : undefined
    const onDown = (event: PointerEvent) => {
      from = event.pointerType === 'mouse' && event.button === 0 ? measureAt(event) : undefined
    }
    const onUp = (event: PointerEvent) => {
      const to = measureAt(event)
      if (from && to && to !== from) range(from, to)
      from = undefined
    }
    // After a drag from one measure to another, the target of the click is an element around both.
    const onClick = (event: MouseEvent) => {
      const measure = measureAt(event)
      if (measure) click(measure)
    }
    target.addEventListener('pointerdown', onDown)
    target.addEventListener('pointerup', onUp)
    target.addEventListener('click', onClick)
    return () => {
      target.removeEventListener('pointerdown', onDown)
      target.removeEventListener('pointerup', onUp)
      target.removeEventListener('click', onClick)
    }
  }, [host])
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
      { rootMargin: '100% 0%' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNear])
  return isNear
}
