/** Tests the code cache of programs: they reuse compiled code, and start without it when it is missing, damaged or untrusted. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProduct } from '../support/product.ts'

/** The files that a program loads. Its other code is small. */
const NAMES = ['load-program.mjs', 'compiler.mjs', 'programs']

let home: string
let site: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ingot-test-code-'))
  site = join(home, 'site')
  mkdirSync(join(site, 'app/views/pages'), { recursive: true })
  writeFileSync(join(site, 'app/views/pages/index.liquid'), '{{ 1 | plus: 2 }}')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Returns a copy of the compiler's bundles, and a cache folder. */
function installed(): { readonly dist: string; readonly cache: string; check(): string; kept(): readonly string[] } {
  const folder = mkdtempSync(join(home, 'at-'))
  const dist = join(folder, 'dist')
  const cache = join(folder, 'cache')
  mkdirSync(cache)
  for (const name of NAMES) cpSync(join(builtProduct(), 'dist', name), join(dist, name), { recursive: true })
  const file = join(folder, 'run.mjs')
  const command = `main(['check', ${JSON.stringify(site)}])`
  writeFileSync(file, `import { main } from './dist/compiler.mjs'\nprocess.exit(await ${command})`)
  return {
    dist,
    cache,
    check() {
      // Removes the cached findings, because they would be reported without loading the compiler.
      rmSync(join(site, '.ingot'), { recursive: true, force: true })
      const env = { PATH: process.env['PATH'], XDG_CACHE_HOME: cache }
      const { stdout, stderr } = spawnSync(process.execPath, [file, 'check'], { env, encoding: 'utf8' })
      return stdout + stderr
    },
    kept() {
      const all = readdirSync(cache, { recursive: true, encoding: 'utf8' })
      return all.filter((name) => name.includes('/compiler-check-compiler-later')).map((name) => join(cache, name))
    },
  }
}

const FINE = 'No problems in 1 file.\n'

test('the code of a command is kept, and taken by the next', () => {
  const { check, kept } = installed()
  expect(check()).toBe(FINE)
  const [file = ''] = kept()
  expect(statSync(file).size).toBeGreaterThan(100_000)
  const before = statSync(file, { bigint: true }).mtimeNs
  expect(check()).toBe(FINE)
  // A cache that is not used would be written again.
  expect(kept()).toEqual([file])
  expect(statSync(file, { bigint: true }).mtimeNs).toBe(before)
})

test('code that was broken off or is empty is not taken, and made anew', () => {
  const { check, kept } = installed()
  check()
  const [file = ''] = kept()
  const whole = readFileSync(file)
  for (const spoilt of [whole.subarray(0, whole.length / 2), Buffer.alloc(0), Buffer.alloc(4096)]) {
    writeFileSync(file, spoilt)
    expect(check()).toBe(FINE)
    expect(readFileSync(file).length).toBeGreaterThan(100_000)
  }
})

test('the code of another text of the script is not taken, and thrown away when a day has gone by', () => {
  const { dist, check, kept } = installed()
  check()
  const [old = ''] = kept()
  const digests = join(dist, 'programs/digests.json')
  // Replaces a part of the name by letters that no digest contains.
  const other = (at: 'x' | 'y'): void =>
    writeFileSync(digests, readFileSync(digests, 'utf8').replace(/("compiler-later":")\w/, `$1${at}`))
  other('x')
  expect(check()).toBe(FINE)
  expect(kept()).toHaveLength(2)
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
  utimesSync(old, yesterday, yesterday)
  other('y')
  expect(check()).toBe(FINE)
  expect(kept()).toHaveLength(2)
  expect(kept()).not.toContain(old)
})

test('without a folder for it, programs run', () => {
  const { cache, check } = installed()
  // A file in place of the cache folder, because the user who runs the tests may be allowed to write anywhere.
  rmSync(cache, { recursive: true })
  writeFileSync(cache, '')
  expect(check()).toBe(FINE)
})

test.skipIf(process.getuid === undefined)('a folder that others may write to is neither read nor written', () => {
  const { cache, check, kept } = installed()
  chmodSync(cache, 0o777)
  expect(check()).toBe(FINE)
  expect(kept()).toEqual([])
})
