// The supply chain of the product: packages that are installed with it or bundled, their licenses, and known advisories. Reads only the
// lock file and the sources.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licenses that allow bundling if their text is included. */
export const BUNDLED_LICENSES = new Set([
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

/** Licenses of libraries that are installed unchanged next to the product, and that users may replace. */
const INSTALLED_LICENSES = new Set(['LGPL-3.0-or-later'])
/** Severities of advisories that fail the check. */
const SEVERE = new Set(['high', 'critical'])

const SOURCES = ['compiler', 'runtime', 'server']
const IMPORT = /(?:\bfrom|\bimport\(?|\brequire\()\s*['"]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'"]*)?['"]/g

/**
 * An entry of the lock file.
 * @typedef {{ readonly license?: string, readonly dev?: boolean, readonly dependencies?: Readonly<Record<string, string>>,
 *   readonly optionalDependencies?: Readonly<Record<string, string>>, readonly peerDependencies?: Readonly<Record<string, string>>,
 *   readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>, readonly devOptional?: boolean,
 *   readonly optional?: boolean, readonly peer?: boolean, readonly os?: readonly string[], readonly cpu?: readonly string[],
 *   readonly libc?: readonly string[], readonly integrity?: string, readonly link?: boolean }} Locked
 * @typedef {{ readonly packages: Readonly<Record<string, Locked>> }} Lock
 */

/**
 * Returns the delivered packages as paths in the lock file: those that an installation gets, those that the product's sources import, and
 * all of their dependencies.
 * @param {Lock} lock
 * @param {ReadonlySet<string>} imported names of packages
 * @returns {ReadonlySet<string>}
 */
export function deliveredPackages({ packages }, imported) {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[''] ?? {}
  // Peer dependencies are optional, and the site's owner installs them.
  const bundled = [...imported].filter((name) => !Object.hasOwn(peerDependencies, name))
  const names = [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...bundled]
  return withDependencies({ packages }, names)
}

/**
 * Returns packages and all of their dependencies, as paths in the lock file.
 * @param {Lock} lock
 * @param {readonly string[]} names names of packages that the project itself has
 * @param {{ readonly peers?: boolean, readonly optional?: boolean }} [kinds] whether peers that a package cannot do without count too, and
 * optional dependencies
 * @returns {ReadonlySet<string>}
 */
export function withDependencies({ packages }, names, { peers = false, optional = true } = {}) {
  /** @type {Set<string>} */
  const foundNames = new Set()
  const waiting = names.map((name) => `node_modules/${name}`)
  for (const place of waiting) {
    const own = packages[place]
    if (own === undefined || foundNames.has(place)) continue
    foundNames.add(place)
    const { peerDependencies = {}, peerDependenciesMeta = {} } = own
    const neededPeers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
    const needed = Object.keys({ ...own.dependencies, ...(optional ? own.optionalDependencies : {}) })
    for (const name of [...needed, ...(peers ? neededPeers : [])]) {
      const nearest = placeOf(packages, place, name)
      if (nearest !== null) waiting.push(nearest)
    }
  }
  return foundNames
}

/**
 * Returns the path where a package finds another one, by Node's lookup rules; null if it is not installed.
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
 * Returns the names of the packages that the product's sources import.
 * @param {string} root the project's folder
 * @returns {ReadonlySet<string>}
 */
export function importedPackages(root) {
  /** @type {Set<string>} */
  const names = new Set()
  for (const folder of SOURCES)
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      // The packaging tools are not delivered.
      if (!/\.(?:ts|tsx|mjs)$/.test(file) || (folder === 'compiler' && /^tools[/\\]package[/\\]/.test(file))) continue
      for (const [, name = ''] of readFileSync(join(root, folder, file), 'utf8').matchAll(IMPORT)) names.add(name)
    }
  return names
}

/**
 * Reports problems with the licenses and digests of packages in the lock file, one sentence each.
 * @param {Lock} lock
 * @param {ReadonlySet<string>} places
 */
export function licenceFaults({ packages }, places) {
  return [...places].flatMap((place) => {
    const { license, dev, integrity } = packages[place] ?? {}
    const isAllowed = (/** @type {string} */ name) => BUNDLED_LICENSES.has(name) || INSTALLED_LICENSES.has(name)
    const choices = (license ?? '').replace(/^\(|\)$/g, '').split(' OR ')
    const faults = []
    // `addLicences` checks the actual contents of the bundles when they are packed.
    if (dev !== true && !choices.some((each) => each.split(' AND ').every(isAllowed)))
      faults.push(`'${place}' has the license ${license ?? 'none'}, which is not known to allow delivery.`)
    if (!/^sha512-/.test(integrity ?? '')) faults.push(`'${place}' has no SHA-512 digest in the lock file.`)
    return faults
  })
}

/**
 * Returns the advisories in the output of `npm audit --json` for the given packages; null if the output is an error.
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
    const list = SEVERE.has(severity) ? grave : others
    list.push(`${name} (${severity}): ${titles.join('; ')}`)
  }
  return { grave, others }
}
