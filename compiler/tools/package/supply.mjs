// What the product is delivered with: the packages that are installed with it and those whose code its bundles may hold, their
// licences, and the advisories that are known of them. Reads the lock file and the sources only.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that let their code be delivered inside of ours, with their text beside it. */
export const FREE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])

/** Licences of libraries that are installed beside ours as they are, and which others may replace. */
const BESIDE = new Set(['LGPL-3.0-or-later'])
/** Advisories of these kinds stop a change. */
const GRAVE = new Set(['high', 'critical'])

const SOURCES = ['compiler', 'runtime', 'server']
const IMPORT = /(?:\bfrom|\bimport\(?|\brequire\()\s*['"]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'"]*)?['"]/g

/**
 * An entry of the lock file.
 * @typedef {{ readonly license?: string, readonly dev?: boolean, readonly dependencies?: Readonly<Record<string, string>>,
 *   readonly optionalDependencies?: Readonly<Record<string, string>>, readonly peerDependencies?: Readonly<Record<string, string>>,
 *   readonly integrity?: string, readonly link?: boolean }} Locked
 * @typedef {{ readonly packages: Readonly<Record<string, Locked>> }} Lock
 */

/**
 * The packages that are delivered, as places in the lock file: those that an installation gets, and all that the sources of the product import,
 * whose code its bundles hold, each with all that it needs.
 * @param {Lock} lock
 * @param {ReadonlySet<string>} imported names of packages
 * @returns {ReadonlySet<string>}
 */
export function delivered({ packages }, imported) {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[''] ?? {}
  // Peers are installed by the site's owner, if at all.
  const bundled = [...imported].filter((name) => !Object.hasOwn(peerDependencies, name))
  const names = [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...bundled]
  /** @type {Set<string>} */
  const found = new Set()
  const waiting = names.map((name) => `node_modules/${name}`)
  for (const place of waiting) {
    const own = packages[place]
    if (own === undefined || found.has(place)) continue
    found.add(place)
    for (const name of Object.keys({ ...own.dependencies, ...own.optionalDependencies })) {
      const nearest = placeOf(packages, place, name)
      if (nearest !== null) waiting.push(nearest)
    }
  }
  return found
}

/**
 * Where a package finds another one, as Node looks for it; null where it is not installed.
 * @param {Lock['packages']} packages
 * @param {string} from
 * @param {string} name
 */
function placeOf(packages, from, name) {
  for (let above = from; ; above = above.slice(0, above.lastIndexOf('/node_modules/'))) {
    if (Object.hasOwn(packages, `${above}/node_modules/${name}`)) return `${above}/node_modules/${name}`
    if (!above.includes('/node_modules/')) break
  }
  return Object.hasOwn(packages, `node_modules/${name}`) ? `node_modules/${name}` : null
}

/**
 * The names of the packages that the sources of the product import.
 * @param {string} root the project's folder
 * @returns {ReadonlySet<string>}
 */
export function importedPackages(root) {
  /** @type {Set<string>} */
  const names = new Set()
  for (const folder of SOURCES)
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      // The tools that pack the product are not delivered.
      if (!/\.(?:ts|tsx|mjs)$/.test(file) || (folder === 'compiler' && /^tools[/\\]package[/\\]/.test(file))) continue
      for (const [, name = ''] of readFileSync(join(root, folder, file), 'utf8').matchAll(IMPORT)) names.add(name)
    }
  return names
}

/**
 * What is wrong with the licences of packages, and with how the lock file names them, one sentence each.
 * @param {Lock} lock
 * @param {ReadonlySet<string>} places
 */
export function licenceFaults({ packages }, places) {
  return [...places].flatMap((place) => {
    const { license, dev, integrity } = packages[place] ?? {}
    const isAllowed = (/** @type {string} */ name) => FREE.has(name) || BESIDE.has(name)
    const choices = (license ?? '').replace(/^\(|\)$/g, '').split(' OR ')
    const faults = []
    // Whose code is really in the bundles is known, and checked, when they are packed (`addLicences`).
    if (dev !== true && !choices.some((each) => each.split(' AND ').every(isAllowed)))
      faults.push(`'${place}' has the licence ${license ?? 'none'}, which is not known to allow that it is delivered.`)
    if (!/^sha512-/.test(integrity ?? '')) faults.push(`'${place}' has no SHA-512 digest in the lock file.`)
    return faults
  })
}

/**
 * The advisories of an answer to `npm audit --json` that concern packages; null when it is an error.
 * @param {unknown} answer
 * @param {ReadonlySet<string>} places
 * @returns {{ readonly grave: readonly string[], readonly others: readonly string[] } | null}
 */
export function advisories(answer, places) {
  if (typeof answer !== 'object' || answer === null || !('auditReportVersion' in answer)) return null
  /** @type {{ readonly auditReportVersion: unknown, readonly vulnerabilities?: Readonly<Record<string, { severity: string, nodes: readonly string[], via: readonly unknown[] }>> }} */
  const { vulnerabilities = {} } = answer
  /** @type {string[]} */
  const grave = []
  /** @type {string[]} */
  const others = []
  for (const [name, { severity, nodes, via }] of Object.entries(vulnerabilities)) {
    if (!nodes.some((place) => places.has(place))) continue
    const titles = via.map((each) => (typeof each === 'object' && each !== null && 'title' in each ? each.title : each))
    const list = GRAVE.has(severity) ? grave : others
    list.push(`${name} (${severity}): ${titles.join('; ')}`)
  }
  return { grave, others }
}
