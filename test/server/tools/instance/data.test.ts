/** Tests the data API: imports are complete or fail, exports return the same data, and removal needs a confirmation. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createToken, type TokenScope } from '../../../../server/data/store/tokens.ts'
import {
  archiveImported,
  begun,
  ended,
  exported,
  exportForm,
  HOUSES,
  imported,
  importOf,
  killWorkers,
  sentFile,
} from './data-setup.ts'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip, zipOf } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let ground: InstanceSetup
let instance: Instance
let elsewhere: Server
let asked: string[] = []

beforeAll(async () => {
  ground = await openInstanceSetup()
  elsewhere = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(/^\/(?:uploads\/.*\/)?plan\.txt$/.test(request.url ?? '') ? 200 : 404)
    response.end('a plan from elsewhere')
  })
  await new Promise<void>((done) => elsewhere.listen(0, done))
  instance = await ground.open('data', { INGOT_OUTGOING: '127.0.0.2' })
  await instance.deploy(HOUSES)
})

afterAll(async () => {
  await ground.clean()
  await new Promise((done) => elsewhere.close(done))
})

beforeEach(async () => {
  asked = []
  await ended(instance, `data_clean/${await begun(instance, 'data_clean', { confirmation: 'CLEAN DATA' })}`)
})

const TOWN = {
  users: [
    { id: '77', email: 'ann@example.com', password: 'secret-word', created_at: '2020-01-01T00:00:00Z', profiles: [] },
  ],
  models: [
    {
      id: '6',
      type_name: 'car',
      user_id: '77',
      properties: { color: 'red', house_id: '5' },
      deleted_at: '2021-02-03T00:00:00Z',
    },
    { id: '5', type_name: 'house', user_id: '77', created_at: '2020-01-02T00:00:00Z', properties: { street: 'Elm' } },
  ],
  transactables: [],
}

async function rows(): Promise<readonly Record<string, unknown>[]> {
  return ground.ingot.database.sql`
    select t.name as table, r.external_id, r.user_id, r.properties, r.created_at, r.deleted_at, r.id
    from ingot.records r join ingot.tables t on t.id = r.table_id order by r.external_id, r.id`
}

test('rows come in with ids mapped, relations, times and deleted rows, and nothing is sent', async () => {
  expect(await imported(instance, TOWN)).toMatchObject({ status: 'done', counts: { read: 3, added: 3 } })
  const { sql } = ground.ingot.database
  const [user] = await sql`select id, email, external_id from ingot.users`
  const [house, car] = await rows()
  expect(user).toMatchObject({ email: 'ann@example.com', external_id: '77' })
  expect(house).toMatchObject({
    ...{ table: 'house', external_id: '5', user_id: user?.['id'], properties: { street: 'Elm' } },
    created_at: new Date('2020-01-02T00:00:00Z'),
  })
  expect(car).toMatchObject({
    properties: { color: 'red', house_id: String(house?.['id']) },
    deleted_at: new Date('2021-02-03T00:00:00Z'),
  })
  expect(await sql`select from ingot.notifications`).toHaveLength(0)
  expect(await sql`select from ingot.jobs`).toHaveLength(0)
  // Importing the same data again changes nothing.
  expect(await imported(instance, { ...TOWN, users: [] })).toMatchObject({ counts: { added: 0, same: 2 } })
  expect(await instance.text('/')).toBe('1 rows')
})

test('what goes out comes in again, as JSON and as an archive', async () => {
  await imported(instance, TOWN)
  const { data } = await exported(instance)
  expect(data?.models.results).toMatchObject([
    { id: '6', type_name: 'car', properties: { house_id: '5' }, deleted_at: '2021-02-03T00:00:00.000Z' },
    { id: '5', type_name: 'house', user_id: '77', created_at: '2020-01-02T00:00:00.000Z' },
  ])
  expect(data?.users.results).toMatchObject([{ id: '77', email: 'ann@example.com', profiles: [] }])
  const raw = await exported(instance, true)
  const [house] = (await rows()).filter((row) => row['table'] === 'house')
  expect(raw.data?.models.results).toContainEqual(
    expect.objectContaining({ id: house?.['id'], external_id: '5', type_name: 'house' }),
  )
  const before = await rows()
  const path = `exports/${await begun(instance, 'exports?csv_export=true', exportForm())}`
  const { zip_file_url } = await ended(instance, `${path}?csv_export=true`)
  const archive = await fetch(zip_file_url ?? '')
  expect(archive.status).toBe(200)
  // The address without its signature gives no access.
  expect((await fetch((zip_file_url ?? '').replace(/&signature=.*/, ''))).status).toBe(401)
  const bytes = Buffer.from(await archive.arrayBuffer())
  await ended(instance, `data_clean/${await begun(instance, 'data_clean', { confirmation: 'CLEAN DATA' })}`)
  expect(await archiveImported(instance, bytes)).toMatchObject({ status: 'done', counts: { added: 3 } })
  expect(await rows()).toEqual(before)
})

