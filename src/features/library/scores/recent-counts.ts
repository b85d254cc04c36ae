/** How often something happened in the last 7, 30 and 365 days. */
export interface PeriodCounts {
  weekly: number
  monthly: number
  yearly: number
}

/** The counts of a score that cover a period. `comments` counts each user once; `unique` covers all time. */
export interface RecentCounts {
  likes: PeriodCounts
  comments: PeriodCounts & { unique: number }
  views: PeriodCounts
  plays: PeriodCounts
}

export const zeroCounts: PeriodCounts = { weekly: 0, monthly: 0, yearly: 0 }

const none: RecentCounts = {
  likes: zeroCounts,
  comments: { unique: 0, ...zeroCounts },
  views: zeroCounts,
  plays: zeroCounts,
}

/** Writes counts in the form of `scores.recent_counts`: a JSON array of numbers, or '' if all are zero. */
export function formatRecentCounts({ likes, comments, views, plays }: RecentCounts): string {
  const periods = [likes, comments, views, plays].flatMap(({ weekly, monthly, yearly }) => [
    weekly,
    monthly,
    yearly,
  ])
  const numbers = [comments.unique, ...periods]
  return numbers.some((number) => number > 0) ? JSON.stringify(numbers) : ''
}

/** Reads what `formatRecentCounts` wrote. */
export function parseRecentCounts(text: string): RecentCounts {
  if (text === '') return none
  const [unique = 0, ...periods]: number[] = JSON.parse(text)
  const periodsFrom = (start: number): PeriodCounts => {
    const [weekly = 0, monthly = 0, yearly = 0] = periods.slice(start, start + 3)
    return { weekly, monthly, yearly }
  }
  return {
    likes: periodsFrom(0),
    comments: { unique, ...periodsFrom(3) },
    views: periodsFrom(6),
    plays: periodsFrom(9),
  }
}
