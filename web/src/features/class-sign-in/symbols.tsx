import { pinPictures, type PupilSymbol, pupilSymbols } from '../../../../src/contract/sign-in-pictures.ts'

/** The picture of a student. The name stands beside it. */
export const PupilPicture = ({ name }: { name: PupilSymbol }) => <Drawing shapes={pupilSymbols[name]} />

/** The picture of a digit. The digit stands beside it. */
export const PinPicture = ({ digit }: { digit: number }) => <Drawing shapes={pinPictures[digit] ?? []} />

const Drawing = ({ shapes }: { shapes: readonly (readonly [fill: string, path: string])[] }) => (
  <svg className="pin-picture" viewBox="0 0 48 48" aria-hidden="true">
    {shapes.map(([fill, path]) => (
      <path key={path} fill={fill} d={path} />
    ))}
  </svg>
)
