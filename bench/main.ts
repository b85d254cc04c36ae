import { parseArgs } from 'node:util'
import { benchRequests } from './requests.ts'
import { benchStages } from './stages.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
    requests: { type: 'boolean' },
    stages: { type: 'boolean' },
  },
})
const everything = !values.requests && !values.stages

if (everything || values.requests) await benchRequests(Number(values.seconds), values.only)
if (everything || values.stages) await benchStages()
