/** Modules of a site that is deployed to, and who the installation is. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Ground, type Instance, openGround, siteZip } from './ground.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let ground: Ground
let instance: Instance

beforeAll(async () => {
  ground = await openGround()
  instance = await ground.open('modules')
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
  // In place, and as a release of its own.
  expect(await instance.sync(part, '\ntwo <%= title =%>{{ 1 }}')).toMatchObject({ status: 200 })
  expect((await shown())[0]?.trim()).toBe('two A1 <i class="wide">A</i>')
  const refused = await instance.sync(part, '<%= title =%> and <%= title =%>\n{% if %}')
  expect(refused).toMatchObject({ status: 422, body: { errors: [expect.stringContaining(`${part}:2: `)] } })
  expect(await instance.sync('modules/filled/template-values.json', values('B'))).toMatchObject({ status: 200 })
  expect((await shown()).map((text) => text.trim())).toEqual(['two B1 <i class="wide">B</i>', 'asset B'])
  expect(await instance.ask('POST', 'liquid_exec', { content: "{% render 'modules/filled/other' %}" })).toMatchObject({
    body: { result: '<i class="wide">B</i>', error: null },
  })
  // Deployed again it is what it was.
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
