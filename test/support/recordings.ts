import { insertPart, insertUpload } from '../../src/features/library/uploads/store.ts'
import { changeStoredBytes } from '../../src/features/people/storage/quota.ts'
import type { Person, TestApp } from './app.ts'
import type { Reply } from './client.ts'
import { newTrack } from './tracks.ts'

/** Returns a mono WAV file of 8 bits at 8 kHz: a sine of so many hertz. */
export function wavOf({ seconds = 0.1, hertz = 440 } = {}): Buffer {
  const samples = Math.round(seconds * 8000)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(8000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples, 40)
  const sine = Buffer.from(
    Uint8Array.from({ length: samples }, (_, at) => 128 + 100 * Math.sin((2 * Math.PI * hertz * at) / 8000)),
  )
  return Buffer.concat([header, sine])
}

/** Returns so many bytes that begin like a WAV file and cannot be compressed. */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0, value = 1; at < length; at++) {
    value = (value * 48_271) % 2_147_483_647
    bytes[at] = value & 0xff
  }
  wavOf().copy(bytes, 0, 0, 44)
  return bytes
}

/** Uploads a recording in one part, which has at most 1 MiB. Returns the id of the upload. */
export async function newUpload(person: Person, bytes: Uint8Array = wavOf()): Promise<string> {
  const { body: upload } = await person.post('/recordingUploads', { size: bytes.length })
  await person.put(`/recordingUploads/${upload.id}/parts/0`, bytes)
  return upload.id
}

/** Adds a track with a recording that the server stores. By default it is an ordinary track of the owner. */
export async function newRecording(
  app: TestApp,
  score: string,
  overrides: Parameters<typeof newTrack>[2] = {},
  bytes: Uint8Array = wavOf(),
): Promise<string> {
  const { ctx } = app
  const track = await newTrack(app, score, { url: null, ...overrides })
  const blob = await ctx.blobs.prepare(bytes)
  await ctx.transaction(async (tx) => {
    const { creator_id: user } = await tx
      .selectFrom('score_tracks')
      .where('id', '=', track)
      .select('creator_id')
      .executeTakeFirstOrThrow()
    await ctx.blobs.insert(tx, blob)
    const size = bytes.length
    const id = ctx.newId()
    await insertUpload(tx, {
      id,
      user_id: user,
      track_id: track,
      media_type: 'audio/wav',
      size,
      received: 0,
      created_at: ctx.clock.now(),
    })
    const part = { file_id: id, start: 0, size, part_blob: blob.hash }
    await insertPart(tx, part, { received: size, media_type: 'audio/wav' })
    await changeStoredBytes(tx, user, size)
  })
  return track
}

/** Returns the status, the code and the field of a refusal. */
export const codeOf = ({ status, body }: Pick<Reply, 'status' | 'body'>) => [status, body.code, body.param]
