import type { StartEngine } from './engine.ts'
import type { Passage } from './places.ts'

/** Milliseconds after which an address may have expired: the server signs addresses of recordings for 15 minutes. */
const freshFor = 10 * 60_000

/**
 * Plays a recording: of a performance, or that of the server in browsers that cannot run the synthesizer.
 * @param findAddress returns its address; that of a blob is released in the end
 * @param element what plays it, if the page shows it
 */
export function recordingEngine(findAddress: () => Promise<string>, element?: HTMLMediaElement): StartEngine {
  return async ({ onEnd, onFailure }) => {
    const audio = element ?? new Audio()
    let foundAt = 0
    async function load() {
      foundAt = Date.now()
      audio.src = await findAddress()
    }
    await load()
    let loop: Passage | undefined
    audio.ontimeupdate = () => {
      if (loop && audio.currentTime >= loop.end) audio.currentTime = loop.start
    }
    audio.onended = onEnd
    audio.onerror = () => {
      if (Date.now() - foundAt < freshFor) return onFailure(audio.error)
      const { currentTime, paused } = audio
      load()
        .then(() => {
          audio.currentTime = currentTime
          return paused ? undefined : audio.play()
        })
        .catch(onFailure)
    }
    return {
      hasParts: false,
      analyser: undefined,
      position: () => audio.currentTime,
      play: () => audio.play(),
      pause: () => audio.pause(),
      seek(seconds) {
        audio.currentTime = seconds
      },
      setTempo(tempo) {
        audio.playbackRate = tempo
      },
      setLoop(value) {
        loop = value
      },
      setMetronome() {},
      setLevels() {},
      setReverbs() {},
      strike() {},
      setVolume(volume) {
        audio.volume = volume ** 2
      },
      close() {
        audio.pause()
        URL.revokeObjectURL(audio.src)
      },
    }
  }
}
