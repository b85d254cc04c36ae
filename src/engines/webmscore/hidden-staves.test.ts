import { expect, test } from 'vitest'
import { type Element, measuresOf, partsOf } from '../../music/model/document.ts'
import { miniScore, rest } from '../../music/testing/mini-score.ts'
import { withShownStaves } from './hidden-staves.ts'

const staff = (shown: string, number = 1) =>
  `<attributes><staff-details number="${number}" print-object="${shown}"/></attributes>`

/** The `print-object` of all staves in all measures of a part, after the change. */
function shownIn(...measures: string[]) {
  const [part] = partsOf(miniScore(measures.map((measure) => measure + rest(4))))
  const details = (element: Element): (string | undefined)[] =>
    element.name === 'staff-details'
      ? [element.attributes['print-object']]
      : element.children.flatMap(details)
  return part && measuresOf(withShownStaves(part)).flatMap(details)
}

test('shows a staff in the whole score if the file shows it anywhere', () => {
  expect(shownIn(staff('no'), staff('yes'), staff('no'))).toEqual(['yes', 'yes', 'yes'])
  expect(shownIn('', staff('no'))).toEqual(['yes'])
})

test('keeps a staff hidden that the file never shows, whatever the other staves do', () => {
  expect(shownIn(staff('no'), '')).toEqual(['no'])
  expect(shownIn(staff('no') + staff('no', 2), staff('yes', 2))).toEqual(['no', 'yes', 'yes'])
})
