/** Tests the folder from which the demo is served. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoSite, digestOf } from '../../../server/commands/demo.ts'
import { StartError } from '../../../server/core/start-error.ts'

let home: string
let site: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ingot-demo-'))
  site = join(home, 'package', 'site')
  mkdirSync(join(site, 'app'), { recursive: true })
  writeFileSync(join(site, 'app', 'config.yml'), 'a: 1')
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

test('a checkout of the sources serves it where it stands', async () => {
  expect(await demoSite(site, null)).toBe(site)
})

test('an installed package serves a copy, which keeps what was changed in it', async () => {
  const copy = await demoSite(site, home)
  expect(copy).toBe(join(home, 'ingot-demo'))
  const file = join(copy, 'app', 'config.yml')
  expect(readFileSync(file, 'utf8')).toBe('a: 1')
  writeFileSync(file, 'a: 2')
  expect(await demoSite(site, home)).toBe(copy)
  expect(readFileSync(file, 'utf8')).toBe('a: 2')
})

test('a package without it says so', async () => {
  await expect(demoSite(join(home, 'nowhere'), home)).rejects.toThrow(StartError)
})

test('it is built again when a file of the site or of the product has changed', async () => {
  const product = join(home, 'digests.json')
  writeFileSync(product, '{}')
  const digests: string[] = [await digestOf(site, product)]
  const add = async (): Promise<void> => void digests.push(await digestOf(site, product))
  mkdirSync(join(site, '.ingot-data'))
  writeFileSync(join(site, '.ingot-data', 'file'), 'data')
  expect(await digestOf(site, product)).toBe(digests[0])
  writeFileSync(join(site, 'app', 'config.yml'), 'a: 10')
  await add()
  renameSync(join(site, 'app', 'config.yml'), join(site, 'app', 'settings.yml'))
  await add()
  writeFileSync(product, '{"server":"1"}')
  await add()
  expect(new Set(digests).size).toBe(4)
})
