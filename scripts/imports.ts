import { dirname, join } from 'node:path/posix'

/** One import as it is written in a file. */
interface Import {
  /** Path from the repository's root when it is ours, else the package as written. */
  target: string
  ours: boolean
  reExport: boolean
  /** `import type`: gone when the program runs. */
  typeOnly: boolean
}

const anyone = ['contract', 'operation', 'errors']
const ground = ['db', 'blobs', 'jobs', 'engines', 'music', 'texts', 'lib']
const roles = ['role', 'policy', 'store', 'lifecycle']
const commandFloors = [
  'command-part',
  'context',
  'app',
  'config',
  'http',
  'oauth',
  'operations',
  'job-registry',
  ...roles,
  ...ground,
  ...anyone,
]
/**
 * Which floor may import which: every file of src/ and web/ stands on exactly one floor. A floor that is not named here, or an
 * arrow that is not drawn here, is not part of the house (docs/architecture.md).
 */
const floors: Record<string, string[]> = {
  main: ['command', 'app', 'config', 'lib', ...anyone],
  command: commandFloors,
  'command-part': commandFloors,
  app: ['context', 'config', 'http', 'oauth', 'operations', 'job-registry', ...ground, ...anyone],
  context: ['config', ...ground, ...anyone],
  http: ['http', 'oauth', 'account', 'config', 'operations', ...roles, ...ground, ...anyone],
  oauth: ['http', 'oauth', 'config', ...roles, ...ground, ...anyone],
  account: ['http', 'oauth', 'account', 'config', ...roles, ...ground, ...anyone],
  operations: ['feature-operation', ...anyone],
  'job-registry': ['job', 'jobs', ...anyone],
  'feature-operation': ['compose', ...roles, ...ground, ...anyone],
  job: [...roles, ...ground, ...anyone],
  compose: [...roles, ...ground, ...anyone],
  role: [...roles, ...ground, ...anyone],
  policy: [...roles, ...ground, ...anyone],
  store: [...roles, ...ground, ...anyone],
  lifecycle: ['lifecycle', 'lib', 'contract', 'errors'],
  engines: ['engines', 'music', 'lib', 'errors'],
  blobs: ['blobs', 'db', 'lib', ...anyone],
  jobs: ['jobs', 'db', 'lib', ...anyone],
  db: ['db', 'lib', ...anyone],
  music: ['music', 'lib', 'contract', 'errors'],
  texts: ['texts', 'contract'],
  operation: ['config', ...ground, ...anyone],
  config: ['lib', 'errors'],
  contract: ['lib', ...anyone],
  errors: [],
  lib: ['lib', 'errors'],
  // The pages that run in a browser: of the server, what both say to one another, and the texts.
  web: ['web', 'contract', 'texts'],
}

/** Which features' role files the role files of a feature build on; what those build on is allowed as well. */
const features: Record<string, string[]> = {
  audit: [],
  users: ['audit'],
  apps: ['audit'],
  tasks: [],
  'access-tokens': ['users'],
  idempotency: [],
  sessions: ['access-tokens'],
  organizations: ['sessions'],
  groups: ['organizations'],
  'sign-in-providers': ['users'],
  scores: ['groups'],
  collections: ['score-tracks'],
  classes: ['groups'],
  roster: ['submissions'],
  assignments: ['classes', 'collections'],
  submissions: ['assignments'],
  'submission-comments': ['submissions'],
  'edu-resources': ['assignments'],
  'score-comments': ['scores'],
  'score-tracks': ['scores'],
  'data-rights': ['apps', 'edu-resources', 'score-comments', 'submission-comments', 'tasks'],
}

/** Leaves: who alone may import them. */
const leaves: Record<string, { importers: string[]; rule: string }> = {
  'feature-operation': { importers: ['operations'], rule: 'only src/operations.ts imports an operation' },
  job: { importers: ['job-registry'], rule: 'only src/jobs/registry.ts imports a job handler' },
  command: { importers: ['main'], rule: 'only src/main.ts imports a command' },
  compose: { importers: ['feature-operation'], rule: 'only operations import a compose.ts' },
}

const packages = [
  {
    matches: /^(fastify$|@fastify\/)/,
    floors: ['http', 'oauth', 'account'],
    rule: 'only http/, oauth/ and account/ know the web framework',
  },
  {
    matches: /^kysely(\/|$)/,
    floors: ['db', 'blobs', 'jobs', 'store', 'policy'],
    rule: 'only store.ts and policy.ts of a feature build queries',
  },
]

/** Who builds queries, beside the stores of parts of features below. */
const queryFloors = ['db', 'blobs', 'jobs', 'store', 'policy']

/** Files that are the store of one part of a feature, and are called after that: its other tables, or its lists. */
const partStores: readonly string[] = [
  'access-tokens/authorizations',
  'assignments/attached',
  'data-rights/own-lists',
  'organizations/invitations',
  'organizations/members',
  'scores/collection-scores',
  'scores/counters',
  'scores/due',
  'scores/grants',
  'scores/likes',
  'scores/revisions',
  'scores/views',
  'sessions/attempts',
  'sessions/email-verifications',
  'sessions/pending-sign-ins',
  'sessions/second-factors',
  'submissions/attached',
  'submissions/history',
  'submissions/packed',
  'submissions/roster',
]