test('an archive keeps its ids, a wrong row of it is named with its line, and an export without rows comes in', async () => {
  const { sql } = ground.ingot.database
  const archive = (...lines: readonly string[]) =>
    zipOf([{ name: 'records.csv', text: ['id,user_id,model_schema,properties', ...lines, ''].join('\n') }])
  const house = '101,,house,"{""street"": ""Oak""}"'
  const car = '102,,car,"{""house_id"": ""101""}"'
  expect(await archiveImported(instance, archive(house, car))).toMatchObject({ counts: { added: 2 } })
  const kept = await rows()
  expect(kept).toMatchObject([{ id: '101' }, { id: '102', properties: { house_id: '101' } }])
  expect(await archiveImported(instance, archive(house, car))).toMatchObject({ counts: { added: 0, same: 2 } })
  expect(await archiveImported(instance, archive('101,,house,"{""street"": ""Elm""}"', '103,,boat,{}'))).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/records\.csv:3: .*there is no table 'boat'/),
  })
  expect(await rows()).toEqual(kept)
  const [next] =
    await sql`insert into ingot.records (table_id, properties) select table_id, '{}' from ingot.records limit 1 returning id`
  expect(next).toMatchObject({ id: '103' })
  await ended(instance, `data_clean/${await begun(instance, 'data_clean', { confirmation: 'CLEAN DATA' })}`)
  const path = `exports/${await begun(instance, 'exports?csv_export=true', exportForm())}`
  const { zip_file_url } = await ended(instance, `${path}?csv_export=true`)
  const bytes = Buffer.from(await (await fetch(zip_file_url ?? '')).arrayBuffer())
  expect(await archiveImported(instance, bytes)).toMatchObject({ status: 'done', counts: { read: 0, added: 0 } })
})

