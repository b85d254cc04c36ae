import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  /** Plain text. */
  text: string
  /**
   * The address that stops mails of this kind: a page for readers, and for the programs of receivers a POST that stops them at once
   * (RFC 2369, RFC 8058). Undefined for mails that answer an action of the user.
   */
  unsubscribe?: string
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
    async send({ to, unsubscribe, ...mail }) {
      const headers = unsubscribe === undefined ? undefined : bulkHeaders(unsubscribe)
      // An object, because nodemailer parses a string as a list of addresses.
      await transport.sendMail({ from, to: { name: '', address: to }, ...mail, ...(headers && { headers }) })
    },
    close: () => transport.close(),
  }
}

const bulkHeaders = (unsubscribe: string): Record<string, string> => ({
  'List-Unsubscribe': `<${unsubscribe}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  // Programs that answer mails, such as notices of absence, answer none of these (RFC 3834).
  'Auto-Submitted': 'auto-generated',
})
