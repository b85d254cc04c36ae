import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  /** Plain text. */
  text: string
}

/** Sends a mail. Rejects if the mail server does not accept it or does not respond within 30 seconds. */
export type Mailer = (mail: Mail) => Promise<void>

const timeout = 30_000

/**
 * Creates a mailer that uses an SMTP server.
 * @param url smtp://user:password@host:port, or smtps://…
 * @param from name and address of the sender
 */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, ...mail }) => {
    // An object, because nodemailer parses a string as a list of addresses.
    await transport.sendMail({ from, to: { name: '', address: to }, ...mail })
  }
}