test('files of an archive take the place of the paths that rows name, whichever of both comes first', async () => {
  const { body } = await instance.ask('GET', 'instance')
  const send = (files: Parameters<typeof zipOf>[0]): Promise<string> =>
    sentFile(
      instance,
      `instances/${body.id}/property_uploads/data.public_property_upload_import.zip`,
      files.length === 0 ? Buffer.from('no archive') : zipOf(files),
    )
  const house = (id: string, path: string): object => {
    const file = { path, file_name: 'plan.txt', extension: '.txt', versions: {} }
    return { id, type_name: 'house', properties: { street: id, plan: file } }
  }
  await imported(instance, { models: [house('1', 'plans/a.txt'), house('2', 'plans/never.txt')] })
  await send([
    { name: 'plans/', text: '' },
    { name: 'plans/a.txt', text: 'the first plan' },
    { name: 'plans/Plän b.txt', text: 'the second plan' },
    { name: '__MACOSX/plans/._a.txt', text: 'junk' },
  ])
  expect(await imported(instance, { models: [house('3', 'plans/Plän b.txt')] })).toMatchObject({ status: 'done' })
  const [, never] = await rows()
  expect(never).toMatchObject({ properties: { plan: { path: 'plans/never.txt' } } })
  const { data } = await exported(instance)
  const textOf = async (id: string): Promise<string> => {
    const row = data?.models.results.find((each) => each['id'] === id) as { properties: { plan: { path: string } } }
    expect(row.properties.plan.path).toMatch(/\/uploads\/private\//)
    return (await fetch(row.properties.plan.path)).text()
  }
  expect([await textOf('1'), await textOf('3')]).toEqual(['the first plan', 'the second plan'])
  // Mistakes in an archive are reported immediately, in the response to the upload.
  await expect(send([{ name: '../a.txt', text: '' }])).rejects.toThrow('was not taken: 422')
  await expect(send([])).rejects.toThrow('was not taken: 422')
})

test('files that rows name are copied: those that were sent, those kept here, and those of other servers that may be asked', async () => {
  const plan = await sentFile(instance, 'uploads/0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f/plan.txt', Buffer.from('a plan'))
  const port = (elsewhere.address() as AddressInfo).port
  const inside = `http://127.0.0.1:${port}/plan.txt`
  const house = (id: string, more: object): object => ({ id, type_name: 'house', properties: { street: id }, ...more })
  const done = await imported(instance, {
    models: [
      house('1', { attachments: [{ name: 'plan', url: plan }] }),
      house('2', { attachments: [{ name: 'deed', url: plan }] }),
      house('3', { attachments: [{ name: 'plan', url: inside }] }),
    ],
  })
  expect(done).toMatchObject({ status: 'done', counts: { added: 3 } })
  // No request is sent to an address in the server's own network, and the row keeps this address.
  expect(asked).toEqual([])
  expect(done.warnings).toEqual([expect.stringContaining(`${inside} was not downloaded`)])
  const [first, , third] = await rows()
  expect(first).toMatchObject({ properties: { plan: { path: expect.stringMatching(/^uploads\/private\//) } } })
  expect(third).toMatchObject({ properties: { plan: { path: inside } } })
  const { data } = await exported(instance)
  const shown = data?.models.results.find(({ id }) => id === '1') as { properties: { plan: { path: string } } }
  // The addresses of private files contain a signature, so that the files can be fetched.
  expect(await (await fetch(shown.properties.plan.path)).text()).toBe('a plan')
  expect((await fetch(shown.properties.plan.path.replace(/\?.*/, ''))).status).not.toBe(200)
  const second = data?.models.results.find(({ id }) => id === '2') as { attachments: { name: string; url: string }[] }
  expect(second.attachments).toMatchObject([{ name: 'deed' }])
  expect(await (await fetch(second.attachments[0]?.url ?? '')).text()).toBe('a plan')
  // If they are imported again, the stored files are reused.
  const again = await imported(instance, { models: [{ ...shown, attachments: [] }] })
  expect(again).toMatchObject({ status: 'done', counts: { same: 1 } })
})

test('one wrong row undoes all, and says where it is', async () => {
  await imported(instance, TOWN)
  const before = await rows()
  const failed = await imported(instance, {
    models: [
      { id: '5', type_name: 'house', properties: { street: 'Oak' } },
      { id: '7', type_name: 'boat', properties: {} },
    ],
  })
  expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining("there is no table 'boat'") })
  expect(await rows()).toEqual(before)
})

const COLUMNS = 'id,model_schema,properties,created_at\n'

test('files that are none are refused with a reason, and nothing is changed', async () => {
  await imported(instance, TOWN)
  const before = await rows()
  const good = { name: 'records.csv', text: `${COLUMNS}9,house,"{""street"":""Oak""}",\n` }
  const refused: readonly (readonly [Buffer, RegExp])[] = [
    [Buffer.from('no archive'), /archive/],
    [zipOf([good]).subarray(0, 80), /archive/],
    [zipOf([good, { name: '../users.csv', text: 'id\n1\n' }]), /relative path/],
    [zipOf([{ name: 'notes.txt', text: 'x' }]), /no records\.csv/],
    [zipOf([{ ...good, text: `${COLUMNS}9,house,"{""street""",\n` }]), /does not contain valid JSON/],
    [zipOf([{ ...good, text: `${COLUMNS}9,boat,{},\n` }]), /no table 'boat'/],
    [zipOf([{ ...good, text: `${COLUMNS}9,house,{},yesterday evening\n` }]), /created_at/],
    [zipOf([{ ...good, claims: 2_000_000_000 }]), /would unpack to/],
    [zipOf([{ ...good, claims: 10 }]), /archive cannot be read/],
  ]
  for (const [bytes, why] of refused)
    expect(await archiveImported(instance, bytes), String(why)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(why),
    })
  for (const text of ['{"import":{"data":{"models":[', '{"import":{"data":{"models":{"a":1}}}}', '[]', '{"rows":[]}']) {
    const answer = await fetch(`${instance.url}/api/app_builder/imports`, {
      method: 'POST',
      headers: { authorization: `Token ${instance.token}`, 'content-type': 'application/json' },
      body: text,
    })
    const { id } = (await answer.json()) as { id: number }
    expect(await ended(instance, `imports/${id}`), text).toMatchObject({ status: 'failed' })
  }
  const outside = await begun(instance, 'imports', { zip_file_url: 'http://127.0.0.1:1/data.zip', raw_ids: false })
  expect(await ended(instance, `imports/${outside}`)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/could not be downloaded: its address is not a URL that can be fetched/),
  })
  expect(await rows()).toEqual(before)
})

test('an update changes what is there, and adds nothing', async () => {
  await imported(instance, TOWN)
  const form = (models: readonly object[]): FormData => {
    const sent = new FormData()
    sent.append('update[data]', new Blob([JSON.stringify({ models })]), 'data-updated.json')
    return sent
  }
  const id = await begun(
    instance,
    'data_updates',
    form([{ id: '5', type_name: 'house', properties: { street: 'Oak' } }]),
  )
  expect(await ended(instance, `data_updates/${id}`)).toMatchObject({ status: 'done', counts: { changed: 1 } })
  expect(await rows()).toMatchObject([{ properties: { street: 'Oak' } }, { properties: { color: 'red' } }])
  const other = await begun(instance, 'data_updates', form([{ id: '8', type_name: 'house', properties: {} }]))
  expect(await ended(instance, `data_updates/${other}`)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/no row/),
  })
  expect(await rows()).toHaveLength(2)
  const { status } = await instance.ask('POST', 'data_updates', new FormData())
  expect(status).toBe(422)
  // An edited export with row ids refers to the same rows.
  const { data } = await exported(instance, true)
  const all = data?.models.results as readonly { type_name: string; properties: object }[]
  const edited = all.map((row) => (row.type_name === 'house' ? { ...row, properties: { street: 'Ash' } } : row))
  const raw = await begun(instance, 'data_updates', form(edited))
  expect(await ended(instance, `data_updates/${raw}`)).toMatchObject({
    status: 'done',
    counts: { changed: 1, same: 1 },
  })
  expect(await rows()).toMatchObject([{ properties: { street: 'Ash' } }, { properties: { color: 'red' } }])
})

