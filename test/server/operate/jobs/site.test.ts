/** Tests jobs of a compiled site: `background`, forms and mails queue them, and the job process runs them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FormSnapshot } from '../../../../runtime/data/jobs.ts'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { builtFolder } from '../../../support/server/built-folder.ts'
import { job, jobsOf, queue, until } from './queue-site.ts'

const FILES = {
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n',
  'app/graphql/add.graphql': `mutation add($text: String!) {
  record_create(record: { table: "note", properties: [{ name: "text", value: $text }] }) { id }
}
`,
  'app/views/pages/start.liquid': `---
slug: start
---
{%- background job = 'remember', text: context.params.text, priority: 'high', source_name: 'reminder' -%}
{{ job }}`,
  'app/views/pages/block.liquid': `---
slug: block
---
{%- assign text = context.params.text -%}
{%- background text: text -%}
{%- graphql added = 'add', text: text -%}
{%- endbackground -%}
done`,
  'app/views/partials/remember.liquid': `{%- assign said = text | append: ' by ' | append: context.current_user.id -%}
{%- graphql added = 'add', text: said -%}
`,
  'app/views/partials/broken.liquid': `{% comment %} two
lines {% endcomment %}
{% function result = 'lib/deep', value: 0 %}
`,
  'app/lib/lib/deep.liquid': `{% liquid
  assign result = 1 | divided_by: value
  return result
%}
`,
  'app/views/partials/passes.liquid': `{%- try -%}
{%- assign all = { "of": value } -%}
{%- background job = 'remember', text: all -%}{{ job }}
{%- catch error -%}{{ error.message }}{%- endtry -%}
`,
  'app/views/pages/passes.liquid': `---
slug: passes
---
{%- render 'passes', value: context -%}|
{%- for n in (1..1) -%}{%- render 'passes', value: forloop -%}|{%- render 'passes', value: forloop.index -%}{%- endfor -%}`,
  'app/views/pages/fail.liquid': `---
slug: fail
---
{%- background job = 'broken', max_attempts: 2 -%}
{{ job }}`,
  'app/forms/contact.liquid': `---
name: contact
resource: note
resource_owner: anyone
fields:
  properties:
    text:
async_callback_actions:
  content: |-
    {%- assign said = form.properties.text.value | default: form.properties.text | append: ' of ' | append: form.id -%}
    {%- graphql added = 'add', text: said -%}
---
`,
}

let ingot: Programs
let server: Program
let url: string

beforeAll(async () => {
  const root = await builtFolder(FILES)
  ingot = await programs()
  server = ingot.start(['serve', root], { INGOT_JOB_THREADS: '2', INGOT_SILENCE: '30' })
  url = `http://127.0.0.1:${await server.port()}`
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.exitCode
  await ingot.clean()
})

const texts = async (): Promise<readonly unknown[]> =>
  (await ingot.database.sql`select properties ->> 'text' as text from ingot.records`).map((row) => row['text'])
const page = async (path: string): Promise<string> => (await (await fetch(url + path)).text()).trim()

it('a partial runs with what was passed to it', async () => {
  expect(await page('/start?text=hello')).toMatch(/^\d+$/)
  await until('it has run', async () => (await texts()).includes('hello by '))
})

it('the body of a block does', async () => {
  expect(await page('/block?text=inside')).toBe('done')
  await until('it has run', async () => (await texts()).includes('inside'))
})

it('what means something in the render alone is refused, however it came to the job', async () => {
  const refused =
    'Liquid error (app/views/partials/passes.liquid:3): the job remember cannot be queued: text.of is `context` or the object of a loop, which cannot be stored'
  expect((await page('/passes')).split('|')).toEqual([refused, refused, expect.stringMatching(/^\d+$/)])
})

it('what fails is kept with the places of its templates, in the queue and in the log', async () => {
  const id = await page('/fail')
  const found = async () => (await jobsOf(ingot.database.sql)).find((row) => row['id'] === id)
  await until('it is dead', async () => (await found())?.['state'] === 'DEAD')
  expect(await found()).toMatchObject({
    reason: 'error',
    attempts: 2,
    error_message: expect.stringContaining('divided by 0'),
  })
  expect((await found())?.['stack']).toEqual([
    { path: 'app/lib/lib/deep.liquid', line: 2 },
    { path: 'app/views/partials/broken.liquid', line: 3 },
  ])
  await until('the log has it', async () => {
    const rows = await ingot.database.sql`select message, data from ingot.logs where type = 'error'`
    return rows.length === 2 && rows.every((row) => JSON.stringify(row).includes('deep.liquid'))
  })
  const rows = await ingot.database.sql`select message from ingot.logs where type = 'error'`
  const said = 'Liquid error (app/lib/lib/deep.liquid:2): divided by 0'
  expect(rows.map((row) => row['message'])).toEqual([said, said])
})

it('the callback of a form sees the form as it was sent', async () => {
  const form: FormSnapshot = {
    name: 'contact',
    id: '77',
    userId: null,
    values: { attributes: {}, properties: { text: 'sent' }, nested: {} },
    changes: {},
  }
  const plain = job('')
  await queue(ingot.database.sql, { ...plain, task: { kind: 'callback', form } })
  await until('it has run', async () => (await texts()).includes('sent of 77'))
})

it('one whose template or form is gone is dead at once', async () => {
  const gone: FormSnapshot = {
    name: 'gone',
    id: null,
    userId: null,
    values: { attributes: {}, properties: {}, nested: {} },
    changes: {},
  }
  const plain = job('', {}, { maxAttempts: 5 })
  const ids = await queue(
    ingot.database.sql,
    { ...plain, task: { kind: 'callback', form: gone } },
    { ...plain, task: { kind: 'notification', channel: 'email', name: 'gone', content: { kind: 'data', data: {} } } },
  )
  const found = async () => (await jobsOf(ingot.database.sql)).filter((row) => ids.includes(String(row['id'])))
  await until('both are dead', async () => (await found()).every((row) => row['state'] === 'DEAD'))
  for (const row of await found()) expect(row).toMatchObject({ reason: 'missing' })
})

it('what another version has queued and this one does not know is dead, and says so', async () => {
  const { sql } = ingot.database
  await sql`select graphile_worker.add_job('ingot', '{"task": {"kind": "teleport"}, "__proto__": {"polluted": 1}}'::json, max_attempts => 3)`
  await until('it is dead', async () =>
    (await jobsOf(sql)).some((row) => row['kind'] === 'teleport' && row['state'] === 'DEAD'),
  )
  const found = (await jobsOf(sql)).find((row) => row['kind'] === 'teleport')
  expect(found).toMatchObject({ reason: 'missing', error_message: expect.stringContaining('does not know') })
})

it('a migration that fails is in the log with its place too', async () => {
  const { sql } = ingot.database
  const root = await builtFolder({
    ...FILES,
    'app/migrations/20260101000000_first.liquid': "{% assign one = 1 %}\n{% function two = 'lib/deep', value: 0 %}\n",
  })
  expect(await ingot.run(['migrations', 'run', root])).toMatchObject({ code: 1 })
  const said = await sql`select message, data from ingot.logs where data #>> '{stack,1,path}' like '%_first.liquid'`
  expect(said).toEqual([
    {
      message: 'Liquid error (app/lib/lib/deep.liquid:2): divided by 0',
      data: expect.objectContaining({ line: 2, partial: 'app/lib/lib/deep.liquid' }),
    },
  ])
  expect((await sql`select error from ingot.site_migrations`)[0]?.['error']).toMatch(
    /^divided by 0 \(app\/lib\/lib\/deep/,
  )
})

it("a migration takes files of the site's own assets, and of nothing beside them", async () => {
  const { sql } = ingot.database
  const root = await builtFolder({
    ...FILES,
    'app/assets/texts/terms.txt': 'these are the terms',
    'app/schema/paper.yml': 'name: paper\nproperties:\n  - name: file\n    type: upload\n',
    'app/graphql/keep.graphql': `mutation keep($url: String!) {
  record_create(record: {
    table: "paper", properties: [{ name: "file", value_upload: { type: plain, acl: public, remote_url: $url } }]
  }) { id }
}
`,
    'app/migrations/20260102000000_papers.liquid': `
{%- assign url = 'texts/terms.txt' | asset_url -%}
{%- graphql kept = 'keep', url: url -%}
{%- try -%}{%- graphql kept = 'keep', url: '/assets/../schema/note.yml' -%}{%- catch error -%}{%- log error.message -%}{%- endtry -%}
`,
  })
  expect(await ingot.run(['migrations', 'run', root])).toMatchObject({ code: 0 })
  const papers = await sql<{ file: Record<string, unknown> }[]>`
    select r.properties -> 'file' as file from ingot.records r join ingot.tables t on t.id = r.table_id where t.name = 'paper'`
  expect(papers).toEqual([{ file: expect.objectContaining({ file_name: 'terms.txt', extension: 'txt' }) }])
  expect(await sql`select 1 from ingot.logs where message like '%is not a file of this site%'`).toHaveLength(1)
})
