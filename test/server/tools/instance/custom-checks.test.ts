/** A server never runs JavaScript of an archive: the custom checks of a site run in `ingot check` only. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { moduleWith, writeSite } from '../../../support/custom-checks.ts'
import { product } from '../../../support/product.ts'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const ingot = product()
let ground: InstanceSetup
let instance: Instance

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('one')
})

afterAll(async () => {
  await ground.clean()
  await ingot.clean()
})

/** Returns a site with a check that writes the file `marker` when its module is loaded, by any of the ways to name a module. */
function siteWith(marker: string): Record<string, string> {
  const module = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')\n${moduleWith('Marks', '', 'YAML')}`
  const path = join(ingot.folder({ 'checks.js': module }), 'checks.js')
  return {
    '.platformos-check.yml': `require: [./checks.js, ./app/checks.js, ${path}]\nextends: ./more.yml\nMarks: { enabled: true }\n`,
    'more.yml': `require: [${path}]\n`,
    'checks.js': module,
    'app/checks.js': module,
    'package.json': '{"dependencies": {"platformos-check-marks": "1.0.0"}}',
    'node_modules/platformos-check-marks/index.js': module,
    'app/views/pages/index.liquid': 'served',
    'app/translations/en.yml': 'en: {}\n',
  }
}

test('a deploy of a site with custom checks runs none of them', async () => {
  const marker = join(ingot.folder(), 'marker')
  const site = siteWith(marker)
  const { 'app/checks.js': _stray, ...files } = site
  expect(await instance.deploy(siteZip(files))).toMatchObject({ status: 'success' })
  expect(await instance.text('/')).toBe('served')
  expect(await instance.deploy(siteZip(files), { dryRun: true })).toMatchObject({ status: 'success' })
  await instance.sync('app/views/pages/index.liquid', 'changed')
  expect(await instance.text('/')).toBe('changed')
  expect(existsSync(marker)).toBe(false)
})

test('neither a build nor a list of routes runs them, but a check does', async () => {
  const marker = join(ingot.folder(), 'marker')
  const folder = writeSite(ingot.folder(), siteWith(marker))
  for (const command of ['build', 'routes', 'format']) {
    const { code } = await ingot.run([command, folder])
    expect([command, code]).toEqual([command, 0])
    expect(existsSync(marker)).toBe(false)
  }
  await ingot.run(['check', folder, '--no-custom-checks'])
  expect(existsSync(marker)).toBe(false)
  await ingot.run(['check', folder])
  expect(existsSync(marker)).toBe(true)
})
