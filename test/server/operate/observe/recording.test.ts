/** Tests what a server in development records of its requests and jobs, and how GraphQL lists it. */
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { builtFolder } from '../../../support/server/built-folder.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const TOKEN = 'a-token-of-the-tests'
const FILES = {
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n',
  'app/graphql/notes/one.graphql': `query one($id: ID!) {
  records(per_page: 1, filter: { id: { value: $id }, table: { value: "note" } }) { results { id } }
}
`,
  'app/views/layouts/application.liquid': '<main>{{ content_for_layout }}</main>',
  'app/views/pages/index.liquid': `{% for id in (1..4) %}{% render 'card', id: id %}{% endfor %}
{% cache 'all', expire: 60 %}kept{% endcache %}
{% log 'seen', type: 'look' %}
{% background job = 'tasks/look', note: 'x' %}`,
  'app/views/partials/card.liquid': `{% graphql found = 'notes/one', id: id %}<p>{{ found.records.results.size }}</p>`,
  'app/views/partials/tasks/look.liquid': `{% graphql found = 'notes/one', id: 7 %}{% log note %}`,
  'app/views/pages/away.liquid': '---\nslug: away\nredirect_to: /\n---\n',
  'app/views/pages/broken.liquid': '---\nslug: broken\n---\n{% assign x = 1 | divided_by: context.params.none %}',
}

let ingot: Programs
let root: string
let program: Program
let url: string

beforeAll(async () => {
  ingot = await programs()
  root = await builtFolder(FILES)
  program = ingot.start(['serve', root], {
    ...{ INGOT_ENV: 'development', INGOT_API_TOKEN: TOKEN, INGOT_JOB_THREADS: '1', INGOT_WORKERS: '1' },
  })
  url = `http://127.0.0.1:${await program.port()}`
})
afterAll(() => ingot.clean())

interface Item {
  readonly [field: string]: unknown
}

const DETAIL =
  'files templates queries query_groups cache messages jobs logs outgoing session params headers redirects findings user job error template'

