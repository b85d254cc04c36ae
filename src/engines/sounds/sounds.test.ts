import { expect, it } from 'vitest'
import { packagedSoundFont } from '../audio/sound-font.ts'
import { createSounds } from './sounds.ts'

it('the sounds keep the piano once they are warm, and take others out of the font', async () => {
  const sounds = createSounds(packagedSoundFont)
  const waiter = { caller: 'test' }
  await sounds.warm()
  await sounds.close()
  const piano = await sounds.find({ isDrumKit: false, bank: 0, program: 0 }, waiter)
  expect(piano.length).toBeGreaterThan(100_000)
  await expect(sounds.find({ isDrumKit: false, bank: 0, program: 40 }, waiter)).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
  })
})
