import Type from 'typebox'
import { extension, OneOf } from './schema.ts'

/** Millimeters between the outer lines of a staff of five lines. There are few values, because each one is a file of its own. */
const staffSizes = { minimum: 4, maximum: 14, multipleOf: 0.5 }

/** The paper of an `svg` or a `pdf`, and the size of its staves. */
export const paperFields = {
  paper: Type.Optional(
    OneOf(['a4', 'letter'], {
      ...extension,
      description:
        'For `pdf` and `svg`: the paper. Defaults to the page layout of the score, and without one to the paper of the ' +
        'installation (`PAPER`). A landscape score stays landscape. This parameter is an extension.',
    }),
  ),
  staffSize: Type.Optional(
    Type.Number({
      ...extension,
      ...staffSizes,
      description:
        'For `pdf` and `svg`: the height of a staff of five lines in millimeters, from 4 to 14 in steps of a half; 10.5 is large print. ' +
        'Defaults to the size in the score, and without one to 7. With `paper` or `staffSize`, the score gets new breaks of ' +
        'lines and pages. This parameter is an extension.',
    }),
  ),
}

/** How a score is set on the pages of an `svg` or a `pdf`. */
export const pageSetupFields = {
  ...paperFields,
  layout: Type.Optional(
    OneOf(['pages', 'line'], {
      ...extension,
      description:
        'For `svg`: `line` sets the whole score on one line without titles, on a page that is as wide as the music. A very long ' +
        'score gets several lines. Defaults to `pages`. This parameter is an extension.',
    }),
  ),
}
