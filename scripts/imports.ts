import { dirname, join } from 'node:path/posix'

/** An import statement of a file. */
interface Import {
  /** The path from the root of the repository, or the name of a package. */
  target: string
  isOwn: boolean
  reExport: boolean
  /** `import type`, which does not exist at run time. */
  typeOnly: boolean
}

const unrestricted = ['contract', 'actor', 'answer', 'context', 'operation', 'departure', 'errors']
const ground = ['platform', 'engines', 'music', 'texts', 'lib']
const roles = ['role', 'policy', 'store', 'account-export', 'lifecycle']
const appLayers = [
  'create-context',
  'config',
  'admin',
  'http',
  'page',
  'operations',
  'jobs',
  ...roles,
  ...ground,
  ...unrestricted,
]
const commandLayers = ['command-part', 'app', ...appLayers]
/**
 * Which layer may import which. Every file of src/ and web/ belongs to exactly one layer. The picture is in
 * docs/architecture.md.
 */
const layers: Record<string, string[]> = {
  main: ['program'],
  program: ['command', 'config', ...unrestricted],
  command: commandLayers,
  'command-part': commandLayers,
  app: appLayers,
  admin: ['admin', 'config', ...ground, ...unrestricted],
  'create-context': ['config', ...roles, ...ground, ...unrestricted],
  operations: ['feature-operation', ...unrestricted],
  jobs: ['job', ...ground, ...unrestricted],
  page: ['page', 'http', 'config', ...roles, ...ground, ...unrestricted],
  http: ['http', 'config', ...ground, ...unrestricted],
  'feature-operation': ['compose', ...roles, ...ground, ...unrestricted],
  job: [...roles, ...ground, ...unrestricted],
  compose: [...roles, ...ground, ...unrestricted],
  role: [...roles, ...ground, ...unrestricted],
  policy: [...roles, ...ground, ...unrestricted],
  store: [...roles, ...ground, ...unrestricted],
  'account-export': [...roles, ...ground, ...unrestricted],
  lifecycle: ['lifecycle', 'lib', 'contract', 'errors'],
  engines: ['engines', 'music', 'lib', 'errors'],
  platform: ['platform', 'lib', 'contract', 'context', 'errors'],
  music: ['music', 'lib', 'errors'],
  texts: ['texts', 'locales'],
  actor: ['contract'],
  answer: ['platform'],
  // The types of the services that create-context.ts creates.
  context: ['role', 'config', ...ground],
  operation: ['actor', 'answer', 'context', 'contract', 'lib'],
  // The types of the data that the steps get.
  departure: ['store', 'lifecycle', 'platform', ...unrestricted],
  config: ['lib', 'errors'],
  contract: ['contract', 'lib', 'operation'],
  errors: [],
  lib: ['lib', 'errors'],
  // The browser app shares the contract and the texts with the server.
  'web-base': ['web-base', 'contract', 'texts', 'locales'],
  'web-ui': ['web-ui', 'web-base', 'contract', 'texts'],
  // How a score is shown and played, for pages, the embed and the editor.
  'web-score': ['web-score', 'web-ui', 'web-base', 'contract', 'texts'],
  // What the pages of classes, assignments and grading share.
  'web-teaching': ['web-teaching', 'web-ui', 'web-base', 'contract', 'texts'],
  // The editor changes the same documents as the server, with the same functions.
  'web-editor': ['web-editor', 'web-score', 'web-ui', 'web-base', 'contract', 'texts', 'music'],
  'web-feature': [
    'web-feature',
    'web-teaching',
    'web-editor',
    'web-score',
    'web-ui',
    'web-base',
    'contract',
    'texts',
  ],
  // An embed is small: of the app it takes only how a score is shown and played.
  'web-embed': ['web-embed', 'web-score', 'contract'],
  'web-shell': ['web-shell', 'web-feature', 'web-ui', 'web-base', 'contract', 'texts'],
}

/**
 * Which features the role files of a feature may import from. The rule is transitive. Parts of `auth/` count as features.
 */