/** How a query begins in the builder, in the way the formatter writes it. */
const queryStart = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(/

function mayQuery(file: string): boolean {
  const [, part = ''] = /^src\/features\/(.+)\.ts$/.exec(file) ?? []
  return queryFloors.includes(floorOf(file)) || partStores.includes(part) || /\/lists$/.test(part)
}

/**
 * The arrows that break the rules of the house.
 * @param files path from the repository's root (`src/…`) → the text of the file
 * @returns one line a violation, `file → file: rule`, in the order of the paths
 */
export function brokenArrows(files: ReadonlyMap<string, string>): string[] {
  const broken: string[] = []
  const graph = new Map<string, string[]>()
  for (const [file, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (isTest(file)) continue
    const report = (target: string, rule: string) => broken.push(`${file} → ${target}: ${rule}`)
    const floor = floorOf(file)
    if (!(floor in floors)) report(file, 'no floor of the house; draw it in scripts/imports.ts')
    if (floor === 'feature-operation') {
      const test = file.replace(/\.ts$/, '.test.ts')
      if (!files.has(test)) report(test, 'an operation has its test beside it')
    }
    if (queryStart.test(text) && !mayQuery(file)) {
      report(
        file,
        'only a store.ts, lists.ts or policy.ts, or the store of a part (scripts/imports.ts), builds queries',
      )
    }
    const imports = importsOf(file, text)
    graph.set(
      file,
      imports.filter(({ ours, typeOnly }) => ours && !typeOnly).map(({ target }) => target),
    )
    for (const { target, ours, reExport } of imports) {
      if (reExport) report(target, 'no barrels: import from where it is written')
      const rule = ours ? ruleBroken(file, target) : packageRuleBroken(floor, target)
      if (rule) report(target, rule)
    }
  }
  return [...broken, ...cycles(graph)]
}

const importStatement = /^import\s+(?<typeOnly>type\s+)?(?:[\w$*{},\s]*?\sfrom\s+)?['"](?<specifier>[^'"]+)['"]/gm
const reExportStatement =
  /^(?<reExport>export)\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s+from\s+['"](?<specifier>[^'"]+)['"]/gm
const importCall = /\bimport\(\s*['"](?<specifier>[^'"]+)['"]/g

/** Imports in the way the formatter writes them: a statement begins its line. */
function importsOf(file: string, text: string): Import[] {
  const matches = [importStatement, reExportStatement, importCall].flatMap((pattern) => [...text.matchAll(pattern)])
  return matches.map(({ groups: { specifier = '', typeOnly, reExport } = {} }) => {
    const ours = specifier.startsWith('.')
    const target = ours ? join(dirname(file), specifier) : specifier
    return { target, ours, reExport: Boolean(reExport), typeOnly: Boolean(typeOnly) }
  })
}

function ruleBroken(file: string, target: string): string | undefined {
  // The look that all pages share is written with those of the server.
  if (file.startsWith('web/') && target === 'src/http/page.css') return undefined
  if (file.startsWith('src/') && !target.startsWith('src/')) return 'src/ imports nothing from outside of it'
  if (isTest(target)) return 'only tests import a test'
  const from = floorOf(file)
  const to = floorOf(target)
  const leaf = leaves[to]
  if (leaf && !leaf.importers.includes(from)) return leaf.rule
  if (floors[from] && !floors[from].includes(to)) return `${from} does not import ${to}`
  const feature = featureOf(file)
  const other = featureOf(target)
  if (roles.includes(from) && feature && other && feature !== other && !foundations(feature).has(other)) {
    return `role files of ${feature} do not build on ${other}`
  }
  return undefined
}

function packageRuleBroken(floor: string, name: string): string | undefined {
  return packages.find(({ matches, floors }) => matches.test(name) && !floors.includes(floor))?.rule
}

function floorOf(file: string): string {
  if (file === 'src/jobs/registry.ts') return 'job-registry'
  // A command is one word; what commands share or are made of has a hyphen or a folder.
  if (/^src\/commands\/[a-z]+\.ts$/.test(file)) return 'command'
  if (file.startsWith('web/')) return 'web'
  if (file.startsWith('src/commands/')) return 'command-part'
  if (file.endsWith('.job.ts')) return 'job'
  const [, first = '', ...rest] = file.split('/')
  const name = (rest.at(-1) ?? first).replace(/\.ts$/, '')
  if (first !== 'features') return first.replace(/\.ts$/, '')
  if (/^[a-z]+[A-Z]/.test(name)) return 'feature-operation'
  return ['compose', 'policy', 'store', 'lifecycle'].includes(name) ? name : 'role'
}

function featureOf(file: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(file)?.[1]
}

function foundations(feature: string): Set<string> {
  const direct = features[feature] ?? []
  return new Set(direct.flatMap((one) => [one, ...foundations(one)]))
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts')
}

/** One line a cycle: the way round, found depth first. Types may refer to one another. */
function cycles(graph: ReadonlyMap<string, string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) found.push(`${[...path.slice(start), file].join(' → ')}: no cycles`)
    if (start >= 0 || done.has(file)) return
    for (const target of graph.get(file) ?? []) walk(target, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return found
}