test('files of another server that INGOT_OUTGOING lists are taken, and the log tells of those that could not be', async () => {
  const { port } = elsewhere.address() as AddressInfo
  const origin = `http://127.0.0.2:${port}`
  const closed = `http://127.0.0.1:${port}`
  const kept = (name: string): string => `uploads/2020/01/${'ef'.repeat(16)}/${name}`
  const house = (id: string, path: string, at = origin): object => ({
    id,
    type_name: 'house',
    properties: { street: id, plan: { path: `${at}/${path}` } },
  })
  // Although the request comes from this machine, no address on this machine is allowed.
  const models = [
    house('1', 'plan.txt', closed),
    house('2', kept('gone.txt')),
    house('3', kept('plan.txt')),
    house('4', kept('plan.txt'), closed),
  ]
  expect(await imported(instance, { models })).toMatchObject({ status: 'done', counts: { added: 4 } })
  const shown = async () => {
    const { body } = await instance.ask('GET', 'logs?last_id=0')
    const { logs } = body as unknown as { logs: readonly { error_type: string; message: string }[] }
    return logs.findLast(({ error_type }) => error_type === 'warning')?.message ?? ''
  }
  // The client shows only the log.
  const gone = `${origin}/${kept('gone.txt')} was not downloaded, and its row refers to a missing file`
  await expect.poll(shown).toContain(gone)
  expect(await shown()).toContain(`${closed}/plan.txt was not downloaded, and its row keeps this URL`)
  expect(await shown()).not.toContain(`${origin}/${kept('plan.txt')}`)
  expect(asked.toSorted()).toEqual([`/${kept('gone.txt')}`, `/${kept('plan.txt')}`])
  const taken = await ground.ingot.database.sql`
    select r.external_id from ingot.records r join ingot.files f on f.path = r.properties->'plan'->>'path'`
  expect([...taken]).toEqual([{ external_id: '3' }])
})