const features: Record<string, string[]> = {
  'people/events': [],
  'people/audit': ['people/events'],
  'auth/passwords': [],
  'people/users': ['people/audit', 'auth/passwords', 'people/storage'],
  'auth/throttling': ['people/users'],
  'auth/tokens': ['people/users'],
  'people/storage': [],
  'auth/oauth-server': ['auth/tokens', 'people/storage'],
  'auth/providers': ['people/users'],
  'auth/sessions': ['auth/tokens', 'auth/throttling'],
  'auth/passkeys': ['auth/sessions'],
  'auth/second-factor': ['auth/passkeys'],
  'auth/security': ['auth/second-factor'],
  auth: ['auth/security', 'auth/providers'],
  'people/organizations': ['auth/sessions'],
  'people/settings': ['people/organizations', 'people/storage', 'auth/providers', 'auth/security'],
  'people/webhooks': ['people/events', 'people/organizations'],
  'people/groups': ['people/organizations'],
  'people/notifications': ['people/users'],
  'library/tasks': ['people/storage'],
  'library/sharing': ['people/groups'],
  'library/scores': ['library/sharing', 'people/storage'],
  'library/score-comments': ['library/scores'],
  'library/uploads': ['people/storage'],
  'library/tracks': ['library/scores', 'library/uploads'],
  'library/collections': ['library/tracks'],
  'teaching/classes': ['people/groups', 'people/notifications'],
  'teaching/assignments': ['teaching/classes', 'library/collections'],
  'teaching/submissions': ['teaching/assignments'],
  'teaching/submission-comments': ['teaching/submissions'],
  'teaching/saved-comments': ['teaching/classes'],
  'teaching/simple-pages': ['teaching/classes'],
  'teaching/picture-sign-in': ['teaching/classes'],
  'teaching/agenda': ['teaching/submissions'],
  'teaching/resources': ['teaching/assignments'],
  'people/departures': [
    'auth/oauth-server',
    'auth/second-factor',
    'auth/providers',
    'people/webhooks',
    'teaching/resources',
    'teaching/submission-comments',
    'teaching/saved-comments',
    'teaching/picture-sign-in',
    'teaching/agenda',
    'teaching/simple-pages',
    'library/score-comments',
    'library/tasks',
  ],
  'people/roster': ['people/departures'],
  'people/data-rights': ['people/departures'],
}

/** Layers that only the named layers may import. */
const restrictedLayers: Record<string, { importers: string[]; rule: string }> = {
  'feature-operation': { importers: ['operations'], rule: 'only src/operations.ts imports an operation' },
  job: { importers: ['jobs'], rule: 'only src/jobs.ts imports a job handler' },
  command: { importers: ['program'], rule: 'only src/program.ts imports a command' },
  compose: { importers: ['feature-operation'], rule: 'only operations import a compose.ts' },
}

const packages = [
  {
    matches: /^(fastify$|@fastify\/)/,
    allowed: (layer: string, file: string) =>
      layer === 'http' || layer === 'page' || file.startsWith('src/auth/'),
    rule: 'only http/, auth/ and pages import the web framework',
  },
  {
    // The types of Node are visible in web/, because the types of the operations refer to them.
    matches: /^node:/,
    allowed: (layer: string) => !layer.startsWith('web-'),
    rule: 'web/ runs in a browser',
  },
  {
    matches: /^prom-client$/,
    allowed: (layer: string) => layer === 'admin',
    rule: 'only admin/ imports the library of metrics',
  },
  {
    matches: /^kysely(\/|$)/,
    allowed: (layer: string) => queryLayers.includes(layer),
    rule: 'only store.ts and policy.ts of a feature build queries',
  },
]

/** Layers that may build queries. */
const queryLayers = ['platform', 'store', 'policy', 'account-export']

