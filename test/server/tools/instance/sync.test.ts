/** Tests single files of a site, which the platform's command-line client sends when they are saved. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const INDEX = 'app/views/pages/index.liquid'
const SITE = { [INDEX]: 'first', 'app/views/pages/other.liquid': 'other' }

let ground: InstanceSetup
let instance: Instance

beforeAll(async () => {
  ground = await openInstanceSetup()
  // If its process is replaced, a waiting request is cut off after this time.
  instance = await ground.open('sync', { INGOT_GRACE: '100' })
  await instance.deploy(siteZip(SITE))
})

afterAll(() => ground.clean())

test('one file is served, and a broken one refused, when the answer comes', async () => {
  expect(await instance.sync('views/pages/index.liquid', 'synced')).toMatchObject({ status: 200 })
  expect(await instance.text('/')).toBe('synced')
  const broken = await instance.sync('views/pages/index.liquid', '{% if %}')
  expect(broken).toMatchObject({ status: 422, body: { details: { file_path: INDEX } } })
  expect(broken.body.errors?.[0]).toContain(`${INDEX}:1: `)
  expect(await instance.text('/')).toBe('synced')
  expect(await instance.sync('views/pages/other.liquid', null)).toMatchObject({ status: 200 })
  expect((await fetch(`${instance.url}/other`)).status).toBe(404)
  for (const path of ['../x.liquid', '/etc/x', 'views/../../x', 'views/pages/nul\0.liquid'])
    expect(await instance.sync(path, 'x')).toMatchObject({ status: 422 })
  for (const path of ['views/pages/index.liquid/x.liquid', 'views/pages'])
    expect(await instance.sync(path, 'x')).toMatchObject({
      status: 422,
      body: { errors: [expect.stringContaining('is a file, and also a folder with files: rename one.')] },
    })
})

test('files that are sent at once are all served, whatever is being served meanwhile', async () => {
  const deploy = await instance.send(siteZip(SITE))
  const names = ['a', 'b', 'c']
  const answers = await Promise.all(names.map((name) => instance.sync(`views/pages/${name}.liquid`, `page ${name}`)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await instance.done(deploy)).toMatchObject({ status: 'success' })
  expect(await Promise.all(names.map((name) => instance.text(`/${name}`)))).toEqual(['page a', 'page b', 'page c'])
})
