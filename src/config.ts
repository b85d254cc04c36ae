import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { formatBytes, parseBytes } from './lib/byte-size.ts'
import { parseKeys } from './lib/secret-keys.ts'
import { parseAllowedHosts } from './lib/allowed-hosts.ts'

/** One setting: its name, its default, and how its text is parsed. */
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
const asOptionalPath = (text: string) => (text === '' ? undefined : resolve(text))

const asInteger = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || value < min || value > max) {
    throw new RangeError(`expected a whole number from ${min} to ${max}, got "${text}"`)
  }
  return value
}

/** Several users share the engines, so there are at least two. Each core serves one engine, but the memory is limited as well. */
const asEngineProcesses = (text: string) =>
  text === 'cores' ? Math.min(Math.max(availableParallelism(), 2), 16) : asInteger(1, 64)(text)

const asBytes = (min: number) => (text: string) => {
  const bytes = parseBytes(text)
  if (bytes === undefined || bytes < min) {
    throw new RangeError(
      `expected a size of at least ${formatBytes(min)}, such as 500MiB or 2GiB, got "${text}"`,
    )
  }
  return bytes
}

const asOptionalPort = (text: string) => (text === '' ? undefined : asInteger(1, 65_535)(text))

const asSwitch = (text: string) => {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  if (/^(0|false|no|off|)$/i.test(text)) return false
  throw new RangeError(`expected true or false, got "${text}"`)
}

const asOneOf =
  <const Values extends readonly string[]>(...values: Values) =>
  (text: string): Values[number] => {
    if (!values.includes(text)) throw new RangeError(`expected one of ${values.join(', ')}, got "${text}"`)
    return text
  }

const asTimeZone = (text: string) => {
  if (text === '') return new Intl.DateTimeFormat().resolvedOptions().timeZone
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    throw new RangeError(`expected a time zone such as Europe/Berlin, got "${text}"`)
  }
}

const asBaseUrl = (text: string) => {
  if (text === '') return undefined
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new RangeError(`expected an http or https address, got "${text}"`)
  }
  return text.replace(/\/+$/, '')
}

/** Origins (RFC 6454) as they stand in a Content-Security-Policy. */
const asOrigins = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one) => {
      const url = URL.parse(one)
      if (!url || !/^https?:$/.test(url.protocol) || url.origin !== one.replace(/\/$/, ''))
        throw new RangeError(`expected origins such as https://media.example.com, got "${text}"`)
      return url.origin
    })

