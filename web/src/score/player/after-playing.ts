import type { Player } from './player.ts'

/** Seconds of sound after which a listener has heard a score. Half of a shorter score is enough. */
const heardAfter = 5

/**
 * Calls a function once, after the player has played for some seconds, with or without pauses.
 * @returns a function that ends the wait
 */
export function afterPlaying(player: Player, run: () => void): () => void {
  let left = Math.min(heardAfter, player.music.durationSeconds / 2) * 1000
  let since: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = () => {
    const { isPlaying } = player.state()
    if (isPlaying === (since !== undefined)) return
    if (since === undefined) {
      since = performance.now()
      timer = setTimeout(() => {
        stop()
        run()
      }, left)
    } else {
      left -= performance.now() - since
      since = undefined
      clearTimeout(timer)
    }
  }
  const unsubscribe = player.subscribe(follow)
  const stop = () => {
    unsubscribe()
    clearTimeout(timer)
  }
  follow()
  return stop
}
