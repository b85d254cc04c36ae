import { useMedia } from '../../ui/use-media.ts'

/** The height of staves in large print, in millimeters: 1.5 times the usual one. */
export const largePrintStaff = 10.5

/** The same on a phone: 1.4 times the usual one, because the page is a third as wide as on paper. */
const phoneStaff = { usual: 10, large: 14 } as const

/** Returns the height of staves that fits the window, in millimeters. Undefined for the size in the score. */
export function useStaffSize(isLarge: boolean): number | undefined {
  const isPhone = useMedia('(max-width: 40rem)')
  if (isPhone) return isLarge ? phoneStaff.large : phoneStaff.usual
  return isLarge ? largePrintStaff : undefined
}
