/** Tests deploys of the platform's command-line client: archives are served completely or not at all. */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSession } from '../../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'
import { LOCKS } from '../../../../server/data/store/locks.ts'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip, zipOf } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const INDEX = 'app/views/pages/index.liquid'
const SITE = (version: string): Record<string, string> => ({
  [INDEX]: `version ${version} {% render 'part' %}`,
  'app/views/partials/part.liquid': 'part',
  'app/views/pages/other.liquid': `other ${version}`,
})

let ground: InstanceSetup
let instance: Instance

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('one', { INGOT_WORKERS: '2' })
})

afterAll(() => ground.clean())

test('a server begins with nothing, and serves what is deployed', async () => {
  expect((await fetch(instance.url)).status).toBe(404)
  const end = await instance.deploy(siteZip(SITE('1')))
  expect(end).toMatchObject({
    status: 'success',
    report: { Page: { upserted: [INDEX, 'app/views/pages/other.liquid'] } },
  })
  expect(await instance.text('/')).toBe('version 1 part')
})

test('a full deploy takes away what it does not hold, a partial one leaves it', async () => {
  await instance.deploy(siteZip({ [INDEX]: 'version 2' }), { partial: true })
  expect([await instance.text('/'), await instance.text('/other')]).toEqual(['version 2', 'other 1'])
  const { report } = await instance.deploy(siteZip({ [INDEX]: 'version 3' }))
  expect(report).toMatchObject({
    Page: { upserted: [INDEX], deleted: ['app/views/pages/other.liquid'], skipped: [] },
    Partial: { deleted: ['app/views/partials/part.liquid'] },
  })
  expect(await instance.text('/')).toBe('version 3')
  expect((await fetch(`${instance.url}/other`)).status).toBe(404)
})

test('all errors of a deploy are told at once, each with its place, and the site stays', async () => {
  await instance.deploy(siteZip(SITE('4')))
  const end = await instance.deploy(
    siteZip({ ...SITE('5'), [INDEX]: '\n{% if %}', 'app/views/pages/other.liquid': "{% render 'none' %}" }),
  )
  expect(end).toMatchObject({ status: 'error', error: { details: {} } })
  expect(end.error?.error).toContain(`${INDEX}:2: `)
  expect(end.error?.error).toContain('app/views/pages/other.liquid:1: ')
  expect(await instance.text('/')).toBe('version 4 part')
  const alone = await instance.deploy(siteZip({ ...SITE('5'), 'app/schema/item.yml': 'name: item\nproperties: [' }))
  expect(alone).toMatchObject({ status: 'error', error: { details: { file_path: 'app/schema/item.yml' } } })
})

test('a dry run tells the errors and the report, and changes nothing', async () => {
  await instance.deploy(siteZip(SITE('6')))
  const fine = await instance.deploy(siteZip(SITE('7')), { dryRun: true })
  expect(fine).toMatchObject({
    status: 'success',
    report: { Page: { upserted: [INDEX, 'app/views/pages/other.liquid'] } },
  })
  expect(await instance.deploy(siteZip({ [INDEX]: '{% if %}' }), { dryRun: true })).toMatchObject({ status: 'error' })
  expect(await instance.text('/')).toBe('version 6 part')
})

