import { readFile } from 'node:fs/promises'
import { BasicSoundBank, SoundBankLoader } from 'spessasynth_core'
import { serveJobs } from '../hosts/serve-jobs.ts'
import type { Sound } from './sounds.ts'

/** A sound to take out of a sound font. */
export interface SoundJob extends Sound {
  /** The path of the font. It is the same in all jobs of a thread. */
  readonly font: string
}

let bank: Promise<BasicSoundBank> | undefined

async function read(font: string): Promise<BasicSoundBank> {
  return SoundBankLoader.fromArrayBuffer(new Uint8Array(await readFile(font)).buffer)
}

serveJobs<SoundJob>(async ({ font, isDrumKit, bank: number, program }) => {
  bank ??= read(font)
  const patch = { program, bankMSB: number, bankLSB: 0, isGMGSDrum: isDrumKit }
  const preset = (await bank).getPreset(patch, 'gs')
  const own = new BasicSoundBank()
  own.addCompletePresets([preset])
  own.soundBankInfo = { ...(await bank).soundBankInfo }
  // A font without this sound answers with a similar one, which the player finds under the asked number.
  for (const found of own.presets) Object.assign(found, patch)
  return new Uint8Array(own.writeSF2())
})
