/** Tests backups of a site, and copies of a whole installation, with requests of the platform's command-line client. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createToken } from '../../../../server/data/store/tokens.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { begun, ended, HOUSES, imported, killWorkers, sentFile } from './data-setup.ts'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let ground: InstanceSetup
let other: TestDatabase
let from: Instance
let to: Instance
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-copies-'))
  ground = await openInstanceSetup()
  other = await testDatabase()
  // Both instances run on this machine, so requests to it must be allowed.
  from = await ground.open('from', { INGOT_OUTGOING: '127.0.0.1' })
  to = await ground.open('to', { DATABASE_URL: other.url, INGOT_OUTGOING: '127.0.0.1' })
})

afterAll(async () => {
  await ground.clean()
  await other.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The status of a backup. */
interface Backup {
  readonly status: string
  readonly error?: { readonly error: string }
  readonly zip_file?: { readonly url: string }
}

async function backup(instance: Instance, module?: string): Promise<Backup> {
  const form = new FormData()
  if (module !== undefined) form.append('module_name', module)
  const id = await begun(instance, 'marketplace_releases/backup', form)
  for (;;) {
    const { body } = await instance.ask('GET', `marketplace_releases/${id}`)
    const state = body as unknown as Backup
    if (state.status !== 'ready_for_export') return state
    await sleep(50)
  }
}

async function filesOf({ zip_file }: Backup): Promise<readonly string[]> {
  const path = join(folder, 'backup.zip')
  const answer = await fetch(zip_file?.url ?? '')
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
  return execFileSync('unzip', ['-Z1', path], { encoding: 'utf8' }).trim().split('\n')
}

test('the files of a site come back as they were sent, with what was changed since, and those of one module alone', async () => {
  const { status } = await from.ask('POST', 'marketplace_releases/backup', new FormData())
  // The client's exit code reports a failure only if the request fails.
  expect(status).toBe(422)
  const site = {
    'app/views/pages/index.liquid': 'one',
    'app/views/pages/other.liquid': 'other',
    'app/assets/a.css': 'body {}',
    'modules/shop/public/views/pages/shop.liquid': 'shop',
  }
  await from.deploy(siteZip(site))
  await from.sync('views/pages/index.liquid', 'two')
  await from.sync('views/pages/other.liquid', null)
  const whole = await backup(from)
  expect(whole.status).toBe('success')
  expect(await filesOf(whole)).toEqual([
    'app/assets/a.css',
    'app/views/pages/index.liquid',
    'modules/shop/public/views/pages/shop.liquid',
  ])
  const path = join(folder, 'backup.zip')
  expect(execFileSync('unzip', ['-p', path, 'app/views/pages/index.liquid'], { encoding: 'utf8' })).toBe('two')
  expect(await from.deploy(readFileSync(path))).toMatchObject({ status: 'success' })
  expect(await from.text('/shop')).toBe('shop')
  expect(await filesOf(await backup(from, 'shop'))).toEqual(['modules/shop/public/views/pages/shop.liquid'])
  expect(await backup(from, 'none')).toMatchObject({
    status: 'failed',
    error: { error: expect.stringContaining("'none'") },
  })
  for (const name of ['../app', 'a/b']) await expect(backup(from, name)).rejects.toThrow('422')
  // The files are available only at the address with its signature.
  expect((await fetch((whole.zip_file?.url ?? '').replace(/signature=.{5}/, 'signature=AAAAA'))).status).toBe(401)
})

/** Copies one instance to the other as the client does. Returns the final status. */
async function cloned(): Promise<Awaited<ReturnType<typeof ended>>> {
  const { status, body } = await to.ask('POST', 'instance_clone_imports', {})
  expect(status).toBe(200)
  await begun(from, 'instance_clone_exports', body)
  return ended(to, `instance_clone_imports/${body.id}`)
}

