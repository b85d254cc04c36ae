import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import type { Sound } from '../engines/sounds/sounds.ts'
import { callerOf, disconnectSignal } from '../http/request-facts.ts'
import { day, second } from '../lib/durations.ts'

/**
 * Serves the sounds of the sound font to the player of the pages: `/sounds/0-40.sf3` is program 40 of bank 0, and
 * `/sounds/drums-0.sf3` a drum kit.
 */
export function soundFiles(server: FastifyInstance, ctx: Context): void {
  const version = ctx.soundFont.hash ?? 'own'
  server.get<{ Params: { name: string } }>('/sounds/:name', async (request, reply) => {
    const { name } = request.params
    const sound = soundNamed(name)
    if (!sound) fail('NOT_FOUND')
    const tag = `"${version}-${name}"`
    reply
      .header('Cache-Control', `public, max-age=${(30 * day) / second}`)
      .header('ETag', tag)
      .header('X-Content-Type-Options', 'nosniff')
    if (request.headers['if-none-match'] === tag) return reply.status(304).send()
    const waiter = { caller: callerOf(undefined, request.ip), signal: disconnectSignal(reply) }
    const bytes = await ctx.sounds.find(sound, waiter)
    return reply.type('audio/x-soundfont').send(Buffer.from(bytes))
  })
}

/** Returns undefined for the name of no sound. */
function soundNamed(name: string): Sound | undefined {
  const [, bank, program] = /^(\d{1,3}|drums)-(\d{1,3})\.sf3$/.exec(name) ?? []
  const isDrumKit = bank === 'drums'
  const sound = { isDrumKit, bank: isDrumKit ? 0 : Number(bank), program: Number(program) }
  return sound.bank <= 127 && sound.program <= 127 ? sound : undefined
}
