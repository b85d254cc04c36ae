import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  /** Plain text. */
  text: string
}

/** Sends mails; rejects when the mail server does not take one within half a minute. */
export type Mailer = (mail: Mail) => Promise<void>

const patience = 30_000

/** @param url smtp://user:password@host:port, or smtps://… @param from name and address of the sender */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, ...mail }) => {
    // One address, whatever is in it, and not a list of them.
    await transport.sendMail({ from, to: { name: '', address: to }, ...mail })
  }
}