const asSmtpUrl = (text: string) => {
  if (text === '') return undefined
  if (!/^smtps?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new RangeError('expected an smtp or smtps address')
  return text
}

/** Returns the sources of a directive `frame-ancestors`. */
const asSites = (text: string): readonly string[] => {
  const sites = text.split(/\s+/).filter(Boolean)
  const wrong = sites.find((site) => site !== '*' && !/^https?:\/\/(\*\.)?[\w.-]+(:\d+)?$/.test(site))
  if (wrong !== undefined) {
    throw new RangeError(`expected * or addresses such as https://school.example, got "${wrong}"`)
  }
  return ["'self'", ...sites]
}

/** All settings, in the order in which `partita config` prints them. */
export const settings = {
  host: setting('HOST', '127.0.0.1', 'Address to listen on', asText),
  port: setting('PORT', '3000', 'Port to listen on; 0 selects a free port', asInteger(0, 65_535)),
  adminHost: setting(
    'ADMIN_HOST',
    '127.0.0.1',
    'Address to listen on for /metrics and the command status; they need no sign-in, so it must not be public',
    asText,
  ),
  adminPort: setting(
    'ADMIN_PORT',
    '',
    'Port of /metrics and the command status, such as 9464; off if empty',
    asOptionalPort,
  ),
  publicUrl: setting('PUBLIC_URL', '', 'Public address of the server; http://HOST:PORT if empty', asBaseUrl),
  trustProxy: setting(
    'TRUST_PROXY',
    '',
    'Addresses or networks of trusted proxies, separated by commas; their X-Forwarded-For is used',
    asOptionalText,
  ),
  dataDir: setting('DATA_DIR', './data', 'Directory of the SQLite database file and of large blobs', asPath),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'postgres://… for PostgreSQL; SQLite in DATA_DIR if empty',
    asOptionalText,
  ),
  durability: setting(
    'DURABILITY',
    'full',
    'full syncs every commit to disk; off is for tests, and the server refuses it',
    asOneOf('full', 'off'),
  ),
  role: setting(
    'ROLE',
    'all',
    'What this process does: api, worker, or all',
    asOneOf('api', 'worker', 'all'),
  ),
  rateLimitAnonymous: setting(
    'RATE_LIMIT_ANONYMOUS',
    '1800',
    'Requests per hour and network address without a token',
    asInteger(0, 1_000_000_000),
  ),
  rateLimitAuthenticated: setting(
    'RATE_LIMIT_AUTHENTICATED',
    '7200',
    'Requests per hour and account',
    asInteger(0, 1_000_000_000),
  ),
  bodyMemory: setting(
    'BODY_MEMORY',
    '256',
    'MiB of memory for request bodies above 64 KiB, at most a quarter for one account; requests beyond it get 503 with Retry-After',
    asInteger(16, 1_048_576),
  ),
  openTasks: setting(
    'OPEN_TASKS',
    '20',
    'Maximum number of unfinished imports and exports of an account',
    asInteger(1, 10_000),
  ),
  exportCache: setting(
    'EXPORT_CACHE',
    '5GiB',
    'Size of the cache of exported files; the least recently used are deleted and created again on request',
    asBytes(0),
  ),
  paper: setting(
    'PAPER',
    'a4',
    'Paper of printed scores that have no page layout: a4 or letter',
    asOneOf('a4', 'letter'),
  ),
  accountStorage: setting(
    'ACCOUNT_STORAGE',
    '2GiB',
    'Storage quota of an account without a quota of its own; 0 means unlimited',
    asBytes(0),
  ),
  organizationStorage: setting(
    'ORGANIZATION_STORAGE',
    '50GiB',
    'Storage quota of an organization without a quota of its own; 0 means unlimited',
    asBytes(0),
  ),
  invitationDays: setting(
    'INVITATION_DAYS',
    '14',
    'Days for which an invitation to an organization, score or collection can be accepted',
    asInteger(1, 3650),
  ),
  auditDays: setting(
    'AUDIT_DAYS',
    '365',
    'Days for which audit log entries are stored',
    asInteger(1, 36_500),
  ),
  trashDays: setting(
    'TRASH_DAYS',
    '30',
    'Days for which a deleted score stays in the trash',
    asInteger(0, 3650),
  ),
  passwordLength: setting(
    'PASSWORD_LENGTH',
    '8',
    'Minimum number of characters of new passwords',
    asInteger(6, 1000),
  ),
  administratorPasswordLength: setting(
    'ADMINISTRATOR_PASSWORD_LENGTH',
    '12',
    'Minimum number of characters of new passwords of administrators of organizations',
    asInteger(6, 1000),
  ),
  signUp: setting('SIGN_UP', 'false', 'Allow visitors to create individual accounts', asSwitch),
  smtpUrl: setting(
    'SMTP_URL',
    '',
    'smtp://user:password@host:port or smtps://… of the mail server; no mail is sent if empty',
    asSmtpUrl,
  ),
  mailFrom: setting('MAIL_FROM', 'Partita <partita@localhost>', 'Sender address of mails', asText),
  timeZone: setting(
    'TIME_ZONE',
    '',
    'Time zone in which days begin and mails about notifications are sent, such as Europe/Berlin; that of the system if empty',
    asTimeZone,
  ),
  embedSites: setting(
    'EMBED_SITES',
    '*',
    'Sites that may show public scores, and scores shared by a link, in a frame: * for any, or addresses such as https://school.example, separated by spaces; if empty, none but this one',
    asSites,
  ),
  secretsKey: setting(
    'SECRETS_KEY',
    '',
    'Key that encrypts stored secrets of webhooks, authenticator apps and sign-in providers: 32 bytes in base64; to change it, put the new one before it, separated by a comma, and run ' +
      '`partita secrets encrypt`; if empty, the key is in DATA_DIR/secrets.key',
    parseKeys,
  ),
  outgoingAllow: setting(
    'OUTGOING_ALLOW',
    '',
    'Hosts and networks outside of the public web to which webhooks may be sent, also by http, separated by commas, such as lms.school.example,10.0.0.0/8',
    parseAllowedHosts,
  ),
  oauthImplicit: setting(
    'OAUTH_IMPLICIT',
    'false',
    'Allow the OAuth2 implicit flow (response_type=token), which is no longer considered secure',
    asSwitch,
  ),
  linkPreviews: setting(
    'LINK_PREVIEWS',
    'true',
    'Fetch titles and pictures of attached links from YouTube, Vimeo and SoundCloud',
    asSwitch,
  ),
  jobConcurrency: setting(
    'JOB_CONCURRENCY',
    '2',
    'Number of imports, and number of exports, that a worker runs at the same time',
    asInteger(1, 64),
  ),
  engineProcesses: setting(
    'ENGINE_PROCESSES',
    'cores',
    'Processes per notation engine, with one more for pages and thumbnails: a number, or cores for one per processor core, at ' +
      'least 2 and at most 16; each uses up to 1 GB of memory while it works',
    asEngineProcesses,
  ),
  soundFont: setting(
    'SOUNDFONT',
    '',
    'Path of a General MIDI sound font (SF2, SF3 or DLS) for MP3 and WAV; the one that comes with Partita if empty',
    asOptionalPath,
  ),
  recordingOrigins: setting(
    'RECORDING_ORIGINS',
    '',
    'Origins, separated by commas, whose audio files the score page plays as recordings, such as https://media.example.com; ' +
      'recordings at other addresses are links',
    asOrigins,
  ),
  prewarmEngines: setting(
    'PREWARM_ENGINES',
    'false',
    'Start the engines and read the sound font with the server instead of on first use',
    asSwitch,
  ),
  shippedContent: setting(
    'SHIPPED_CONTENT',
    'true',
    'Install the resource library that comes with Partita, and keep it up to date',
    asSwitch,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'Log level: fatal, error, warn, info, debug, trace, or silent',
    asOneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings
type Settings = typeof settings
type ReadSettings = { -readonly [Name in SettingName]: ReturnType<Settings[Name]['read']> }
/** The parsed settings. `publicUrl` is always set and has no trailing slash. */
export type Config = Readonly<Omit<ReadSettings, 'publicUrl'> & { publicUrl: string }>

/** A setting has an invalid value. The message names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The flag of a setting: `--rate-limit-anonymous`. */
export function flagOf(name: SettingName): string {
  return settings[name].name.toLowerCase().replaceAll('_', '-')
}

/**
 * Reads all settings. A flag overrides the environment, which overrides the default.
 * @throws ConfigError if a setting has an invalid value
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
  return { ...config, publicUrl: config.publicUrl ?? addressOf(config.host, config.port) }
}

/** The address of a server at a host and port. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
