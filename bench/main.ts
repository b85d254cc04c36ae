import { parseArgs } from 'node:util'
import { benchFlood } from './flood.ts'
import { benchRequests } from './requests.ts'
import { benchShares } from './shares.ts'
import { benchStages } from './stages.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
    requests: { type: 'boolean' },
    stages: { type: 'boolean' },
    shares: { type: 'boolean' },
    flood: { type: 'boolean' },
  },
})
const everything = !values.requests && !values.stages && !values.shares && !values.flood

if (everything || values.requests) await benchRequests(Number(values.seconds), values.only)
if (everything || values.stages) await benchStages()
if (everything || values.shares) await benchShares(Number(values.seconds))
if (everything || values.flood) await benchFlood(Number(values.seconds))
