import { uuidsOf, type Embed } from '../embed.ts'
import type { Method } from '../protocol.ts'
import { timeOf } from '../shown-score.ts'
import { scoreTimeOf, type Track, trackOf } from '../tracks.ts'
import { number, object, word } from './parameters.ts'

/** As the pages that show embeds number them. */
const metronomeModes = { countIn: 0, continuous: 1, off: 2 } as const

/** What General MIDI gives to a part, in percent. */
const usualReverb = 31

export function playbackMethods(embed: Embed): Record<string, Method> {
  const tracks = new Map<string, Track>()
  let track: Track | undefined
  /** The place of a part in the mixer. */
  async function partOf(parameters: unknown) {
    const uuid = word('partUuid', object(parameters).partUuid)
    const shown = await embed.shown()
    const index = shown.score.parts.findIndex((part) => part.uuid === uuidsOf(shown, [uuid])[0])
    const player = await embed.player()
    const setting = player.state().parts[index]
    if (!setting) throw new Error(`The part ${uuid} has no sound.`)
    return { player, index, setting }
  }
  const setPart =
    (change: Parameters<Awaited<ReturnType<typeof embed.player>>['setPart']>[1]) =>
    async (parameters: unknown) => {
      const { player, index } = await partOf(parameters)
      player.setPart(index, change)
    }
  /** A track of the page has its own player, which follows these events. */
  const byPage = (event: 'play' | 'pause' | 'stop') => {
    if (track) embed.emit(event)
    return track !== undefined
  }
  return {
    async play() {
      if (byPage('play')) return
      const player = await embed.player()
      await player.play()
      if (player.state().status === 'failed') throw new Error('The sound could not be started.')
    },
    async pause() {
      if (byPage('pause')) return
      ;(await embed.player()).pause()
    },
    async stop() {
      if (byPage('stop')) return
      const player = await embed.player()
      player.pause()
      player.seek(0)
      embed.emit('stop')
    },
    async mute() {
      ;(await embed.player()).setVolume(0)
    },
    getMasterVolume: async () => Math.round((await embed.player()).state().volume * 100),
    async setMasterVolume(parameters) {
      const volume = number('volume', object(parameters).volume, 0, 100)
      ;(await embed.player()).setVolume(volume / 100)
    },
    async getPartVolume(parameters) {
      return Math.round((await partOf(parameters)).setting.level * 100)
    },
    async setPartVolume(parameters) {
      const level = number('volume', object(parameters).volume, 0, 100) / 100
      await setPart({ level })(parameters)
    },
    mutePart: setPart({ isMuted: true }),
    unmutePart: setPart({ isMuted: false }),
    setPartSoloMode: setPart({ isSolo: true }),
    unsetPartSoloMode: setPart({ isSolo: false }),
    async getPartSoloMode(parameters) {
      return (await partOf(parameters)).setting.isSolo
    },
    async getPartReverb(parameters) {
      return (await partOf(parameters)).setting.reverb ?? usualReverb
    },
    async setPartReverb(parameters) {
      const reverb = number('reverberation', object(parameters).reverberation, 0, 100)
      await setPart({ reverb })(parameters)
    },
    async getMetronomeMode() {
      const { hasMetronome, hasCountIn } = (await embed.player()).state()
      return hasMetronome
        ? metronomeModes.continuous
        : hasCountIn
          ? metronomeModes.countIn
          : metronomeModes.off
    },
    async setMetronomeMode(parameters) {
      const mode = number('mode', object(parameters).mode, 0, 2)
      const player = await embed.player()
      player.setMetronome(mode === metronomeModes.continuous)
      player.setCountIn(mode === metronomeModes.countIn)
    },
    getPlaybackSpeed: async () => (await embed.player()).state().tempo / 100,
    async setPlaybackSpeed(parameters) {
      const speed = number('speed', object(parameters).speed, 0.2, 2)
      ;(await embed.player()).setTempo(speed * 100)
    },
    async setTrack(parameters) {
      const added = trackOf(object(parameters), (await embed.shown()).score.measureUuids.length)
      tracks.set(added.id, added)
    },
    async useTrack(parameters) {
      const id = word('id', object(parameters).id)
      const found = tracks.get(id)
      if (!found) throw new Error(`There is no track ${id}. Set it with setTrack first.`)
      ;(await embed.player()).pause()
      track = found
    },
    async seekTrackTo(parameters) {
      const time = number('time', object(parameters).time, 0, Number.MAX_VALUE)
      if (!track) throw new Error('No track is used. Call useTrack first.')
      const { score } = await embed.shown()
      const player = await embed.player()
      const { measureIdx, share } = scoreTimeOf(track, time)
      const uuid = score.measureUuids[measureIdx]
      const played = player.music.measures.find((measure) => measure.uuid === uuid)
      const start = timeOf(player.music, uuid, 0)
      await embed.goTo(start + share * ((played?.end ?? start) - start))
    },
  }
}
