/** Tests which packages a checkout installs, when, and what is said meanwhile. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  FOR_DEVELOPERS,
  missingPackage,
  placesHere,
  productManifest,
  reasonFor,
  removeUnfinished,
} from '../../../../compiler/tools/package/install.mjs'
import { builtProduct, root, write } from '../../../support/product.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const direct: Readonly<Record<string, string>> = {
  ...manifest.dependencies,
  ...manifest.devDependencies,
  ...manifest.optionalDependencies,
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-install-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** `debug` takes its colors from this package when another one has brought it. */
const USED_WHEN_THERE = new Set(['node_modules/supports-color', 'node_modules/has-flag'])

describe('a first start', () => {
  const made = productManifest(manifest, lock)

  test('installs everything that the product is built from, and at most 450 packages', () => {
    const { packages }: { packages: readonly string[] } = JSON.parse(
      readFileSync(join(builtProduct(), 'dist/built.json'), 'utf8'),
    )
    expect(packages.length).toBeGreaterThan(100)
    // A shared node_modules may be outside of the project's folder.
    const places = packages.map((path) => path.slice(path.indexOf('node_modules/')))
    const isInstalled = (place: string): boolean =>
      Object.hasOwn(made.lock.packages, place) || USED_WHEN_THERE.has(place)
    expect(places.filter((place) => !isInstalled(place))).toEqual([])
    expect(placesHere(made.lock).length).toBeLessThanOrEqual(450)
    expect(placesHere(lock).length).toBeGreaterThan(placesHere(made.lock).length * 2)
  })

  test('takes versions and digests from the lock file', () => {
    for (const [place, entry] of Object.entries(made.lock.packages)) {
      if (place === '') continue
      const { version, integrity } = lock.packages[place]
      expect(entry).toMatchObject({ version, integrity })
      expect(integrity).toMatch(/^sha512-/)
    }
    expect(Object.keys(made.lock.packages).filter((place) => /\/(?:vitest|typescript)$/.test(place))).toEqual([])
  })

  test('leaves out only packages of package.json', () => {
    expect([...FOR_DEVELOPERS].filter((name) => !Object.hasOwn(direct, name))).toEqual([])
  })
})

test('a package is missing when it is not there, or has another version', () => {
  write(folder, {
    'package.json': JSON.stringify({
      dependencies: { one: '1.0.0' },
      devDependencies: { vitest: '4.0.0' },
      optionalDependencies: { three: '3.0.0' },
    }),
  })
  const install = (name: string, version: string): void =>
    write(folder, { [`node_modules/${name}/package.json`]: JSON.stringify({ version }) })
  expect(missingPackage(folder, 'product')).toEqual({ name: 'one', installed: null })
  install('one', '0.9.0')
  expect(missingPackage(folder, 'product')).toEqual({ name: 'one', installed: '0.9.0' })
  install('one', '1.0.0')
  expect(missingPackage(folder, 'product')).toBeNull()
  expect(missingPackage(folder, 'all')).toEqual({ name: 'vitest', installed: null })
  install('vitest', '4.0.0')
  expect(missingPackage(folder, 'all')).toBeNull()
  install('three', '2.0.0')
  expect(missingPackage(folder, 'all')).toEqual({ name: 'three', installed: '2.0.0' })
})

test('it says why packages are installed, without the words of an error', () => {
  const none = { name: 'vitest', installed: null }
  const reasons = [
    reasonFor({ name: 'zod', installed: null }, false, false, 370),
    reasonFor(none, true, false, 900),
    reasonFor(none, true, true, 900),
    reasonFor({ name: 'zod', installed: '4.0.0' }, false, true, 370),
    reasonFor({ name: 'zod', installed: null }, false, true, 370),
  ]
  expect(reasons[0]).toMatch(/^Ingot starts here for the first time\. npm installs 370 packages/)
  expect(new Set(reasons).size).toBe(reasons.length)
  for (const reason of reasons) {
    expect(reason).toContain('npm installs')
    expect(reason).not.toMatch(/missing|fail|error|warn/i)
  }
})

describe('with an npm of the test', () => {
  /** Runs `installMissing` in a project with one package; `npm` is a script of a shell. */
  function install(npm: string): { readonly status: number | null; readonly stderr: string } {
    write(folder, {
      'package.json': JSON.stringify({ devDependencies: { one: '1.0.0', vitest: '4.0.0' } }),
      'package-lock.json': JSON.stringify({
        packages: { '': {}, 'node_modules/one': { version: '1.0.0' }, 'node_modules/vitest': { version: '4.0.0' } },
      }),
      'bin/npm': `#!/bin/sh\n${npm}\n`,
    })
    chmodSync(join(folder, 'bin/npm'), 0o755)
    const module = JSON.stringify(join(root, 'compiler/tools/package/install.mjs'))
    const code = `const { installMissing } = await import(${module}); process.exitCode = (await installMissing(${JSON.stringify(folder)}, 'product')) ? 0 : 2`
    return spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
      env: { PATH: [join(folder, 'bin'), dirname('/bin/sh'), '/usr/bin'].join(delimiter) },
    })
  }

  test.skipIf(process.platform === 'win32')('packages are installed once, from a part of the lock file', () => {
    const npm = `cp package-lock.json ../seen.json; mkdir -p node_modules/one; echo '{"version":"1.0.0"}' > node_modules/one/package.json`
    const first = install(npm)
    expect(first.status).toBe(0)
    expect(first.stderr).toMatch(/^Ingot starts here for the first time\. .*\nInstalled the packages in \d+ s\.\n$/)
    const seen: { packages: object } = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'))
    expect(Object.keys(seen.packages)).toEqual(['', 'node_modules/one'])
    expect(install('exit 1')).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test.skipIf(process.platform === 'win32')('what npm says is shown when it fails, and nothing is left', () => {
    const { status, stderr } = install('mkdir -p node_modules/one; echo npm error no network >&2; exit 1')
    expect(status).toBe(2)
    expect(stderr).toMatch(/\nnpm error no network\nThe packages could not be installed: .*\(it ended with code 1\)/)
    expect(stderr).not.toContain('\u001b')
    expect(existsSync(join(folder, 'node_modules'))).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  })
})

test('what an installation or a build left that was broken off is removed, except by a process that still runs', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const left = [`.ingot-install-${pid}`, `.ingot-dist-${pid}`, `.ingot-dist-${pid}-old`]
  const kept = [`.ingot-dist-${process.pid}`, '.ingot-data', 'dist']
  for (const name of [...left, ...kept]) write(folder, { [`${name}/file`]: '' })
  removeUnfinished(folder)
  expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted())
})
