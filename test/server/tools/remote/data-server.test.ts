/** Tests `ingot data` with a server that accepts deployments: export, import, removal, and exit codes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { EndedProgram } from '../../../support/server/program.ts'
import { HOUSES } from '../instance/data-setup.ts'
import { type InstanceSetup, type Instance, openInstanceSetup } from '../instance/instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let ground: InstanceSetup
let instance: Instance
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-data-server-'))
  ground = await openInstanceSetup()
  instance = await ground.open('data')
  await instance.deploy(HOUSES)
})

afterAll(async () => {
  await ground.clean()
  rmSync(folder, { recursive: true, force: true })
})

function data(...argv: readonly string[]): Promise<EndedProgram> {
  const { url, token } = instance
  return ground.ingot.run(['data', ...argv], { MPKIT_URL: url, MPKIT_TOKEN: token, MPKIT_EMAIL: 'ada@example.com' })
}

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('data goes in, is changed, goes out in both forms, is removed, and comes back', async () => {
  const town = file('town.json', {
    users: [{ id: '7', email: 'ann@example.com', encrypted_password: 'no hash', profiles: [] }],
    models: [
      { id: 'b', type_name: 'car', user_id: '7', properties: { color: 'red', house_id: 'a' } },
      { id: 'a', type_name: 'house', properties: { street: 'Elm' } },
    ],
    transactables: [],
  })
  const { url } = instance
  expect(await data('import', url, town)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/Imported .*: 3 new, 0 changed, 0 unchanged, not supported: 1 \(/),
  })
  expect(await instance.text('/')).toBe('2 rows')
  const change = file('change.json', { models: [{ id: 'a', type_name: 'house', properties: { street: 'Oak' } }] })
  expect(await data('update', url, change)).toMatchObject({ code: 0 })
  const [json, zip] = [join(folder, 'out.json'), join(folder, 'out.zip')]
  expect(await data('export', url, `--out=${json}`)).toMatchObject({ code: 0 })
  const models = [
    { id: 'b', properties: { color: 'red', house_id: 'a' }, user_id: '7' },
    { id: 'a', properties: { street: 'Oak' } },
  ]
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ users: [{ id: '7' }], models })
  expect(await data('export', url, '--format=csv', `--out=${zip}`)).toMatchObject({ code: 0 })
  for (const saved of [json, zip]) {
    expect(await data('clean', url, '--confirm=CLEAN DATA')).toMatchObject({ code: 0 })
    expect(await instance.text('/')).toBe('0 rows')
    expect(await data('import', url, saved)).toMatchObject({ code: 0 })
    expect(await data('export', url, `--out=${json}`)).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ models })
  }
})

test('what fails says why, changes nothing, and is no success', async () => {
  const { url } = instance
  const before = await instance.text('/')
  const wrong = file('wrong.json', { models: [{ id: 'c', type_name: 'boat', properties: {} }] })
  expect(await data('import', url, wrong)).toMatchObject({
    code: 1,
    said: expect.stringContaining("there is no table 'boat'"),
  })
  expect(await data('import', url, file('broken.json', '{"models": ['))).toMatchObject({ code: 1 })
  expect(await data('import', url, file('broken.zip', 'PK\u0003\u0004 and no more'))).toMatchObject({ code: 1 })
  expect(await data('update', url, file('none.json', { models: [{ id: 'none', type_name: 'car' }] }))).toMatchObject({
    code: 1,
    said: expect.stringContaining('there is no row'),
  })
  expect(await data('clean', url)).toMatchObject({ code: 1, said: expect.stringContaining('Nothing was removed') })
  expect(await instance.text('/')).toBe(before)
})
