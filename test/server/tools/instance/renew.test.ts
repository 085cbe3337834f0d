/** Tests a server after an upgrade: deployed files are compiled again when the format of builds has changed. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ABI } from '../../../../runtime/page/site.ts'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let ground: InstanceSetup
beforeAll(async () => {
  ground = await openInstanceSetup()
})
afterAll(() => ground.clean())

async function stopped({ server }: Instance): Promise<void> {
  server.child.kill('SIGTERM')
  await server.exitCode
}

/** Changes the served release so that it seems to be built by an older version. Returns the release's pointer. */
function outdated(name: string): { release: string; revision: number } {
  const releases = join(ground.home, `data-${name}`, 'releases')
  const pointer = JSON.parse(readFileSync(join(releases, 'current'), 'utf8')) as { release: string; revision: number }
  const manifest = join(releases, pointer.release, 'manifest.json')
  const text = readFileSync(manifest, 'utf8').replace(`"abi": ${ABI}`, `"abi": ${ABI - 1}`)
  expect(text).toContain(`"abi": ${ABI - 1}`)
  writeFileSync(manifest, text)
  return pointer
}

test('what was deployed and edited is served, and goes on to be deployed to', async () => {
  const first = await ground.open('renew')
  const site = { 'app/views/pages/index.liquid': "{% render 'tail' %}", 'app/views/partials/tail.liquid': 'deployed' }
  expect(await first.deploy(siteZip(site))).toMatchObject({ status: 'success' })
  expect(await first.sync('views/partials/tail.liquid', 'edited')).toMatchObject({ status: 200 })
  await stopped(first)
  const before = outdated('renew')
  expect(before.revision).toBeGreaterThan(0)

  const second = await ground.again(first, 'renew')
  expect(await second.text('/')).toBe('edited')
  expect(await second.sync('views/partials/tail.liquid', 'edited again')).toMatchObject({ status: 200 })
  expect(await second.text('/')).toBe('edited again')
  expect(await second.deploy(siteZip({ ...site, 'app/views/pages/more.liquid': 'more' }))).toMatchObject({
    status: 'success',
  })
  expect([await second.text('/'), await second.text('/more')]).toEqual(['deployed', 'more'])
  await stopped(second)
})
