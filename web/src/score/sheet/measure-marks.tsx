import './measure-marks.css'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { createPortal } from 'react-dom'
import { drawBehind, type Sheet } from './sheet.ts'

/** A button at a measure of the pages. */
export interface MeasureMark {
  readonly id: string
  readonly measure: string
  /** The uuid of the part above whose staves the button is. The first part if it is not on the page. */
  readonly part: string
  readonly label: string
  /** The text on the button. */
  readonly sign: string
  readonly isActive: boolean
}

interface Props {
  sheet: Sheet
  marks: readonly MeasureMark[]
  /** The measures that are coloured. */
  coloured: readonly string[]
  onPress(id: string): void
}

/** Shows buttons at measures of the pages that are loaded, and colours measures. */
export function MeasureMarks({ sheet, marks, coloured, onPress }: Props) {
  useSheetChanges(sheet)
  const colouredKey = coloured.join(' ')
  const pages = [...sheet.pages()]
  const shownKey = pages.map(({ places }) => places.size).join(' ')
  useEffect(() => {
    // The pages change when their measures do.
    void shownKey
    const found = colouredKey.split(' ').flatMap((uuid) => sheet.find(uuid) ?? [])
    const drawn = found.map((measure) => drawBehind(measure, 'sheet-coloured', 60))
    return () => {
      for (const rect of drawn) rect.remove()
    }
  }, [sheet, colouredKey, shownKey])
  return pages.map(({ svg, places }) => {
    const host = svg.closest('.sheet-page')
    const here = marks.filter(({ measure }) => places.has(measure))
    if (!host || here.length === 0) return null
    const { width, height } = svg.viewBox.baseVal
    return createPortal(
      <div className="measure-marks">
        {here.map(({ id, measure, part, label, sign, isActive }) => {
          const { x, y } = boxOf(svg, measure, part) ?? { x: 0, y: 0 }
          return (
            <Button
              key={id}
              className={isActive ? 'measure-mark active' : 'measure-mark'}
              aria-label={label}
              aria-current={isActive}
              style={{ left: `${(100 * x) / width}%`, top: `${(100 * y) / height}%` }}
              onPress={() => onPress(id)}
            >
              {sign}
            </Button>
          )
        })}
      </div>,
      host,
    )
  })
}

/** Returns the box of a measure in a part, or else in the first part. */
function boxOf(svg: SVGSVGElement, measure: string, part: string): { x: number; y: number } | undefined {
  const boxes = [...svg.querySelectorAll<SVGRectElement>(`rect[data-measure="${CSS.escape(measure)}"]`)]
  const box = boxes.find(({ dataset }) => dataset.part === part) ?? boxes[0]
  return box && { x: box.x.baseVal.value, y: box.y.baseVal.value }
}

/** Renders again when pages come or go. */
function useSheetChanges(sheet: Sheet): void {
  const [, setChanges] = useState(0)
  useEffect(() => {
    const stop = sheet.subscribe(() => setChanges((count) => count + 1))
    return () => void stop()
  }, [sheet])
}
