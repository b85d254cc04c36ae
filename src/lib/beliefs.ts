/** How long an answer is believed: what another process changes holds here after this. */
const believedMilliseconds = 5000
const mostBelieved = 50_000

/** Answers that are believed for five seconds without being asked for again. */
export interface Beliefs<Answer> {
  /** The answer to this question, where it is known and fresh. */
  believed(question: string, now: number): Answer | undefined
  /** Asks, and believes the answer; one that was on its way while all was forgotten is given, but not kept. */
  ask(question: string, now: number, find: () => Promise<Answer | undefined>): Promise<Answer | undefined>
  /** Forgets everything: to be called after the commit that makes an answer untrue. */
  forget(): void
}

/** Times are milliseconds since 1970. */
export function beliefs<Answer>(): Beliefs<Answer> {
  let known = new Map<string, { answer: Answer; until: number }>()
  return {
    believed(question, now) {
      const belief = known.get(question)
      return belief && belief.until > now ? belief.answer : undefined
    },
    async ask(question, now, find) {
      const asked = known
      const answer = await find()
      if (answer === undefined) return undefined
      if (asked.size >= mostBelieved) asked.clear()
      asked.set(question, { answer, until: now + believedMilliseconds })
      return answer
    },
    forget() {
      known = new Map()
    },
  }
}