test('an installation is copied to another one: its site, its rows with their ids, and its files', async () => {
  await from.deploy(HOUSES)
  const plan = await sentFile(from, 'uploads/0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f/plan.txt', Buffer.from('a plan'))
  const house = { type_name: 'house', user_id: '7', properties: { street: 'Elm' } }
  await imported(from, {
    users: [{ id: '7', email: 'ann@example.com', password: 'secret-word', profiles: [] }],
    models: [
      { ...house, id: 'first', attachments: [{ name: 'plan', url: plan }] },
      { id: 'car', type_name: 'car', properties: { house_id: 'first' } },
    ],
  })
  // Existing data is removed by the copy.
  await to.deploy(HOUSES)
  await imported(to, { models: [{ ...house, id: 'old', user_id: null }] })
  const done = await cloned()
  expect(done).toMatchObject({
    status: 'done',
    statuses: [{ name: 'fetching' }, { name: 'deploying' }, { name: 'importing' }],
  })
  const rows = (database: TestDatabase) => database.sql`
    select r.id, t.name, r.external_id, r.user_id, r.properties - 'plan' as properties, r.created_at
    from ingot.records r join ingot.tables t on t.id = r.table_id order by r.id`
  expect(await rows(other)).toEqual(await rows(ground.ingot.database))
  const users = (database: TestDatabase) => database.sql`select id, email, encrypted_password from ingot.users`
  expect(await users(other)).toEqual(await users(ground.ingot.database))
  expect(await to.text('/')).toBe(await from.text('/'))
  const path = (database: TestDatabase) =>
    database.sql`select properties->'plan'->>'path' as path from ingot.records where properties ? 'plan'`
  const [[own], [copy]] = [await path(ground.ingot.database), await path(other)]
  // The target instance has its own copy of the file.
  expect(copy?.['path']).toMatch(/^uploads\/private\//)
  expect(copy?.['path']).not.toBe(own?.['path'])
  expect(await other.sql`select from ingot.files where path = ${String(copy?.['path'])}`).toHaveLength(1)
  expect((await imported(to, { models: [{ ...house, id: 'next', user_id: null }] })).status).toBe('done')
})

test('constants and translations are copied, and take the place of those that were there', async () => {
  const graph = async (instance: Instance, query: string) => {
    const answer = await fetch(`${instance.url}/api/graph`, {
      method: 'POST',
      headers: { authorization: `Token ${instance.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    return ((await answer.json()) as { data: Record<string, unknown> }).data
  }
  const set = (name: string, value: string) =>
    `mutation { constant_set(name: "${name}", value: ${JSON.stringify(value)}) { name } }`
  await graph(from, set('KEY', 'of the first, "quoted" – ü'))
  await graph(to, set('OLD', 'goes'))
  await ground.ingot.database.sql`
    insert into ingot.translations (locale, key, value) values ('en', 'shop.title', '"Shop"'), ('en', 'shop.gone', null)`
  await other.sql`insert into ingot.translations (locale, key, value) values ('en', 'old', '"old"')`
  expect(await cloned()).toMatchObject({ status: 'done' })
  expect(await graph(to, '{ constants(per_page: 9) { results { name value } } }')).toEqual({
    constants: { results: [{ name: 'KEY', value: 'of the first, "quoted" – ü' }] },
  })
  expect([...(await other.sql`select locale, key, value from ingot.translations order by updated_at, id`)]).toEqual([
    { locale: 'en', key: 'shop.title', value: 'Shop' },
    { locale: 'en', key: 'shop.gone', value: null },
  ])
  // Each instance encrypts constants with its own secret, and no transferred files remain.
  const sealed = (database: TestDatabase) => database.sql`select value from ingot.constants where name = 'KEY'`
  expect(await sealed(other)).not.toEqual(await sealed(ground.ingot.database))
  await expect.poll(() => other.sql`select from ingot.sent_files where key ~ '/clones/'`).toHaveLength(0)
})

test('an installation is not copied onto itself', async () => {
  const { body } = await to.ask('POST', 'instance_clone_imports', {})
  expect(await to.ask('POST', 'instance_clone_exports', body)).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('copied to itself') },
  })
  expect(await ended(to, `instance_clone_imports/${body.id}`)).toMatchObject({ status: 'failed' })
})

test('a copy that cannot be made is told to whoever waits for it, and changes nothing', async () => {
  const before = await other.sql`select id from ingot.records order by id`
  const { body } = await to.ask('POST', 'instance_clone_imports', {})
  const { address } = body as unknown as { address: string }
  const put = await fetch(address, { method: 'PUT', body: JSON.stringify({ error: 'No site was deployed yet.' }) })
  expect(put.status).toBe(200)
  expect(await ended(to, `instance_clone_imports/${body.id}`)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('No site was deployed yet.'),
  })
  for (const told of ['', 'no json', '{"site":1}', '{"site":"http://10.0.0.1/a","data":"http://10.0.0.1/b"}']) {
    const { body: again } = await to.ask('POST', 'instance_clone_imports', {})
    await fetch((again as unknown as { address: string }).address, { method: 'PUT', body: told || ' ' })
    expect(await ended(to, `instance_clone_imports/${again.id}`), told).toMatchObject({ status: 'failed' })
  }
  expect(await other.sql`select id from ingot.records order by id`).toEqual(before)
})

/** Starts a copy, and waits until the target instance has reached a step. */
async function begunCopy(step: string): Promise<string> {
  const { body } = await to.ask('POST', 'instance_clone_imports', {})
  await begun(from, 'instance_clone_exports', body)
  const path = `instance_clone_imports/${body.id}`
  const steps = async () => ((await to.ask('GET', path)).body as unknown as { statuses: { name: string }[] }).statuses
  await expect.poll(async () => (await steps()).map(({ name }) => name)).toContain(step)
  return path
}

const streets = async () => [
  ...(await other.sql`select properties->>'street' as street from ingot.records where properties ? 'street' order by 1`),
]

test('a copy whose process is killed when it was fetched goes on, and needs the other installation no more', async () => {
  await from.deploy(HOUSES)
  await imported(from, { models: [{ id: 'k', type_name: 'house', properties: { street: 'Kept' } }] })
  const path = await begunCopy('deploying')
  expect(killWorkers(to, 'transfer')).toBeGreaterThan(0)
  await ground.ingot.database.sql`delete from ingot.sent_files where key ~ '/(?:backups|exports)/'`
  expect(await ended(to, path)).toMatchObject({ status: 'done' })
  expect(await streets()).toContainEqual({ street: 'Kept' })
  expect(await other.sql`select from ingot.transfers where request->'copy' ? 'data'`).toHaveLength(0)
})

test('a copy whose data cannot be brought in leaves the site and the data that were there', async () => {
  const old = siteZip({ 'app/views/pages/old.liquid': 'the old site', 'app/assets/a.txt': 'its asset' })
  expect(await to.deploy(old, { partial: true })).toMatchObject({ status: 'success' })
  const before = await streets()
  await from.deploy(HOUSES)
  const { sql } = ground.ingot.database
  await sql`update ingot.records set properties = properties || '{"plan": "javascript:alert(1)"}' where properties ? 'street'`
  expect(await cloned()).toMatchObject({ status: 'failed', error: expect.stringContaining('Nothing was imported') })
  expect(await to.text('/old')).toBe('the old site')
  expect(await to.text('/assets/a.txt')).toBe('its asset')
  expect(await streets()).toEqual(before)
  await sql`update ingot.records set properties = properties - 'plan'`
})

test('whoever copies is told at once of an installation that cannot be reached', async () => {
  const closed = await from.ask('POST', 'instance_clone_exports', { address: 'http://10.1.2.3/api/x' })
  expect(closed).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('INGOT_OUTGOING=10.1.2.3') },
  })
  const gone = await from.ask('POST', 'instance_clone_exports', { address: 'http://127.0.0.1:9/api/x' })
  expect(gone).toMatchObject({ status: 422, body: { error: expect.stringContaining('http://127.0.0.1:9') } })
  // The client prints only the status, so the reason must be in the log.
  const logged = async () => JSON.stringify((await from.ask('GET', 'logs?last_id=0')).body)
  await expect.poll(logged).toContain('INGOT_OUTGOING=10.1.2.3')
})

test('a server of this machine is open where INGOT_OUTGOING lists it, and not because the request comes from here', async () => {
  // A proxy on this machine that adds no headers would send the same request.
  const { port } = new URL(to.url)
  for (const host of ['127.0.0.2', '[::1]']) {
    const asked = await from.ask('POST', 'instance_clone_exports', { address: `http://${host}:${port}/api/x` })
    expect(asked).toMatchObject({ status: 422, body: { error: expect.stringContaining(`set INGOT_OUTGOING=${host}`) } })
  }
})

test('a copy is for tokens that may do everything, and is told to addresses of the web only', async () => {
  const { sql } = ground.ingot.database
  for (const scope of ['deploy', 'read', 'write', 'exec'] as const) {
    const { token } = await createToken(sql, scope, scope)
    expect((await from.ask('POST', 'instance_clone_exports', { address: 'http://127.0.0.1/' }, token)).status).toBe(403)
    expect((await from.ask('POST', 'instance_clone_imports', {}, token)).status).toBe(403)
  }
  for (const address of ['file:///etc/passwd', 'none', 7])
    expect((await from.ask('POST', 'instance_clone_exports', { address })).status).toBe(422)
})
