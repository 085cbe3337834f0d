// Checks the licenses and known advisories of the delivered packages. A registry without advisories does not fail the check.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { advisories, deliveredPackages, importedPackages, licenceFaults } from '../compiler/tools/package/supply.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const places = deliveredPackages(lock, importedPackages(root))

const faults = [...licenceFaults(lock, places)]
const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only', '--fetch-retries=1'], {
  cwd: root,
  encoding: 'utf8',
  timeout: 60_000,
  shell: process.platform === 'win32',
})
const known = advisories(parseJson(stdout), places)
if (known === null) console.log('Advisories were not checked, because the npm registry returned none')
else {
  for (const each of known.others) console.log(`Advisory of low severity: ${each}`)
  faults.push(...known.grave.map((each) => `Advisory: ${each}`))
}
for (const each of faults) console.error(each)
if (faults.length > 0) process.exit(1)
console.log(`Checked the licenses of ${places.size} delivered packages`)

/** Parses JSON; returns null for other text, such as an empty one. */
function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