async function list(filter: string, fields = ''): Promise<readonly Item[]> {
  const query = `{ admin_requests(filter: ${filter}) { results { id kind method path status statements ${fields} } } }`
  const response = await fetch(`${url}/api/graph`, {
    method: 'POST',
    headers: { authorization: `Token ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const json: unknown = await response.json()
  expect(json).toMatchObject({ data: { admin_requests: { results: expect.any(Array) } } })
  return (json as { data: { admin_requests: { results: Item[] } } }).data.admin_requests.results
}

async function recorded(filter: string): Promise<Item> {
  // Records are written after the answer.
  await expect.poll(async () => (await list(filter)).length).toBeGreaterThan(0)
  const [item] = await list(filter, DETAIL)
  return item ?? {}
}

test('a page is recorded with its templates, queries, cache, log and jobs, after the redirect to it', async () => {
  const answer = await fetch(`${url}/away?token=abcdef1`, { headers: { 'x-api-key': 'k' } })
  expect(await answer.text()).toContain('<p>0</p>')
  const item = await recorded('{ path: { value: "/" } }')
  expect(item).toMatchObject({
    // `fetch` sends the same headers as a script of a page.
    ...{ kind: 'xhr', method: 'GET', status: 200, template: 'app/views/pages/index.liquid', user: null, error: null },
    id: answer.headers.get('x-request-id'),
    redirects: [{ path: '/away?token=[masked]', status: 302 }],
    cache: [{ key: 'all', hit: false, file: 'app/views/pages/index.liquid', line: 2 }],
    logs: [{ type: 'look', message: 'seen', fault: false, line: 3 }],
    jobs: [{ name: 'tasks/look', delay: 0 }],
    headers: { request: { 'x-api-key': '[masked]' }, response: { 'content-type': 'text/html; charset=utf-8' } },
  })
  const part = { kind: 'partial', file: 'app/views/partials/card.liquid', count: 4 }
  expect(item['templates']).toMatchObject([
    {
      ...{ kind: 'page', file: 'app/views/pages/index.liquid', count: 1 },
      parts: [part, { kind: 'layout', file: 'app/views/layouts/application.liquid' }],
    },
  ])
  const query = { name: 'notes/one', file: 'app/views/partials/card.liquid', line: 1, rows: 0, error: null }
  const statement = { sql: expect.stringContaining('ingot.records'), replica: false, transaction: false, error: null }
  expect(item['queries']).toMatchObject([
    { ...query, variables: { id: 1 }, statements: [{ ...statement, values: expect.arrayContaining(['1']) }] },
    ...[query, query, query],
    { name: '(own)' },
  ])
  // On a busy machine, the query may also be reported as slow.
  expect(item['findings']).toContainEqual({
    ...{ kind: 'loop', file: 'app/views/partials/card.liquid', line: 1 },
    sentence: expect.stringContaining('The query notes/one ran 4 times'),
    change: expect.stringContaining('id: { value_in: $ids }'),
    files: ['app/graphql/notes/one.graphql'],
  })
  expect(item['files']).toEqual([
    'app/views/pages/index.liquid',
    'app/views/partials/card.liquid',
    'app/views/layouts/application.liquid',
    'app/graphql/notes/one.graphql',
  ])
  expect(item['query_groups']).toMatchObject([
    { count: 4, failed: false, queries: [{ index: 0 }, { index: 1 }, { index: 2 }, { index: 3 }] },
    { count: 1, about: expect.stringContaining('queue of jobs'), queries: [{ index: 4, name: '(own)' }] },
  ])
})

test('a job is recorded by its thread', async () => {
  const item = await recorded('{ kind: { value: "job" } }')
  expect(item).toMatchObject({
    job: { name: 'tasks/look', attempt: 1, outcome: 'done' },
    templates: [{ kind: 'job', file: 'app/views/partials/tasks/look.liquid' }],
    queries: [{ name: 'notes/one', file: 'app/views/partials/tasks/look.liquid' }],
    logs: [{ message: 'x' }],
    params: { note: 'x' },
    ...{ path: null, method: null, status: null },
  })
})

test('a job leads to the request that queued it, and a query to its plan', async () => {
  const item = await recorded('{ kind: { value: "job" } }')
  const { id } = item['job'] as { id: string }
  const [queuing] = await list(`{ queued: { value: "${id}" } }`)
  expect(queuing).toMatchObject({ path: '/' })
  expect(await list('{ queued: { value: "0" } }')).toEqual([])
  const answer = async (query: number): Promise<unknown> => {
    const document = `{ plan: admin_request_plan(id: "${queuing?.['id']}", query: ${query}) }`
    const response = await fetch(`${url}/api/graph`, {
      method: 'POST',
      headers: { authorization: `Token ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: document }),
    })
    return (await response.json()) as unknown
  }
  expect(await answer(0)).toMatchObject({
    data: {
      plan: {
        name: 'notes/one',
        file: 'app/graphql/notes/one.graphql',
        unserved: [],
        statements: [
          { sql: expect.stringContaining('ingot.records'), plan: expect.stringMatching(/expects \d+ rows/) },
        ],
        summary: [expect.any(String)],
      },
    },
  })
  expect(await answer(4)).toMatchObject({ data: { plan: { name: '(own)', problem: expect.any(String) } } })
  expect(await answer(99)).toEqual({ data: { plan: null } })
})

test('failures, requests of scripts and GraphQL are recorded; pages of the server are not', async () => {
  await new Promise<void>((done) => get(`${url}/broken`, (answer) => answer.resume().on('end', done)))
  await fetch(`${url}/_ingot/outbox`)
  expect(await recorded('{ status: { range: { gte: 500 } } }')).toMatchObject({
    ...{ kind: 'page', path: '/broken' },
    error: expect.stringContaining('divided by 0'),
  })
  expect(await list('{ failed: { value: true } }')).toMatchObject([{ path: '/broken', status: 500 }])
  await expect
    .poll(() => recorded('{ kind: { value: "graphql" } }'))
    .toMatchObject({
      queries: [{ name: '(program)', document: expect.stringContaining('admin_request') }],
      headers: { request: { authorization: '[masked]' } },
    })
  await fetch(`${url}/?saved`, { headers: { 'x-ingot-page': '1' } })
  await expect.poll(() => list('{ update: { value: true } }')).toMatchObject([{ path: '/?saved' }])
  expect(await list('{ update: { value: false }, path: { contains: "saved" } }')).toEqual([])
  expect(await list('{ path: { starts_with: "/_ingot" } }')).toEqual([])
  const kept = readFileSync(join(root, '.ingot-data/requests.jsonl'), 'utf8')
  expect(kept).not.toContain(TOKEN)
  expect(kept).not.toContain('abcdef1')
})