test('archives that are no site of files are refused with a reason, and nothing is changed', async () => {
  await instance.deploy(siteZip(SITE('8')))
  const good = { name: INDEX, text: 'wrong' }
  const whole = siteZip(SITE('9'))
  const refused: readonly (readonly [Buffer, RegExp])[] = [
    [zipOf([good, { name: '../out.liquid', text: 'x' }]), /leads out of the site/],
    [zipOf([good, { name: 'app/../../out.liquid', text: 'x' }]), /leads out of the site/],
    [zipOf([good, { name: '/etc/passwd', text: 'x' }]), /absolute/],
    [zipOf([good, { name: 'C:/x.liquid', text: 'x' }]), /absolute/],
    [zipOf([good, { name: 'app/views/pages/a\\b.liquid', text: 'x' }]), /refused/],
    [zipOf([good, { name: 'app/views/pages/link.liquid', text: '/etc/passwd', mode: 0o120777 }]), /a link/],
    [
      zipOf([good, { name: INDEX.toUpperCase().replace('APP', 'app'), text: 'x' }]),
      /differ only in upper and lower case/,
    ],
    [
      zipOf([
        { name: 'app/views/pages/\u00e9.liquid', text: 'x' },
        { name: 'app/views/pages/e\u0301.liquid', text: 'x' },
      ]),
      /differ only in upper and lower case, or in Unicode normalization/,
    ],
    [zipOf([good, good]), /twice/],
    [zipOf([good, { name: `${INDEX}/inside`, text: 'x' }]), /a file and a folder/],
    [zipOf([good, { name: 'app/bomb', text: 'x', claims: 4_000_000_000 }]), /would unpack to more than/],
    [zipOf([good, { name: 'app/lies', text: 'x'.repeat(100_000), claims: 10 }]), /refused/],
    [zipOf(Array.from({ length: 65_500 }, (_, at) => ({ name: `app/${at}`, text: '' }))), /at most \d+ are allowed/],
    [whole.subarray(0, whole.length - 60), /incomplete, or not a zip archive/],
    [Buffer.from('no archive'), /incomplete, or not a zip archive/],
    [zipOf([{ name: 'elsewhere/a.liquid', text: 'x' }]), /contains no site/],
  ]
  for (const [archive, why] of refused) {
    const end = await instance.deploy(archive)
    expect(end).toMatchObject({ status: 'error', error: { error: expect.stringMatching(why) as string, details: {} } })
  }
  expect(await instance.text('/')).toBe('version 8 part')
})

test('tables that rows stand against are refused with the rows counted, and nothing is changed', async () => {
  const table = (type: string) => `name: item\nproperties:\n  - name: n\n    type: ${type}\n`
  const query = (text: string) => `query { records(per_page: 9, filter: { table: { value: "item" } }) { ${text} } }`
  const site = (version: string, type: string | null, text: string): Buffer =>
    siteZip({
      [INDEX]: `${version} {% graphql g %}${query(text)}{% endgraphql %}{{ g.records.results | map: 'n' | join }}`,
      'app/views/partials/part.liquid': 'part',
      ...(type !== null && { 'app/schema/item.yml': table(type) }),
    })
  const strings = 'results { n: property(name: "n") }'
  const numbers = 'results { n: property_int(name: "n") }'
  await instance.deploy(site('a', 'string', strings))
  const create = (n: string) =>
    `{% graphql g %}mutation { record_create(record: { table: "item", properties: [{ name: "n", value: "${n}" }] }) { id } }{% endgraphql %}`
  const content = `${create('12')}${create('twelve')}`
  expect(await instance.ask('POST', 'liquid_exec', { content })).toMatchObject({ status: 200, body: { error: null } })
  const refused = (why: RegExp) => ({
    status: 'error',
    error: { error: expect.stringMatching(why) as string, details: {} },
  })
  for (const dryRun of [true, false]) {
    expect(await instance.deploy(site('b', 'integer', numbers), { dryRun })).toMatchObject(
      refused(/app\/schema\/item\.yml: property `n` .*1 of 2 records .*"twelve"/),
    )
    expect(await instance.deploy(siteZip(SITE('c')), { dryRun })).toMatchObject(
      refused(/`item`.*2 rows.*records_delete_all/s),
    )
  }
  const synced = await instance.sync('schema/item.yml', table('integer'))
  expect(synced).toMatchObject({ status: 422, body: { errors: [expect.stringContaining('Validation failed')] } })
  expect(await instance.sync('schema/item.yml', null)).toMatchObject({ status: 422 })
  expect((await instance.text('/')).split(' ').toSorted()).toEqual(['12', 'a', 'twelve'])

  // Without the value that cannot be converted, the deployment succeeds, in both directions.
  const rows = `{% graphql g %}mutation { records_delete_all(table: "item", filter: { properties: [{ name: "n", value: "twelve" }] }) { count } }{% endgraphql %}`
  expect(await instance.ask('POST', 'liquid_exec', { content: rows })).toMatchObject({ body: { error: null } })
  expect(await instance.deploy(site('b', 'integer', numbers), { dryRun: true })).toMatchObject({ status: 'success' })
  expect(await instance.text('/')).toBe('a 12')
  expect(await instance.deploy(site('b', 'integer', numbers))).toMatchObject({ status: 'success' })
  expect(await instance.text('/')).toBe('b 12')
  expect(await instance.deploy(site('a', 'string', strings))).toMatchObject({ status: 'success' })
  expect(await instance.text('/')).toBe('a 12')
  const all = `{% graphql g %}mutation { records_delete_all(table: "item") { count } }{% endgraphql %}`
  expect(await instance.ask('POST', 'liquid_exec', { content: all })).toMatchObject({ body: { error: null } })
  expect(await instance.deploy(siteZip(SITE('c')))).toMatchObject({ status: 'success' })
  expect(await instance.deploy(site('a', 'string', strings))).toMatchObject({ status: 'success' })
})

