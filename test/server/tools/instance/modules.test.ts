/** Tests the modules of a deployed site, and the identity of the installation. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'
import { TESTS_MODULE } from './tests-module.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let ground: InstanceSetup
let instance: Instance

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('modules', { INGOT_ENV: 'staging', INGOT_JOB_THREADS: '1' })
  await instance.deploy(
    siteZip({
      'app/views/pages/index.liquid': "{{ context.instance.uuid }} {% render 'modules/needed/part' %}",
      'modules/needed/public/views/partials/part.liquid': 'part',
      'modules/needed/template-values.json': '{"name": "Needed", "version": "0.1.0"}',
      'modules/extra/public/views/pages/extra.liquid': 'extra page',
      'modules/extra/pos-module.json': '{"machine_name": "extra", "version": "1.0.0"}',
    }),
  )
})

afterAll(() => ground.clean())

const remove = (name: string) => {
  const form = new FormData()
  form.append('pos_module_name', name)
  return instance.ask('DELETE', 'installed_modules', form)
}
const names = async () => (await instance.ask('GET', 'installed_modules')).body

test('the installation is told by the UUID that templates see', async () => {
  const { body } = await instance.ask('GET', 'instance')
  expect(body).toMatchObject({
    id: expect.any(Number) as number,
    uuid: expect.stringMatching(/^[\da-f-]{36}$/) as string,
  })
  expect(await instance.text('/')).toBe(`${(body as { uuid?: string }).uuid} part`)
})

test('template values are filled in files that are synced as in those that are deployed', async () => {
  const values = (title: string) => JSON.stringify({ title, 'css-class': 'wide' })
  const part = 'modules/filled/public/views/partials/part.liquid'
  const site = (title: string) =>
    siteZip({
      'app/views/pages/filled.liquid': "{% render 'modules/filled/part' %} {% render 'modules/filled/other' %}",
      'app/views/partials/plain.liquid': '<%= title =%>',
      [part]: 'one <%= title =%>',
      'modules/filled/public/views/partials/other.liquid': '<i class="<%= css-class =%>"><%= title =%></i>',
      'modules/filled/public/assets/filled.js': 'asset <%= title =%>',
      'modules/filled/pos-module.json': '{"machine_name": "filled", "version": "1.0.0"}',
      'modules/filled/template-values.json': values(title),
    })
  const shown = async () => [await instance.text('/filled'), await instance.text('/assets/modules/filled/filled.js')]
  expect(await instance.deploy(site('A'), { partial: true })).toMatchObject({ status: 'success' })
  expect(await shown()).toEqual(['one A <i class="wide">A</i>', 'asset A'])
  // The first change is applied in place, the second one as a new release.
  expect(await instance.sync(part, '\ntwo <%= title =%>{{ 1 }}')).toMatchObject({ status: 200 })
  expect((await shown())[0]?.trim()).toBe('two A1 <i class="wide">A</i>')
  const refused = await instance.sync(part, '<%= title =%> and <%= title =%>\n{% if %}')
  expect(refused).toMatchObject({ status: 422, body: { errors: [expect.stringContaining(`${part}:2: `)] } })
  expect(await instance.sync('modules/filled/template-values.json', values('B'))).toMatchObject({ status: 200 })
  expect((await shown()).map((text) => text.trim())).toEqual(['two B1 <i class="wide">B</i>', 'asset B'])
  expect(await instance.ask('POST', 'liquid_exec', { content: "{% render 'modules/filled/other' %}" })).toMatchObject({
    body: { result: '<i class="wide">B</i>', error: null },
  })
  // After another deployment, the site is the same as before.
  expect(await instance.deploy(site('A'), { partial: true })).toMatchObject({ status: 'success' })
  expect(await shown()).toEqual(['one A <i class="wide">A</i>', 'asset A'])
  for (const path of ['app/views/pages/filled.liquid', 'app/views/partials/plain.liquid'])
    expect(await instance.sync(path, null)).toMatchObject({ status: 200 })
  expect(await remove('filled')).toMatchObject({ status: 200 })
})

test('a module that nothing needs is taken away with its pages', async () => {
  expect(await names()).toEqual({ data: ['extra', 'needed'] })
  expect(await instance.text('/extra')).toBe('extra page')
  expect(await remove('extra')).toMatchObject({ status: 200 })
  expect(await names()).toEqual({ data: ['needed'] })
  expect((await fetch(`${instance.url}/extra`)).status).toBe(404)
})

test('a module that the site needs stays, and so does everything where there is no such module', async () => {
  const needed = await remove('needed')
  expect(needed.status).toBe(422)
  expect(needed.body.errors?.[0]).toMatch(/^app\/views\/pages\/index\.liquid:1: .*modules\/needed/)
  expect(await remove('extra')).toMatchObject({ status: 422, body: { errors: ["The site has no module 'extra'."] } })
  expect(await remove('')).toMatchObject({ status: 422 })
  expect(await remove('../app')).toMatchObject({ status: 422 })
  expect(await instance.text('/')).toContain(' part')
})

test('tests that a page or a job of a module runs leave nothing behind, each alone', async () => {
  const test = (name: string, more = ''): string => `{% liquid
  graphql made = 'create', name: '${name}'
  background name: 'by a job'
    graphql made = 'create', name: name
  endbackground
  graphql all = 'all'
  function contract = 'modules/tests/assertions/equal', contract: contract, given: all.records.total_entries, expected: 2
  ${more}
%}`
  const site = {
    ...TESTS_MODULE,
    'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: name\n',
    'app/graphql/create.graphql':
      'mutation ($name: String) { record_create(record: { table: "dish", properties: [{ name: "name", value: $name }] }) { id } }',
    'app/graphql/all.graphql': 'query { records(per_page: 9, filter: { table: { value: "dish" } }) { total_entries } }',
    'app/views/pages/count.liquid': "{% graphql all = 'all' %}{{ all.records.total_entries }}",
    'app/lib/test/one_test.liquid': test('one'),
    'app/lib/test/two_test.liquid': test('two'),
  }
  const run = async (path: string) => {
    const answer = await fetch(`${instance.url}/_tests/${path}`)
    return {
      status: answer.status,
      json: (await answer.json()) as { success: boolean; errors: object; path: string }[],
    }
  }
  const fine = { errors: {}, success: true, total: 1 }
  expect(await instance.deploy(siteZip(site), { partial: true })).toMatchObject({ status: 'success' })
  for (const _ of [1, 2])
    expect(await run('run.js')).toMatchObject({ status: 200, json: [fine, { ...fine, path: 'test/two_test' }] })
  expect(await instance.text('/count')).toBe('0')

  // Each failure is reported, and the next test runs.
  const broken = test('one', "\n  assign bad = '{' | parse_json")
  expect(await instance.sync('lib/test/one_test.liquid', broken)).toMatchObject({ status: 200 })
  const failing = { success: false, total: 1, errors: { 'app/lib/test/one_test.liquid:9': [expect.any(String)] } }
  expect(await run('run.js')).toMatchObject({ status: 500, json: [failing, fine] })
  expect(await run('run.js?name=two')).toMatchObject({ status: 200, json: [fine] })
  await run('run_async.js')
  const { sql } = ground.ingot.database
  const summaries = async () => (await sql`select message from ingot.logs where type = 'SUMMARY'`).length
  await expect.poll(summaries).toBe(1)
  const [summary] = await sql<{ message: string }[]>`select message from ingot.logs where type = 'SUMMARY'`
  expect(JSON.parse(summary?.message ?? '')).toMatchObject([failing, fine])
  expect(await instance.text('/count')).toBe('0')
  // The job that ran the tests reports them just before its end.
  await expect.poll(async () => (await sql`select from graphile_worker._private_jobs`).length).toBe(0)
  expect(
    await instance.deploy(siteZip({ ...site, 'app/lib/test/two_test.liquid': test('two').replace('2', '3') }), {
      partial: true,
    }),
  ).toMatchObject({ status: 'success' })
  expect(await run('run.js?name=two')).toMatchObject({
    status: 500,
    json: [{ success: false, errors: { rows: 'wrong' } }],
  })
})
