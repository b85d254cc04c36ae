const firstMilliseconds = 5000
const factor = 4
const longestMilliseconds = 10 * 60 * 1000

/**
 * How long to wait after a failed try: 5 s, 20 s, 80 s, … up to 10 minutes, each shortened by chance by up to half of it
 * so that what failed together does not come back together.
 * @param attempt 1 after the first try
 * @param random from 0 to 1, as Math.random gives it
 */
export function backoffMilliseconds(attempt: number, random: number): number {
  const longest = Math.min(longestMilliseconds, firstMilliseconds * factor ** (attempt - 1))
  return Math.round(longest * (1 - random / 2))
}