test('what is only warned of is told of the application, and counted of modules', async () => {
  const lacking = "{{ 'lacking.css' | asset_url }}"
  const site = {
    'app/views/pages/index.liquid': `${lacking}{% render 'modules/m/one' %}`,
    'app/assets/a.txt': 'a',
    'modules/m/public/views/partials/one.liquid': `${lacking}${lacking}`,
  }
  const { warning = '' } = (await instance.deploy(siteZip(site), { dryRun: true })) as { warning?: string }
  expect(warning).toMatch(/^app\/views\/pages\/index\.liquid:1: There is no asset named `lacking\.css`\./)
  expect(warning).toMatch(/\n\d+ in modules: `ingot check` shows them\.$/)
  expect(warning).not.toContain('modules/m/public')
})

test('of two deploys at once the second waits, says so, and is served at last', async () => {
  const ids: string[] = []
  const session = createSession(readDatabaseUrl(ground.ingot.database.url, 'DATABASE_URL'), 'test', () => undefined)
  await session`select pg_advisory_lock(${LOCKS.release})`
  try {
    for (const version of ['10', '11']) ids.push(await instance.send(siteZip(SITE(version))))
    const [first = '', second = ''] = ids
    const { body } = await instance.ask('GET', `marketplace_releases/${second}`)
    expect(body).toMatchObject({
      status: 'ready_for_import',
      warning: expect.stringContaining(`Deploy ${first} `) as string,
    })
  } finally {
    await session.end()
  }
  for (const id of ids) expect(await instance.done(id)).toMatchObject({ status: 'success' })
  expect(await instance.text('/')).toBe('version 11 part')
})

test('a token that reads data deploys nothing', async () => {
  const { ask } = instance
  expect(await ask('POST', 'marketplace_releases', new FormData(), 'none')).toMatchObject({ status: 401 })
  const { said } = await ground.ingot.run(['token', 'create', '--scope', 'write', ground.home])
  const token = /ingot_[\da-f]{64}/.exec(said)?.[0] ?? ''
  expect(await ask('GET', 'marketplace_releases/1', null, token)).toMatchObject({ status: 403 })
})

test('no visitor is lost while sites are deployed', async () => {
  await instance.deploy(siteZip(SITE('20')))
  let over = false
  let visits = 0
  const failed: string[] = []
  const visitor = async (): Promise<void> => {
    while (!over) {
      const text = await instance.text('/').catch(String)
      visits++
      if (!/^version 2\d part$/.test(text)) failed.push(text)
      await sleep(10)
    }
  }
  const crowd = [visitor(), visitor()]
  for (const version of ['21', '22']) await instance.deploy(siteZip(SITE(version)))
  over = true
  await Promise.all(crowd)
  expect(failed).toEqual([])
  expect(visits).toBeGreaterThan(0)
  expect(await instance.text('/')).toBe('version 22 part')
})

test('a deploy whose process is killed is taken up by the next one', async () => {
  const maker = (): number[] => {
    const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
    const own = all.filter(
      (line) => line.includes('deploy-worker.mjs') && line.includes(` ${instance.server.child.pid} `),
    )
    return own.map((line) => Number(line.trim().split(/\s+/)[0]))
  }
  const id = await instance.send(siteZip(SITE('30')))
  for (const pid of maker()) process.kill(pid, 'SIGKILL')
  expect(await instance.done(id)).toMatchObject({ status: 'success' })
  expect(await instance.text('/')).toBe('version 30 part')
})

test('a server that is killed in the midst of a deploy serves the old site or the new when it is started again', async () => {
  const id = await instance.send(siteZip(SITE('31')))
  await sleep(Math.random() * 1_000)
  instance.server.child.kill('SIGKILL')
  await instance.server.exitCode
  instance = await ground.again(instance, 'one')
  expect(await instance.text('/')).toMatch(/^version 3[01] part$/)
  expect(await instance.done(id)).toMatchObject({ status: 'success' })
  expect(await instance.text('/')).toBe('version 31 part')
})