test('data is removed only where that is said, and the site with it only where that is asked', async () => {
  await imported(instance, TOWN)
  for (const body of [{}, { confirmation: 'clean data' }, { confirmation: true }])
    expect(await instance.ask('POST', 'data_clean', body)).toMatchObject({ status: 422 })
  expect(await rows()).toHaveLength(2)
  const id = await begun(instance, 'data_clean', { confirmation: 'CLEAN DATA', include_schema: true })
  expect(await instance.ask('GET', `data_clean/${id}`)).toMatchObject({
    body: { status: { name: expect.any(String) } },
  })
  expect(await ended(instance, `data_clean/${id}`)).toMatchObject({ status: 'done' })
  expect(await ground.ingot.database.sql`select from ingot.records union all select from ingot.users`).toHaveLength(0)
  expect((await fetch(instance.url)).status).toBe(404)
  await instance.deploy(HOUSES)
  expect(await instance.text('/')).toBe('0 rows')
})

test('the migrations of a removed site run again', async () => {
  const create =
    'mutation { record_create(record: { table: "house", properties: [{ name: "street", value: "Ash" }] }) { id } }'
  const site = siteZip({
    'app/schema/house.yml': 'name: house\nproperties:\n  - name: street\n    type: string\n',
    'app/graphql/seed.graphql': create,
    'app/migrations/20240101000000_seed.liquid': "{% graphql _ = 'seed' %}",
  })
  const clean = async (fields: object): Promise<void> => {
    await ended(
      instance,
      `data_clean/${await begun(instance, 'data_clean', { confirmation: 'CLEAN DATA', ...fields })}`,
    )
  }
  await instance.deploy(site)
  expect(await rows()).toMatchObject([{ table: 'house', properties: { street: 'Ash' } }])
  await clean({})
  await instance.deploy(site)
  expect(await rows()).toEqual([])
  await clean({ include_schema: true })
  await instance.deploy(site)
  expect(await rows()).toMatchObject([{ table: 'house', properties: { street: 'Ash' } }])
  await clean({})
  await instance.deploy(HOUSES)
})

