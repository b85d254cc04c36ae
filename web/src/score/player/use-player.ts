import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPlayer, type Music, type Player, type PlayerState } from './player.ts'

/** Returns a player of the music, which is closed with the component. Undefined until there is music. */
export function usePlayer(music: Music | undefined): Player | undefined {
  const [player, setPlayer] = useState<Player>()
  useEffect(() => {
    if (!music) return
    const created = createPlayer(music)
    setPlayer(created)
    const cancelPreload = whenIdle(() => music.preload())
    return () => {
      cancelPreload()
      created.close()
      setPlayer(undefined)
    }
  }, [music])
  return player
}

/** Runs a function when the browser has nothing else to do. Returns a function that cancels it. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(run, { timeout: 5000 })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(run, 500)
  return () => clearTimeout(timer)
}

/** Returns the state of a player, and renders again when it changes. */
export const usePlayerState = (player: Player): PlayerState =>
  useSyncExternalStore(player.subscribe, player.state)

/** Returns the position of a player in seconds. It renders a few times a second while the music plays. */
export function usePosition(player: Player): number {
  const { isPlaying, jumps } = usePlayerState(player)
  const [position, setPosition] = useState(() => player.position())
  useEffect(() => {
    const read = () => setPosition(player.position())
    read()
    if (!isPlaying) return
    const timer = setInterval(read, 200)
    return () => clearInterval(timer)
  }, [player, isPlaying, jumps])
  return position
}

/** Shows the piece on the lock screen and lets the keys for media control it. Keeps the screen on while it plays. */
export function useDevice(player: Player, title: string, artist: string): void {
  const { isPlaying } = usePlayerState(player)
  useEffect(() => {
    const { mediaSession } = navigator
    if (!mediaSession) return
    mediaSession.metadata = new MediaMetadata({ title, artist })
    const actions: [MediaSessionAction, () => void][] = [
      ['play', () => void player.play()],
      ['pause', () => player.pause()],
      ['stop', () => player.pause()],
      ['previoustrack', () => player.step(-1)],
      ['nexttrack', () => player.step(1)],
    ]
    for (const [action, handle] of actions) mediaSession.setActionHandler(action, handle)
    return () => {
      mediaSession.metadata = null
      for (const [action] of actions) mediaSession.setActionHandler(action, null)
    }
  }, [player, title, artist])
  useEffect(() => {
    if (navigator.mediaSession) navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused'
    if (!isPlaying || !navigator.wakeLock) return
    // The browser refuses if the battery is low or the page is hidden.
    const lock = navigator.wakeLock.request('screen').catch(() => undefined)
    return () => void lock.then((held) => held?.release())
  }, [isPlaying])
}
