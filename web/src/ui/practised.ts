/** The scores that a user has played last on this device, the last one first. The server does not learn who plays what. */

const keyOf = (user: string): string => `partita.practised.${user}`
const limit = 6

/** @returns the ids of scores */
export const practisedScores = (user: string): string[] =>
  (localStorage.getItem(keyOf(user)) ?? '').split(' ').filter((id) => /^[0-9a-f]{24}$/.test(id))

export const rememberPractised = (user: string, score: string): void =>
  store(user, [score, ...others(user, score)].slice(0, limit))

/** For a score that the user cannot open any more. */
export const forgetPractised = (user: string, score: string): void => store(user, others(user, score))

const others = (user: string, score: string): string[] => practisedScores(user).filter((id) => id !== score)
const store = (user: string, scores: readonly string[]): void =>
  localStorage.setItem(keyOf(user), scores.join(' '))