/** The start of a query of the query builder, as the formatter writes it. */
const queryStart = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(/

/**
 * Finds the imports that break the rules.
 * @param files path from the repository's root (`src/…`) → the text of the file
 * @returns one line for each violation, `file → file: rule`, in the order of the paths
 */
export function findViolations(files: ReadonlyMap<string, string>): string[] {
  const broken: string[] = []
  const graph = new Map<string, string[]>()
  for (const [file, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (isTest(file)) continue
    const report = (target: string, rule: string) => broken.push(`${file} → ${target}: ${rule}`)
    const layer = layerOf(file)
    if (!(layer in layers)) report(file, 'no layer of the architecture; add it in scripts/imports.ts')
    if (layer === 'feature-operation') {
      const test = file.replace(/\.ts$/, '.test.ts')
      if (!files.has(test)) report(test, 'an operation has its test beside it')
    }
    if (queryStart.test(text) && !queryLayers.includes(layer)) {
      report(file, 'only a store.ts, *.store.ts, account-export.ts or policy.ts builds queries')
    }
    const imports = importsOf(file, text)
    graph.set(
      file,
      imports.filter(({ isOwn, typeOnly }) => isOwn && !typeOnly).map(({ target }) => target),
    )
    for (const { target, isOwn, reExport, typeOnly } of imports) {
      if (reExport) report(target, 'no barrels: import from where it is written')
      const rule = isOwn ? ruleBroken(file, target, typeOnly) : packageRuleBroken(layer, file, target)
      if (rule) report(target, rule)
    }
  }
  return [...broken, ...cycles(graph)]
}

const importStatement =
  /^import\s+(?<typeOnly>type\s+)?(?:[\w$*{},\s]*?\sfrom\s+)?['"](?<specifier>[^'"]+)['"]/gm
const reExportStatement =
  /^(?<reExport>export)\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s+from\s+['"](?<specifier>[^'"]+)['"]/gm
const importCall = /\bimport\(\s*['"](?<specifier>[^'"]+)['"]/g

/** Returns the imports of a file. The formatter puts each statement at the start of a line. */
function importsOf(file: string, text: string): Import[] {
  const matches = [importStatement, reExportStatement, importCall].flatMap((pattern) => [
    ...text.matchAll(pattern),
  ])
  return matches.map(({ groups: { specifier = '', typeOnly, reExport } = {} }) => {
    const isOwn = specifier.startsWith('.')
    const target = isOwn ? join(dirname(file), specifier) : specifier
    return { target, isOwn, reExport: Boolean(reExport), typeOnly: Boolean(typeOnly) }
  })
}

function ruleBroken(file: string, target: string, typeOnly: boolean): string | undefined {
  // The style sheet of all pages is part of the server.
  if (file.startsWith('web/') && target === 'src/http/page.css') return undefined
  // The client of the browser app imports only types from the registry.
  if (file === 'web/src/app/client.ts' && target === 'src/operations.ts') {
    return typeOnly ? undefined : 'web imports only types of the operations'
  }
  // The export `measureContents` has the same types where it is written and where it is read.
  if (
    file.startsWith('web/src/score/') &&
    /^src\/music\/model\/measure-(?:contents|items)\.ts$/.test(target)
  ) {
    return typeOnly ? undefined : 'web imports only types of the contents of measures'
  }
  const isShared = target.startsWith('src/') || target.startsWith('locales/')
  if (file.startsWith('src/') && !isShared) return 'src/ imports nothing from outside of it'
  if (isTest(target)) return 'only tests import a test'
  const from = layerOf(file)
  const to = layerOf(target)
  const leaf = restrictedLayers[to]
  if (leaf && !leaf.importers.includes(from)) return leaf.rule
  if (file.startsWith('src/auth/') && to === 'http') return undefined
  if (layers[from] && !layers[from].includes(to)) return `${from} does not import ${to}`
  if (from === 'web-feature' && to === 'web-feature' && areaOf(file) !== areaOf(target)) {
    return 'an area of the browser app does not import another area'
  }
  const feature = featureOf(file)
  const other = featureOf(target)
  if (roles.includes(from) && feature && other && feature !== other && !lowerFeatures(feature).has(other)) {
    return `role files of ${feature} do not build on ${other}`
  }
  return undefined
}

function packageRuleBroken(layer: string, file: string, name: string): string | undefined {
  return packages.find(({ matches, allowed }) => matches.test(name) && !allowed(layer, file))?.rule
}

function layerOf(file: string): string {
  // The file name of a command is one word. Shared files have a hyphen in their name or are in a folder.
  if (/^src\/commands\/[a-z]+\.ts$/.test(file)) return 'command'
  if (file.startsWith('web/src/ui/')) return 'web-ui'
  if (file.startsWith('web/src/score/')) return 'web-score'
  if (file.startsWith('web/src/teaching/')) return 'web-teaching'
  if (file.startsWith('web/src/editor/')) return 'web-editor'
  if (file.startsWith('web/src/embed/')) return 'web-embed'
  if (file.startsWith('web/src/features/')) return 'web-feature'
  if (/^web\/src\/app\/(area-pages|client|progress-request|queries|router|session-end|texts)\./.test(file))
    return 'web-base'
  if (file.startsWith('web/')) return 'web-shell'
  if (file.startsWith('locales/')) return 'locales'
  if (file.startsWith('src/commands/')) return 'command-part'
  if (file.endsWith('.job.ts')) return 'job'
  const [, first = '', ...rest] = file.split('/')
  const name = (rest.at(-1) ?? first).replace(/\.ts$/, '')
  if (first === 'features' || first === 'auth') {
    if (/^[a-z]+[A-Z]/.test(name)) return 'feature-operation'
    if (/^src\/auth\/(pages\/|oauth-server\/[^/]+$)/.test(file)) return 'page'
    if (name.endsWith('.store')) return 'store'
    return ['compose', 'policy', 'store', 'account-export', 'lifecycle'].includes(name) ? name : 'role'
  }
  if (first === 'web-app') return 'page'
  return first.replace(/\.ts$/, '')
}

/** `people/users`, `auth/sessions`; `auth` for files directly in that folder. */
function featureOf(file: string): string | undefined {
  const [, feature, auth] = /^src\/(?:features\/([^/]+\/[^/]+)\/|(auth\/[^/]+)\/)/.exec(file) ?? []
  return feature ?? auth ?? (file.startsWith('src/auth/') ? 'auth' : undefined)
}

/** The area of the browser app: `apps` for `web/src/features/apps/app-page.tsx`. */
function areaOf(file: string): string | undefined {
  return /^web\/src\/features\/([^/]+)\//.exec(file)?.[1]
}

function lowerFeatures(feature: string): Set<string> {
  const direct = features[feature] ?? []
  return new Set(direct.flatMap((feature) => [feature, ...lowerFeatures(feature)]))
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts')
}

/** Finds import cycles by a depth-first search. Returns one line for each cycle. Type imports may form cycles. */
function cycles(graph: ReadonlyMap<string, string[]>): string[] {
  const cycles: string[] = []
  const visited = new Set<string>()
  const walk = (file: string, path: string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) cycles.push(`${[...path.slice(start), file].join(' → ')}: no cycles`)
    if (start >= 0 || visited.has(file)) return
    for (const target of graph.get(file) ?? []) walk(target, [...path, file])
    visited.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return cycles
}
