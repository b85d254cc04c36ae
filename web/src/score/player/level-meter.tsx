import { useEffect, useState } from 'react'
import { useTexts } from '../../app/texts.ts'
import type { Player } from './player.ts'
import { usePlayerState } from './use-player.ts'

/** The quietest level that the meter shows, in dB below full scale. */
const floor = 48

/** Shows how loud the sound is that leaves the player, from 0 to 100. Nothing is shown while nothing is played. */
export function LevelMeter({ player }: { player: Player }) {
  const { text } = useTexts()
  const { isPlaying } = usePlayerState(player)
  const level = useLevel(isPlaying ? player.analyser() : undefined)
  if (level === undefined) return null
  return (
    <div className="practice-slider">
      <span aria-hidden="true">{text('player.level')}</span>
      <meter min={0} max={100} value={level} aria-label={text('player.level')} />
    </div>
  )
}

/** Returns how loud a sound is, from 0 to 100. Undefined without a sound. */
export function useLevel(analyser: AnalyserNode | undefined): number | undefined {
  const [level, setLevel] = useState<number>()
  useEffect(() => {
    if (!analyser) return setLevel(undefined)
    const samples = new Float32Array(analyser.fftSize)
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
      setLevel(Math.round(Math.max(0, Math.min(1, 1 + (20 * Math.log10(peak)) / floor)) * 100))
    }, 100)
    return () => clearInterval(timer)
  }, [analyser])
  return level
}
