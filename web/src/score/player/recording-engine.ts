import type { StartEngine } from './engine.ts'
import type { Passage } from './places.ts'

/**
 * Plays a recording: of a performance, or that of the server in browsers that cannot run the synthesizer.
 * @param findAddress returns its address; that of a blob is released in the end
 */
export function recordingEngine(findAddress: () => Promise<string>): StartEngine {
  return async ({ onEnd, onFailure }) => {
    const audio = new Audio()
    const address = await findAddress()
    audio.src = address
    let loop: Passage | undefined
    audio.ontimeupdate = () => {
      if (loop && audio.currentTime >= loop.end) audio.currentTime = loop.start
    }
    audio.onended = onEnd
    audio.onerror = () => onFailure(audio.error)
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
        URL.revokeObjectURL(address)
      },
    }
  }
}
