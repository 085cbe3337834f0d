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
