import { expect, it } from 'vitest'
import { headersOf } from './messages.ts'

it('signs as the reference library of Standard Webhooks does', () => {
  const secret = Buffer.from('MfKQ9r8GKYqwTwjUPD8ILPZIo2LaLaSw', 'base64')
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_999, body: '{"test": 2432232314}' }
  const signature = 'v1,ezPPwzspfIcp4cDp4tk6r6m9T8vF0TaBlLgkD3e7Qck='
  expect(headersOf(message, [secret])).toMatchObject({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  })
  const [first, second] =
    headersOf(message, [Buffer.alloc(32), secret])['webhook-signature']?.split(' ') ?? []
  expect([first?.startsWith('v1,'), first === signature, second]).toEqual([true, false, signature])
})
