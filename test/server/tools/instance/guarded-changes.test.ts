/** Tests who may change files of a deployed site by mutations, what happens to simultaneous changes, and how changes are undone. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rollbackTargets } from '../../../../server/tools/instance/deploys/rollback-targets.ts'
import { createToken, createUserToken, type TokenScope } from '../../../../server/data/store/tokens.ts'
import { testDatabase } from '../../../support/database.ts'
import { builtQueueSite } from '../../operate/jobs/queue-site.ts'
import { type Changer, changerOf } from './changes-setup.ts'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const CREATE =
  'mutation { admin_page_create(page: { physical_file_path: "views/pages/made.liquid", content: "made" }) { id } }'
const SITE: Readonly<Record<string, string>> = {
  'app/views/pages/index.liquid': 'home',
  'app/views/pages/change.liquid': `{% graphql g %}${CREATE}{% endgraphql %}{{ g | json }}`,
  'app/schema/note.yml': 'name: note\nproperties:\n- name: title\n',
}

let ground: InstanceSetup
let instance: Instance
let changer: Changer

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('guarded', { INGOT_WORKERS: '2' })
  expect(await instance.deploy(siteZip(SITE))).toMatchObject({ status: 'success' })
  changer = changerOf(instance, ground)
})

afterAll(() => ground.clean())

async function tokenOf(scope: TokenScope): Promise<string> {
  return (await createToken(ground.ingot.database.sql, scope, scope)).token
}

test('a token of the scope deploy changes files, and does nothing else', async () => {
  const { ask, shown } = changer
  const token = await tokenOf('deploy')
  expect((await ask(CREATE, {}, token)).errors).toBeUndefined()
  expect(await shown('/made')).toEqual(['200 made'])
  const page = 'admin_page_delete(physical_file_path: "views/pages/made.liquid")'
  for (const document of [
    '{ admin_pages { total_entries } }',
    `mutation { ${page} { id } record_create(record: { table: "note" }) { id } }`,
    `mutation { ...a ${page} { id } } fragment a on RootMutation { constant_set(name: "A", value: "b") { name } }`,
    `mutation { __typename ... on RootMutation { user_create(user: { email: "a@b.c" }) { id } } ${page} { id } }`,
    'mutation { admin_table_update(physical_file_path: "schema/note.yml", table: {}) { records_count_rc } }',
    'mutation { __typename }',
  ])
    expect((await ask(document, {}, token)).errors?.[0]?.extensions, document).toEqual({ code: 'FORBIDDEN' })
  expect(await shown('/made')).toEqual(['200 made'])
  expect(
    (await ask(`mutation { __typename it: ${page} { content authorization_policies { name } } }`, {}, token)).data,
  ).toEqual({
    __typename: 'RootMutation',
    it: { content: 'made', authorization_policies: [] },
  })
})

test('no other token changes files', async () => {
  const { ask, shown } = changer
  await ground.ingot.database.sql`insert into ingot.users (email, slug) values ('a@example.com', 'a')`
  const ofUser = await createUserToken(ground.ingot.database.sql, 'a@example.com', 'x', 'write', 1)
  for (const token of [await tokenOf('read'), await tokenOf('write'), await tokenOf('exec'), ofUser?.token ?? ''])
    expect((await ask(CREATE, {}, token)).errors?.[0]).toMatchObject({
      message: '`admin_page_create` needs a token with the scope deploy or admin',
    })
  expect((await ask(CREATE, {}, 'wrong')).errors?.[0]?.message).toContain('A valid token is needed')
  // A template cannot change files. The token of the visitor does not matter.
  expect((await shown('/change'))[0]).toContain('Only clients of `/api/graph`')
  expect((await shown('/made'))[0]).toMatch(/^404/)
})

test('a server of a folder refuses changes', async () => {
  const built = builtQueueSite({ jobs: {} })
  const database = await testDatabase()
  const server = ground.ingot.start(['serve', built.root], {
    INGOT_API_TOKEN: 'secret-of-the-folder',
    DATABASE_URL: database.url,
  })
  const url = `http://127.0.0.1:${await server.port()}`
  const response = await fetch(`${url}/api/graph`, {
    method: 'POST',
    headers: { authorization: 'Token secret-of-the-folder', 'content-type': 'application/json' },
    body: JSON.stringify({ query: CREATE }),
  })
  expect(await response.json()).toMatchObject({
    data: null,
    errors: [{ message: expect.stringContaining('`ingot serve --instance`'), path: ['admin_page_create'] }],
  })
  server.child.kill('SIGTERM')
  await server.exitCode
  await database.close()
})

test('simultaneous changes all land, also of one file', async () => {
  const { ask, change, fileText, shown } = changer
  const file = 'views/pages/shared.liquid'
  await change(`admin_page_create(page: { physical_file_path: "${file}", content: "0" })`, 'id')
  const pages = Array.from({ length: 6 }, (_, at) =>
    ask(
      `mutation { admin_page_create(page: { physical_file_path: "views/pages/n${at}.liquid", content: "n${at}" }) { content } }`,
    ),
  )
  const settings = [
    'slug: "shared"',
    'searchable: true',
    'subdomain: null',
    'content: "1"',
    'layout: ""',
    'max_deep_level: 1',
  ].map((setting) => ask(`mutation { admin_page_update(physical_file_path: "${file}", page: { ${setting} }) { id } }`))
  const synced = instance.sync('views/pages/synced.liquid', 'synced')
  const results = await Promise.all([...pages, ...settings])
  expect(results.flatMap(({ errors = [] }) => errors)).toEqual([])
  expect(await synced).toMatchObject({ status: 200 })
  const lines = ((await fileText(`app/${file}`)) ?? '').split('\n')
  expect(lines.toSorted()).toEqual([
    '---',
    '---',
    '1',
    'layout: ""',
    'max_deep_level: 1',
    'searchable: true',
    'slug: shared',
  ])
  expect(await Promise.all(['/n0', '/n5', '/shared', '/synced'].map((path) => shown(path)))).toEqual([
    ['200 n0'],
    ['200 n5'],
    ['200 1'],
    ['200 synced'],
  ])
  // Of two that create one file, one is refused.
  const one =
    'mutation { admin_page_create(page: { physical_file_path: "views/pages/once.liquid", content: "x" }) { id } }'
  const both = await Promise.all([ask(one), ask(one)])
  expect(both.filter(({ errors }) => errors !== undefined)).toHaveLength(1)
})

test('the mutations of an operation make one request, with or without a release', async () => {
  const { sql } = ground.ingot.database
  const { ask } = changer
  const count = async () =>
    (
      await sql<
        { n: number; releases: number }[]
      >`select count(*)::int as n, count(release)::int as releases from ingot.deploys where kind = 'change'`
    )[0]
  const before = await count()
  const three = await ask(`mutation {
    a: admin_page_create(page: { physical_file_path: "views/pages/x.liquid", content: "x" }) { id }
    b: admin_table_create(table: { physical_file_path: "schema/one.yml" }) { name }
    c: admin_property_create(property: { name: "nick", target_type: User }) { name }
  }`)
  expect(three.errors).toBeUndefined()
  expect(await count()).toEqual({ n: (before?.n ?? 0) + 1, releases: (before?.releases ?? 0) + 1 })
  await ask(
    'mutation { a: admin_page_update(physical_file_path: "views/pages/x.liquid", page: { content: "y" }) { id } }',
  )
  expect(await count()).toEqual({ n: (before?.n ?? 0) + 2, releases: (before?.releases ?? 0) + 1 })
})

test('a request that is executed again after a crash changes nothing more', async () => {
  const { ask, shown } = changer
  const { sql } = ground.ingot.database
  const file = 'views/pages/twice'
  const done = await ask(`mutation {
    a: admin_page_create(page: { physical_file_path: "${file}.liquid", content: "twice" }) { id }
    b: admin_page_update(physical_file_path: "${file}.liquid", page: { physical_file_path: "${file}-moved.liquid", slug: "twice" }) { id }
  }`)
  expect(done.errors).toBeUndefined()
  const [row] = await sql<{ id: string }[]>`
    update ingot.deploys set status = 'in_progress', ended_at = null, result = '{}'
    where id = (select max(id) from ingot.deploys where kind = 'change') returning id, pg_notify('ingot_deploys', id::text)`
  const state = async () =>
    (
      await sql<
        { status: string; result: object }[]
      >`select status, result from ingot.deploys where id = ${row?.id ?? ''}`
    )[0]
  await expect.poll(state, { timeout: 20_000 }).toMatchObject({
    status: 'success',
    result: { changed: [[`app/${file}.liquid`], [`app/${file}-moved.liquid`]] },
  })
  expect(await shown('/twice')).toEqual(['200 twice'])
})

test('results that cannot be shown do not undo a change', async () => {
  const { ask } = changer
  const { data, errors } = await ask(
    'mutation { it: admin_page_create(page: { physical_file_path: "views/pages/odd.liquid", content: "odd", dynamic_cache_key: "{{ 1 | divided_by: 0 }}", redirect_code: null }) { slug dynamic_cache_key } }',
  )
  const error = {
    message: expect.stringContaining('divided by 0'),
    path: ['it'],
    locations: expect.anything(),
    extensions: { code: 'value' },
  }
  expect([data, errors]).toEqual([{ it: null }, [error]])
  const listed = await ask('{ admin_pages(filter: { slug: { value: "odd" } }) { results { dynamic_cache_key } } }')
  expect(listed.errors).toEqual([{ ...error, path: ['admin_pages'] }])
})

test('what cannot be stored is refused', async () => {
  for (const text of ['a\0b', '\ud800'])
    expect(
      await changer.refusal(
        'admin_page_create(page: { physical_file_path: "views/pages/y.liquid", content: $text })',
        'id',
        { text },
        '($text: String)',
      ),
    ).toContain('NUL byte')
})

test('a rollback undoes changes, and deploys stay behind many of them', async () => {
  const { ask, change, shown } = changer
  const { sql } = ground.ingot.database
  await instance.deploy(siteZip({ ...SITE, 'app/views/pages/index.liquid': 'second deploy', 'app/schema/one.yml': '' }))
  await ask(
    'mutation { record_create(record: { table: "note", properties: [{ name: "title", value: "kept" }] }) { id } }',
  )
  await change('admin_page_create(page: { physical_file_path: "views/pages/later.liquid", content: "later" })', 'id')
  await change('admin_table_create(table: { physical_file_path: "schema/two.yml" })', 'id')
  expect(await shown('/later')).toEqual(['200 later'])
  await change('admin_page_update(physical_file_path: "views/pages/later.liquid", page: { content: "edited" })', 'id')
  expect(await shown('/later')).toEqual(['200 edited'])
  const back = async () => {
    const run = await ground.ingot.run(['release', 'rollback', ground.home], {
      INGOT_DATA: `${ground.home}/data-guarded`,
    })
    expect(run, run.said).toMatchObject({ code: 0 })
  }
  // The release before the table, with its edits.
  await back()
  expect(await shown('/later')).toEqual(['200 later'])
  expect((await ask('{ admin_tables(filter: { name: { value: "two" } }) { total_entries } }')).data).toEqual({
    admin_tables: { total_entries: 0 },
  })
  // Changes continue from what is served.
  await change('admin_page_update(physical_file_path: "views/pages/later.liquid", page: { content: "after" })', 'id')
  expect(await shown('/later')).toEqual(['200 after'])
  await back()
  expect((await shown('/later'))[0]).toMatch(/^404/)
  const rows = await sql<{ release: string; kind: string }[]>`
    select release, kind from ingot.deploys where release is not null order by id desc`
  const deploys = rows.filter(({ kind }) => kind === 'deploy').map(({ release }) => release)
  const changes = rows.filter(({ kind }) => kind === 'change').map(({ release }) => release)
  const targets = await rollbackTargets(sql, [...changes, ...deploys], 1)
  expect(targets).toEqual([changes[0], deploys[0]])
})
