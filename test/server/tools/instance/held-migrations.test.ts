/** Tests migrations that are synced as single files while they are written. They wait for a request, or for the next deployment. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const SITE = {
  'app/views/pages/index.liquid': '{{ context.constants.ONE }} {{ context.constants.TWO }}',
  'app/graphql/set.graphql': 'mutation set($name: String!) { constant_set(name: $name, value: "set") { name } }',
}
const ONE = 'migrations/20260101000000_one.liquid'
const TWO = 'migrations/20260102000000_two.liquid'
const sets = (name: string): string => `{% graphql _ = 'set', name: '${name}' %}`

let ground: InstanceSetup
let instance: Instance

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('held')
  await instance.deploy(siteZip(SITE))
})

afterAll(() => ground.clean())

async function states(): Promise<unknown> {
  const { body } = await instance.ask('GET', 'migrations')
  const { migrations } = body as unknown as { readonly migrations: readonly { name: string; state: string }[] }
  return migrations.map(({ name, state }) => `${name.slice(15)} ${state}`)
}

function run(timestamp: string): ReturnType<Instance['ask']> {
  const form = new FormData()
  form.append('timestamp', timestamp)
  return instance.ask('POST', 'migrations/run', form)
}

test('a migration that is saved again and again runs when it is asked for, as it was saved last', async () => {
  expect(await instance.sync(ONE, '{% comment %} not yet written {% endcomment %}')).toMatchObject({ status: 200 })
  expect(await instance.sync(ONE, `{{ 1 | divided_by: 0 }}`)).toMatchObject({ status: 200 })
  expect(await states()).toEqual(['one pending'])
  expect(await run('20260101000000')).toMatchObject({ status: 422 })
  expect(await states()).toEqual(['one error'])
  // The failed migration does not affect other files, even those that need a new release.
  expect(await instance.sync('schema/house.yml', 'name: house')).toMatchObject({ status: 200 })
  expect(await instance.sync(ONE, sets('ONE'))).toMatchObject({ status: 200 })
  expect(await instance.text('/')).toBe(' ')
  expect(await run('20260101000000')).toMatchObject({ status: 200 })
  expect(await states()).toEqual(['one done'])
  expect(await instance.text('/')).toBe('set ')
})

test('one that waits is not run by a start of the server, and is by the next deploy', async () => {
  expect(await instance.sync(TWO, sets('TWO'))).toMatchObject({ status: 200 })
  instance.server.child.kill('SIGTERM')
  await instance.server.exitCode
  instance = await ground.again(instance, 'held')
  expect(await states()).toEqual(['one done', 'two pending'])
  expect(await instance.text('/')).toBe('set ')
  const whole = {
    ...SITE,
    [`app/${ONE}`]: sets('ONE'),
    [`app/${TWO}`]: sets('TWO'),
    'app/schema/house.yml': 'name: house',
  }
  expect(await instance.deploy(siteZip(whole))).toMatchObject({ status: 'success' })
  expect(await states()).toEqual(['one done', 'two done'])
  expect(await instance.text('/')).toBe('set set')
})
