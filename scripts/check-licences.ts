import lock from '../package-lock.json' with { type: 'json' }
import { licencesOf } from './licences.ts'

const dependencies = licencesOf(lock.packages)
const unfit = dependencies.filter(({ fits }) => !fits)

for (const { name, version, licence, isForDevelopment } of dependencies)
  console.log(`${name} ${version}  ${licence}${isForDevelopment ? '  (development)' : ''}`)
for (const { name, version, licence } of unfit)
  console.error(`${name} ${version}: the licence "${licence}" is not known to fit AGPL-3.0-or-later`)
console.log(`${dependencies.length} dependencies, ${unfit.length} with a licence that does not fit`)
if (unfit.length > 0) process.exitCode = 1
