import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  /** Plain text. */
  text: string
}

export interface Mailer {
  /** Sends a mail. Rejects if the mail server does not accept it or does not respond within 30 seconds. */
  send(mail: Mail): Promise<void>
  /** Closes the connections that are kept for the next mails. */
  close(): void
}

const timeout = 30_000
/** Shorter than `timeout`, so that a kept connection ends with a QUIT. */
const idleTimeout = 20_000

/**
 * Creates a mailer that uses an SMTP server.
 * @param url smtp://user:password@host:port, or smtps://…
 * @param from name and address of the sender
 */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    // A kept connection saves the next mail the greetings and the sign-in.
    pool: true,
    idleTimeout,
    // A failed job is retried with its own backoff.
    maxRequeues: 1,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, ...mail }) {
      // An object, because nodemailer parses a string as a list of addresses.
      await transport.sendMail({ from, to: { name: '', address: to }, ...mail })
    },
    close: () => transport.close(),
  }
}
