import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startMailServer } from '../../../test/support/mail-server.ts'
import { type Mailer, smtpMailer } from './mailer.ts'

describe('the mailer', () => {
  let server: Awaited<ReturnType<typeof startMailServer>>
  let mailer: Mailer
  beforeEach(async () => {
    server = await startMailServer()
    mailer = smtpMailer(server.url, 'Partita <partita@school.example>')
  })
  afterEach(async () => {
    mailer.close()
    await server.close()
  })
  const send = (subject: string) => mailer.send({ to: 'clara@school.example', subject, text: 'Hello' })

  it('sends the next mail on the same connection', async () => {
    await send('First')
    await send('Second')
    expect(server.mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1])).toEqual(['First', 'Second'])
    expect(server.connectionCount()).toBe(1)
  })

  it('opens another connection if the mail server has closed the last one', async () => {
    await send('First')
    server.disconnect()
    await send('Second')
    expect(server.mails).toHaveLength(2)
    expect(server.connectionCount()).toBe(2)
  })

  it('rejects if the mail server cannot be reached', async () => {
    await server.close()
    await expect(send('First')).rejects.toThrow('ECONNREFUSED')
    server = await startMailServer()
  })
})
