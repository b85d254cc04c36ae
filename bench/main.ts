import { parseArgs } from 'node:util'
import { benchFairness } from './fair.ts'
import { benchFlood } from './flood.ts'
import { benchKills } from './kill.ts'
import { benchRequests } from './requests.ts'
import { benchShares } from './shares.ts'
import { benchStages } from './stages.ts'
import { benchStorage } from './storage.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
    requests: { type: 'boolean' },
    stages: { type: 'boolean' },
    shares: { type: 'boolean' },
    flood: { type: 'boolean' },
    fair: { type: 'boolean' },
    kill: { type: 'string' },
    storage: { type: 'boolean' },
    rounds: { type: 'string', default: '10' },
  },
})
const everything = !['requests', 'stages', 'shares', 'flood', 'fair', 'kill', 'storage'].some(
  (name) => name in values,
)

if (everything || values.requests) await benchRequests(Number(values.seconds), values.only)
if (everything || values.stages) await benchStages()
if (everything || values.shares) await benchShares(Number(values.seconds))
if (everything || values.flood) await benchFlood(Number(values.seconds))
if (everything || values.fair) await benchFairness(Number(values.rounds), values.only)
if (values.kill) await benchKills(Number(values.kill), values.only)
if (values.storage) await benchStorage(60)
