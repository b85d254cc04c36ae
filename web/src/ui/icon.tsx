import { type IconName, icons } from '../../../src/contract/icons.ts'

/** An icon beside a word. Screen readers ignore it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={icons[name]} />
  </svg>
)
