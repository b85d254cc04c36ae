import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { call } from '../../app/client.ts'
import type { ScoreSource } from '../source.ts'
import { afterPlaying } from './after-playing.ts'
import {
  createPlayer,
  memoryOf,
  type Music,
  type Player,
  type PlayerMemory,
  type PlayerState,
} from './player.ts'

/**
 * Returns a player of the music, which is closed with the component. Undefined until there is music. The player of other music of the
 * same score has the same tempo and the other choices of the listener.
 */
export function usePlayer(music: Music | undefined, score: string): Player | undefined {
  const [player, setPlayer] = useState<Player>()
  const before = useRef<{ score: string; memory: PlayerMemory }>(undefined)
  useEffect(() => {
    if (!music) return
    const created = createPlayer(music, before.current?.score === score ? before.current.memory : undefined)
    setPlayer(created)
    const cancelPreload = whenIdle(() => music.preload())
    return () => {
      cancelPreload()
      before.current = { score, memory: memoryOf(created) }
      created.close()
      setPlayer(undefined)
    }
  }, [music, score])
  return player
}

/** Tells the server and the page once that a listener has heard a score. */
export function usePlayCount(
  player: Player | undefined,
  { score, sharingKey }: ScoreSource,
  onHeard: (() => void) | undefined,
): void {
  const tell = useEffectEvent(() => onHeard?.())
  const counted = useRef<string>(undefined)
  useEffect(() => {
    if (!player || counted.current === score) return
    return afterPlaying(player, () => {
      counted.current = score
      tell()
      const query = sharingKey === undefined ? {} : { sharingKey }
      // The listener needs no answer.
      void call('recordScorePlay', { params: { score }, query }).catch(() => undefined)
    })
  }, [player, score, sharingKey])
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
