import { resolve } from 'node:path'

/** One setting: where it comes from, what it is without, and how its text is read. */
interface Setting<Value> {
  /** Name in the environment; the flag is the same in kebab-case: PORT and --port. */
  name: string
  default: string
  description: string
  read(text: string): Value
}

function setting<Value>(name: string, fallback: string, description: string, read: (text: string) => Value) {
  return { name, default: fallback, description, read } satisfies Setting<Value>
}

const asText = (text: string) => text
const asOptionalText = (text: string) => (text === '' ? undefined : text)
const asPath = (text: string) => resolve(text)

const asInteger = (least: number, most: number) => (text: string) => {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || value < least || value > most) {
    throw new RangeError(`a whole number from ${least} to ${most} is expected, not "${text}"`)
  }
  return value
}

const asSwitch = (text: string) => {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  if (/^(0|false|no|off|)$/i.test(text)) return false
  throw new RangeError(`true or false is expected, not "${text}"`)
}

const asOneOf =
  <const Values extends readonly string[]>(...values: Values) =>
  (text: string): Values[number] => {
    if (!values.includes(text)) throw new RangeError(`one of ${values.join(', ')} is expected, not "${text}"`)
    return text
  }

const asBaseUrl = (text: string) => {
  if (text === '') return undefined
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new RangeError(`an http or https address is expected, not "${text}"`)
  }
  return text.replace(/\/+$/, '')
}

const asSmtpUrl = (text: string) => {
  if (text === '') return undefined
  if (!/^smtps?:$/.test(URL.parse(text)?.protocol ?? '')) throw new RangeError('an smtp or smtps address is expected')
  return text
}

/** Every setting there is. Order is the order in which `partita config` prints them. */
export const settings = {
  host: setting('HOST', '127.0.0.1', 'Address to listen on', asText),
  port: setting('PORT', '3000', 'Port to listen on; 0 takes a free one', asInteger(0, 65_535)),
  publicUrl: setting(
    'PUBLIC_URL',
    '',
    'Address under which people reach the server; http://HOST:PORT if empty',
    asBaseUrl,
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    '',
    'Addresses or networks of the proxies whose X-Forwarded-For is believed, separated by commas',
    asOptionalText,
  ),
  dataDir: setting('DATA_DIR', './data', 'Folder of the database file and of large blobs', asPath),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'postgres://… to use PostgreSQL; SQLite in DATA_DIR if empty',
    asOptionalText,
  ),
  role: setting('ROLE', 'all', 'What this process does: api, worker, or all', asOneOf('api', 'worker', 'all')),
  rateLimitAnonymous: setting(
    'RATE_LIMIT_ANONYMOUS',
    '1800',
    'Requests an hour for an address without a token',
    asInteger(0, 1_000_000_000),
  ),
  rateLimitAuthenticated: setting(
    'RATE_LIMIT_AUTHENTICATED',
    '7200',
    'Requests an hour for an account',
    asInteger(0, 1_000_000_000),
  ),
  bodyMemory: setting(
    'BODY_MEMORY',
    '256',
    'MiB of request bodies above 1 MiB that are held at the same time; what goes beyond is asked to come again',
    asInteger(16, 1_048_576),
  ),
  exportDays: setting(
    'EXPORT_DAYS',
    '30',
    'Days that a file which an engine made of a score is kept; afterwards it is made again when it is asked for',
    asInteger(1, 3650),
  ),
  auditDays: setting('AUDIT_DAYS', '365', 'Days for which the audit log is kept', asInteger(1, 36_500)),
  trashDays: setting('TRASH_DAYS', '30', 'Days that a deleted score stays in the trash', asInteger(0, 3650)),
  signUp: setting('SIGN_UP', 'false', 'Let anybody make an individual account on a page', asSwitch),
  smtpUrl: setting(
    'SMTP_URL',
    '',
    'smtp://user:password@host:port or smtps://… to send mails by; none are sent if empty',
    asSmtpUrl,
  ),
  mailFrom: setting('MAIL_FROM', 'Partita <partita@localhost>', 'From whom mails come', asText),
  oauthImplicit: setting(
    'OAUTH_IMPLICIT',
    'false',
    'Let apps have access tokens by the implicit flow (response_type=token), which is no longer thought safe',
    asSwitch,
  ),
  linkPreviews: setting(
    'LINK_PREVIEWS',
    'true',
    'Ask YouTube, Vimeo and SoundCloud for the titles and pictures of links to them that teachers attach',
    asSwitch,
  ),
  jobConcurrency: setting('JOB_CONCURRENCY', '2', 'Jobs that a worker runs at the same time', asInteger(1, 64)),
  engineProcesses: setting(
    'ENGINE_PROCESSES',
    '1',
    'Processes for each kind of notation engine; each takes up to 1 GB while it works',
    asInteger(1, 64),
  ),
  prewarmEngines: setting(
    'PREWARM_ENGINES',
    'false',
    'Start the engines with the server rather than when they are first needed',
    asSwitch,
  ),
  shippedContent: setting(
    'SHIPPED_CONTENT',
    'true',
    'Fill the library that comes with Partita, and keep it up to date',
    asSwitch,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'What is logged: fatal, error, warn, info, debug, trace, or silent',
    asOneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings
type Settings = typeof settings
type ReadSettings = { -readonly [Name in SettingName]: ReturnType<Settings[Name]['read']> }
/** The settings as read; `publicUrl` is always there and has no slash at its end. */
export type Config = Readonly<Omit<ReadSettings, 'publicUrl'> & { publicUrl: string }>

/** A setting that cannot be used; the message names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The flag of a setting: `--rate-limit-anonymous`. */
export function flagOf(name: SettingName): string {
  return settings[name].name.toLowerCase().replaceAll('_', '-')
}

/**
 * Reads every setting once: a flag before the environment before the default.
 * @throws ConfigError when one of them cannot be used.
 */
export function readConfig(
  flags: Partial<Record<SettingName, string>> = {},
  environment: NodeJS.ProcessEnv = process.env,
): Config {
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(settings) as SettingName[]) {
    const { name: variable, default: fallback, read } = settings[name]
    try {
      values[name] = read(flags[name] ?? environment[variable] ?? fallback)
    } catch (error) {
      throw new ConfigError(`${variable}: ${(error as Error).message}`)
    }
  }
  const config = values as ReadSettings
  return { ...config, publicUrl: config.publicUrl ?? defaultPublicUrl(config.host, config.port) }
}

/** Where a server that was told nothing else is reached. */
function defaultPublicUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
