// Checks the licences and the known advisories of the packages that are delivered. A registry that does not offer this check stops nothing.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { advisories, delivered, importedPackages, licenceFaults } from '../compiler/tools/package/supply.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const places = delivered(lock, importedPackages(root))

const faults = [...licenceFaults(lock, places)]
const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only', '--fetch-retries=1'], {
  cwd: root,
  encoding: 'utf8',
  timeout: 60_000,
  shell: process.platform === 'win32',
})
const known = advisories(parsed(stdout), places)
if (known === null) console.log('The registry of npm answers no question about advisories here: they were not checked')
else {
  for (const each of known.others) console.log(`Advisory, not grave: ${each}`)
  faults.push(...known.grave.map((each) => `Advisory: ${each}`))
}
for (const each of faults) console.error(each)
if (faults.length > 0) process.exit(1)
console.log(`The licences of ${places.size} packages that are delivered were checked`)

/** Null for text that is not JSON, such as an empty one. */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