test('a token does what its scope says: to deploy is not to read data, and to read is not to change it', async () => {
  const make = async (scope: TokenScope): Promise<string> =>
    (await createToken(ground.ingot.database.sql, scope, scope)).token
  const asks = async (token: string): Promise<readonly number[]> => {
    const all = [
      await instance.ask('POST', 'exports', exportForm(), token),
      await instance.ask('POST', 'imports', importOf({ models: [] }), token),
      await instance.ask('POST', 'data_updates', new FormData(), token),
      await instance.ask('POST', 'data_clean', { confirmation: 'no' }, token),
    ]
    return all.map(({ status }) => status)
  }
  expect(await asks(await make('deploy'))).toEqual([403, 403, 403, 403])
  expect(await asks(await make('read'))).toEqual([200, 403, 403, 403])
  expect(await asks(await make('write'))).toEqual([200, 200, 422, 403])
  const { body } = await instance.ask('GET', 'instance')
  const address = async (token: string, fileName: string): Promise<number> =>
    (
      await fetch(`${instance.url}/api/private/urls/presign-url?${new URLSearchParams({ fileName })}`, {
        headers: { token },
      })
    ).status
  const [data, assets] = [`instances/${body.id}/data_imports/${'a'.repeat(64)}`, `instances/${body.id}/assets/a.zip`]
  const [deploy, write] = [await make('deploy'), await make('write')]
  expect([await address(deploy, data), await address(write, data)]).toEqual([403, 200])
  expect([await address(deploy, assets), await address(write, assets)]).toEqual([200, 403])
  expect(await address(write, 'uploads/../../etc/passwd')).toBe(422)
  const uploads = `instances/${body.id}/property_uploads/data.zip`
  expect([await address(deploy, uploads), await address(write, uploads)]).toEqual([403, 200])
})

/** The states of an import before it writes anything. */
const MIDST: ReadonlySet<unknown> = new Set(['reading', 'comparing'])

test('an import whose process is killed is taken up by the next one, and is never there by half; another waits for it', async () => {
  const models = Array.from({ length: 12_000 }, (_, at) => ({
    ...{ id: String(at), type_name: at % 2 === 0 ? 'house' : 'car' },
    properties: at % 2 === 0 ? { street: `street ${at}` } : { house_id: String(at - 1) },
  }))
  const id = await begun(instance, 'imports', importOf({ models }))
  const second = await begun(
    instance,
    'imports',
    importOf({ models: [{ id: 'late', type_name: 'house', properties: {} }] }),
  )
  const { sql } = ground.ingot.database
  const counted = async (): Promise<number> => (await sql`select from ingot.records`).length
  let killed = 0
  while (killed === 0) {
    const [row] = await sql`select progress->>'phase' as phase, status from ingot.transfers where id = ${id}`
    expect(row?.['status']).not.toBe('done')
    if (MIDST.has(row?.['phase'])) killed = killWorkers(instance, 'transfer-worker.mjs')
  }
  expect(await counted()).toBe(0)
  expect(await instance.ask('GET', `imports/${second}`)).toMatchObject({ body: { status: 'pending' } })
  expect(await ended(instance, `imports/${id}`)).toMatchObject({ status: 'done', counts: { added: 12_000 } })
  expect(await ended(instance, `imports/${second}`)).toMatchObject({ status: 'done', counts: { added: 1 } })
  expect(await counted()).toBe(12_001)
  const [row] = await sql`select attempts from ingot.transfers where id = ${id}`
  expect(row).toMatchObject({ attempts: 2 })
  const [{ dangling } = {}] = await sql`
    select count(*)::int as dangling from ingot.records c
    where c.properties ? 'house_id' and not exists (
      select from ingot.records h where h.id::text = c.properties->>'house_id')`
  expect(dangling).toBe(0)
})

test('an import in the midst of which the whole server is killed goes on when it is started again', async () => {
  const models = Array.from({ length: 6_000 }, (_, at) => ({
    id: String(at),
    type_name: 'house',
    properties: { street: `street ${at}` },
  }))
  const id = await begun(instance, 'imports', importOf({ models }))
  const { sql } = ground.ingot.database
  for (let phase: unknown = null; !MIDST.has(phase); ) {
    const [row] = await sql`select progress->>'phase' as phase, status from ingot.transfers where id = ${id}`
    expect(row?.['status']).not.toBe('done')
    phase = row?.['phase']
  }
  instance.server.child.kill('SIGKILL')
  await instance.server.exitCode
  const [{ count } = {}] = await sql`select count(*)::int as count from ingot.records`
  expect([0, 6_000]).toContain(count)
  instance = await ground.again(instance, 'data')
  expect(await ended(instance, `imports/${id}`)).toMatchObject({ status: 'done', counts: { added: 6_000 } })
  expect(await sql`select from ingot.records`).toHaveLength(6_000)
})
