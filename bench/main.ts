import { parseArgs } from 'node:util'
import { benchFairness } from './fair.ts'
import { benchFlood } from './flood.ts'
import { benchKills } from './kill.ts'
import { benchPages } from './pages.ts'
import { benchRequests } from './requests.ts'
import { benchSchoolDay } from './school-day.ts'
import { benchShared } from './shared.ts'
import { benchShares } from './shares.ts'
import { benchSearch } from './search.ts'
import { benchSoak } from './soak.ts'
import { benchStages } from './stages.ts'
import { benchStorage } from './storage.ts'
import { benchWebhooks } from './webhooks.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
    requests: { type: 'boolean' },
    stages: { type: 'boolean' },
    shares: { type: 'boolean' },
    shared: { type: 'boolean' },
    search: { type: 'boolean' },
    soak: { type: 'boolean' },
    minutes: { type: 'string', default: '5' },
    flood: { type: 'boolean' },
    fair: { type: 'boolean' },
    kill: { type: 'string' },
    webhooks: { type: 'string' },
    storage: { type: 'boolean' },
    pages: { type: 'boolean' },
    school: { type: 'boolean' },
    repeats: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '10' },
  },
})
/** The benchmarks that take longer than the others run only by their name. */
const names = [
  'requests',
  'stages',
  'shares',
  'shared',
  'search',
  'flood',
  'fair',
  'kill',
  'webhooks',
  'storage',
  'soak',
  'pages',
  'school',
]
const everything = !names.some((name) => name in values)

if (everything || values.requests) await benchRequests(Number(values.seconds), values.only)
if (everything || values.stages) await benchStages()
if (everything || values.shares) await benchShares(Number(values.seconds))
if (everything || values.shared) await benchShared(Number(values.seconds))
if (everything || values.flood) await benchFlood(Number(values.seconds))
if (everything || values.fair) await benchFairness(Number(values.rounds), values.only)
if (values.kill) await benchKills(Number(values.kill), values.only)
if (values.webhooks) await benchWebhooks(Number(values.webhooks))
if (values.search) await benchSearch(Number(values.seconds))
if (values.soak) await benchSoak(60 * Number(values.minutes))
if (values.storage) await benchStorage(60)
if (values.pages) await benchPages(Number(values.repeats), values.only)
if (values.school) await benchSchoolDay()
