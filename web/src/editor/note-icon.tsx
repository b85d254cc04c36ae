import type { NoteType } from '../../../src/music/editing/values.ts'

/** How many flags a value has. */
const flags: Readonly<Partial<Record<NoteType, number>>> = { eighth: 1, '16th': 2, '32nd': 3, '64th': 4 }

/** The sign of a note value. */
export function NoteIcon({ type }: { type: NoteType }) {
  const isHollow = type === 'whole' || type === 'half'
  const count = flags[type] ?? 0
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <ellipse
        cx="9"
        cy="18"
        rx="4.2"
        ry="3"
        transform="rotate(-18 9 18)"
        style={{ fill: isHollow ? 'none' : 'currentcolor' }}
      />
      {type !== 'whole' && <path d="M13 17V2.5" />}
      {Array.from({ length: count }, (_, index) => (
        <path key={index} d={`M13 ${2.5 + 3.6 * index}c1 3 5 3 5 7`} />
      ))}
    </svg>
  )
}
