import { fail } from '../../../errors.ts'
import type { Element } from '../document.ts'
import { leaf, node } from '../element.ts'

/** Page and spacing as builderData has them; lengths in `lengthUnit`. */
export interface LayoutData {
  /** The space between notes. 1 is normal, larger numbers are wider. */
  notesSpacingCoeff?: number
  lengthUnit?: 'cm' | 'inch'
  pageHeight?: number
  pageWidth?: number
  pageMarginTop?: number
  pageMarginBottom?: number
  pageMarginLeft?: number
  pageMarginRight?: number
}

type Length = Exclude<keyof LayoutData, 'notesSpacingCoeff' | 'lengthUnit'>

const MILLIMETERS = { cm: 10, inch: 25.4 }

/** Height of a staff of five lines, which is 40 tenths. */
const STAFF_MILLIMETERS = 7
const STAFF_TENTHS = 40

/** In millimetres: A4 with margins of 15. */
const ordinary: Record<Length, number> = {
  pageHeight: 297,
  pageWidth: 210,
  pageMarginTop: 15,
  pageMarginBottom: 15,
  pageMarginLeft: 15,
  pageMarginRight: 15,
}

/** In millimetres: from a postcard's half to more than A0, and always a strip left for the music. */
const MIN_PAGE = 50
const MAX_PAGE = 1_300
const MIN_MUSIC = 20

const MAX_SPACING = 10

/**
 * Builds the `defaults` of a score: its scaling, its page, and the settings in other-appearance.
 * @throws INVALID_PARAMETER with the field, for a page that cannot be printed or whose margins leave no room
 */
export function buildDefaults(
  layout: LayoutData,
  appearance: readonly [type: string, value: string][],
): Element {
  const unit = MILLIMETERS[layout.lengthUnit ?? 'cm']
  const millimeters = (field: Length) => {
    const length = layout[field]
    return length === undefined ? ordinary[field] : length * unit
  }
  const height = millimeters('pageHeight')
  const width = millimeters('pageWidth')
  checkPage('pageHeight', height)
  checkPage('pageWidth', width)
  const margins = {
    left: millimeters('pageMarginLeft'),
    right: millimeters('pageMarginRight'),
    top: millimeters('pageMarginTop'),
    bottom: millimeters('pageMarginBottom'),
  }
  checkMargins('pageMarginLeft', margins.left, 'pageMarginRight', margins.right, width)
  checkMargins('pageMarginTop', margins.top, 'pageMarginBottom', margins.bottom, height)

  const children = [
    node('scaling', [leaf('millimeters', STAFF_MILLIMETERS), leaf('tenths', STAFF_TENTHS)]),
    node('page-layout', [
      leaf('page-height', tenths(height)),
      leaf('page-width', tenths(width)),
      node(
        'page-margins',
        [
          leaf('left-margin', tenths(margins.left)),
          leaf('right-margin', tenths(margins.right)),
          leaf('top-margin', tenths(margins.top)),
          leaf('bottom-margin', tenths(margins.bottom)),
        ],
        { type: 'both' },
      ),
    ]),
  ]
  const settings = [...spacing(layout.notesSpacingCoeff), ...appearance]
  if (settings.length > 0) {
    const others = settings.map(([type, value]) => leaf('other-appearance', value, { type }))
    children.push(node('appearance', others))
  }
  return node('defaults', children)
}

function spacing(coefficient: number | undefined): [type: string, value: string][] {
  if (coefficient === undefined) return []
  if (!(coefficient >= 1 && coefficient <= MAX_SPACING)) {
    refuse('notesSpacingCoeff', `must be a number from 1 to ${MAX_SPACING}`)
  }
  return [['note-spacing', String(coefficient)]]
}

function checkPage(field: Length, length: number): void {
  if (length >= MIN_PAGE && length <= MAX_PAGE) return
  refuse(field, `must be from ${MIN_PAGE / 10} to ${MAX_PAGE / 10} cm`)
}

function checkMargins(first: Length, one: number, second: Length, other: number, page: number): void {
  if (!(one >= 0)) refuse(first, 'must not be negative')
  if (!(other >= 0)) refuse(second, 'must not be negative')
  if (page - one - other >= MIN_MUSIC) return
  refuse(one >= other ? first : second, `must leave ${MIN_MUSIC / 10} cm of the page for the music`)
}

function tenths(millimeters: number): number {
  return Math.round((millimeters * STAFF_TENTHS * 100) / STAFF_MILLIMETERS) / 100
}

function refuse(field: keyof LayoutData, rule: string): never {
  const param = `builderData.layoutData.${field}`
  fail('INVALID_PARAMETER', { param, message: `${param} ${rule}.` })
}
