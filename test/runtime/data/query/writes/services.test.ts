/** Jobs, notifications, exports, vectors and translations: everything that GraphQL reads and writes except records and users. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type QueryDatabase, openQueryDatabase } from '../rows/run-query.ts'
import { DATA } from './write-fixture.ts'

let fixture: QueryDatabase

beforeAll(async () => {
  fixture = await openQueryDatabase(DATA)
})
afterAll(() => fixture?.close())
beforeEach(async () => {
  await fixture.sql`delete from graphile_worker._private_jobs`
  await fixture.sql`truncate ingot.job_failures, ingot.notifications, ingot.exports, ingot.embeddings, ingot.translations`
})

type Row = Record<string, unknown>

async function data(document: string, variables: Row = {}): Promise<Row> {
  return JSON.parse(JSON.stringify(await fixture.ask(document, variables))) as Row
}

async function complaint(document: string, variables: Row = {}): Promise<string> {
  return (await fixture.complaints(document, variables)).join('; ')
}

describe('background jobs', () => {
  interface Queued {
    readonly state?: 'RUNNING' | 'DEAD' | 'RETRY' | 'SCHEDULED'
    readonly source?: string
    readonly priority?: number
  }

  async function queue(unit: string, { state = 'SCHEDULED', source = '', priority = 0 }: Queued = {}): Promise<string> {
    const payload = {
      task: { kind: 'unit', unit, values: { n: 1 } },
      origin: { host: 'h', language: 'en', user: null, depth: 1 },
      options: { delay: 0, priority: 'default', maxAttempts: 1, sourceName: source },
    }
    const [job] = await fixture.sql<{ id: string }[]>`
      select id::text from graphile_worker.add_job('ingot', ${JSON.stringify(payload)}::text::json, max_attempts := ${state === 'RETRY' ? 3 : 1}, priority := ${priority})`
    const id = job!.id
    if (state === 'RUNNING')
      await fixture.sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'w', attempts = 1 where id = ${id}`
    if (state === 'DEAD' || state === 'RETRY') {
      await fixture.sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'x' where id = ${id}`
      await fixture.sql`insert into ingot.job_failures (job_id, reason, error_class, message) values (${id}, 'error', 'Oops', 'it broke')`
    }
    return id
  }

  const LIST = `query($f: BackgroundJobsFilterInput, $s: [BackgroundJobsSortInput!], $p: Int, $n: Int) {
    j: admin_background_jobs(filter: $f, sort: $s, page: $p, per_page: $n) { total_entries per_page current_page results { label } } }`
  const labels = async (variables: Row): Promise<unknown> =>
    ((await data(LIST, variables))['j'] as { results: Row[] }).results.map(({ label }) => label)

  it('show what they are and how they failed', async () => {
    const id = await queue('jobs/mail', { state: 'DEAD', source: 'welcome' })
    const { j } =
      await data(`{ j: admin_background_jobs { total_entries results { __typename id label arguments attempts error error_class
      error_message queue source_name partial_name form_name liquid_body dead_at retry_at failed_at run_at created_at started_at } } }`)
    expect(j).toEqual({
      total_entries: 1,
      results: [
        {
          __typename: 'BackgroundJob',
          id,
          label: 'welcome',
          arguments: { n: 1 },
          attempts: 1,
          error: 'Oops: it broke',
          error_class: 'Oops',
          error_message: 'it broke',
          queue: 'default',
          source_name: 'welcome',
          partial_name: 'jobs/mail',
          form_name: null,
          liquid_body: null,
          dead_at: expect.stringMatching(/Z$/),
          retry_at: null,
          failed_at: expect.stringMatching(/Z$/),
          run_at: expect.stringMatching(/Z$/),
          created_at: expect.stringMatching(/Z$/),
          started_at: null,
        },
      ],
    })
  })

  it('are found by state, label, queue and id, sorted, and paged within limits', async () => {
    const a = await queue('a', { state: 'RETRY', priority: -10 })
    await queue('b', { state: 'RUNNING' })
    await queue('c', { source: 'nightly' })
    await queue('d', { state: 'DEAD' })
    expect(await labels({ f: { type: 'DEAD' } })).toEqual(['d'])
    expect(await labels({ f: { type: 'RUNNING' } })).toEqual(['b'])
    expect(await labels({ f: { type: 'RETRY', queue: { value: 'high' } } })).toEqual(['a'])
    expect(await labels({ f: { type: 'SCHEDULED' } })).toEqual(['nightly'])
    expect(await labels({ f: { label: { starts_with: 'NIGHT' } } })).toEqual(['nightly'])
    expect(await labels({ f: { or: [{ id: { value: a } }, { label: { value: 'd' } }, {}] } })).toEqual(['a', 'd'])
    expect(await labels({ f: { id: { value: 'x' } } })).toEqual([])
    expect(await labels({ s: [{ label: { order: 'DESC' } }], n: 2 })).toEqual(['nightly', 'd'])
    expect(await labels({ s: [{ retry: { order: 'ASC' } }, { class_name: { order: 'ASC' } }], n: 1 })).toEqual(['a'])
    const { j } = await data(LIST, { p: 70, n: 5_000 })
    expect(j).toEqual({ total_entries: 4, per_page: 100, current_page: 50, results: [] })
  })

  it('are deleted and retried, unless they are being worked on', async () => {
    const dead = await queue('dead', { state: 'DEAD' })
    const busy = await queue('busy', { state: 'RUNNING' })
    const again = await data(
      `mutation($id: ID!) { j: admin_background_job_retry(id: $id) {
      id label attempts arguments error_class error_message failed_at dead_at retry_at run_at created_at queue source_type } }`,
      { id: dead },
    )
    const [row] =
      await fixture.sql`select attempts, run_at <= now() as due, to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as run_at from graphile_worker._private_jobs where id = ${dead}`
    expect(row).toMatchObject({ attempts: 0, due: true })
    // The state after the retry, as the list shows it.
    const listed = await data(
      `query($id: ID!) { l: admin_background_jobs(filter: { id: { value: $id } }) { results {
      id label attempts arguments error_class error_message failed_at dead_at retry_at run_at created_at queue source_type } } }`,
      { id: dead },
    )
    expect(again['j']).toEqual((listed['l'] as { results: unknown[] }).results[0])
    expect(again['j']).toMatchObject({
      ...{ id: dead, label: 'dead', attempts: 0, run_at: row?.['run_at'] },
      ...{ error_class: null, error_message: null, failed_at: null, dead_at: null, retry_at: null },
    })
    // The same applies to a delayed job.
    const later = await queue('later')
    await fixture.sql`update graphile_worker._private_jobs set run_at = now() + interval '1 day' where id = ${later}`
    expect(await data(`mutation { j: admin_background_job_retry(id: "${later}") { id } }`)).toEqual({
      j: { id: later },
    })
    const [waited] =
      await fixture.sql`select run_at <= now() as due from graphile_worker._private_jobs where id = ${later}`
    expect(waited).toEqual({ due: true })
    const DELETE = `mutation($id: ID!) { j: admin_background_job_delete(id: $id) { id } }`
    expect(await data(DELETE, { id: dead })).toEqual({ j: { id: dead } })
    expect(await complaint(DELETE, { id: dead })).toBe(`Can't find BackgroundJob with id=${dead}`)
    expect(await complaint(DELETE, { id: busy })).toBe(`The job ${busy} is running and cannot be deleted.`)
    expect(await complaint(DELETE, { id: `'; drop` })).toBe(`Can't find BackgroundJob with id='; drop`)
    expect(await complaint(`mutation { j: admin_background_job_retry(id: "${busy}") { id } }`)).toMatch(
      /cannot be retried/,
    )
    expect(await fixture.sql`select 1 from ingot.job_failures`).toHaveLength(0)
  })

  it('are shown when they are done and may have run twice; their record can be deleted', async () => {
    const id = await queue('twice', { state: 'RUNNING' })
    await fixture.sql`update graphile_worker._private_jobs set flags = ingot.returned_flags(flags, 1) where id = ${id}`
    await fixture.sql`delete from graphile_worker._private_jobs where id = ${id}`
    const { j } = await data(
      `{ j: admin_background_jobs { results { id attempts error dead_at retry_at locked_at } } }`,
    )
    const error = 'Done. It may have run up to 2 times, because the process was stopped while it was running.'
    expect(j).toEqual({ results: [{ id, attempts: 1, error, dead_at: null, retry_at: null, locked_at: null }] })
    for (const type of ['SCHEDULED', 'RUNNING', 'RETRY', 'DEAD']) expect(await labels({ f: { type } })).toEqual([])
    expect(await complaint(`mutation { j: admin_background_job_retry(id: "${id}") { id } }`)).toBe(
      `The job ${id} is done and cannot be retried.`,
    )
    expect(await data(`mutation { j: admin_background_job_delete(id: "${id}") { id attempts } }`)).toEqual({
      j: { id, attempts: 1 },
    })
    expect(await labels({})).toEqual([])
  })

  it('are deleted all at once, those that match', async () => {
    const first = await queue('a', { state: 'DEAD' })
    await queue('b', { state: 'RUNNING' })
    const third = await queue('c')
    const DELETE = `mutation($f: BackgroundJobsFilterInput) { j: admin_background_jobs_delete_all(filter: $f) { results { id } __typename } }`
    expect(await data(DELETE, { f: { type: 'DEAD' } })).toEqual({
      j: { results: [{ id: first }], __typename: 'BackgroundJobsResult' },
    })
    for (const f of [{}, { id: null }, { label: { value: null } }, { or: [{ queue: {} }] }])
      expect(await complaint(DELETE, { f })).toMatch(/would delete every job/)
    expect(await fixture.sql`select 1 from graphile_worker._private_jobs`).toHaveLength(2)
    expect(await data('mutation { admin_background_jobs_delete_all { __typename } }')).toEqual({
      admin_background_jobs_delete_all: { __typename: 'BackgroundJobsResult' },
    })
    const left = await fixture.sql`select id::text from graphile_worker._private_jobs`
    expect(left).toHaveLength(1)
    expect(left[0]!['id']).not.toBe(third)
  })
})

describe('notifications', () => {
  beforeEach(async () => {
    await fixture.sql`insert into ingot.notifications (channel, name, content, options, error) values
      ('email', 'welcome', '{"to": ["a@b.c"], "subject": "Hi", "body": "<p>Hello Ada</p>"}', '{"id": "<1>"}', null),
      ('sms', null, '{"to": "+48", "content": "Code 12"}', '{}', 'no gateway'),
      ('api_call', 'hook', '{"url": "https://x.y"}', '{}', null)`
  })

  const LIST = `query($f: SentNotificationsFilterInput, $s: [SentNotificationsSortInput!]) {
    n: admin_sent_notifications(filter: $f, sort: $s) { total_entries results { content options notification_type notification_id created_at updated_at } } }`
  const types = async (f: Row): Promise<unknown> =>
    ((await data(LIST, { f })) as { n: { results: Row[] } }).n.results.map((one) => one['notification_type'])

  it('show what was said, to whom, and what went wrong', async () => {
    const { n } = (await data(LIST, { s: [{ id: { order: 'ASC' } }] })) as {
      n: { results: Row[]; total_entries: number }
    }
    expect(n.total_entries).toBe(3)
    expect(n.results[0]).toEqual({
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      content: '<p>Hello Ada</p>',
      options: { id: '<1>', to: ['a@b.c'], subject: 'Hi', error: null },
      notification_type: 'EMAIL',
      notification_id: 'welcome',
    })
    expect(n.results[1]).toMatchObject({ content: 'Code 12', options: { to: '+48', error: 'no gateway' } })
    expect(n.results[2]).toMatchObject({ content: '{"url": "https://x.y"}', notification_type: 'API_CALL' })
  })

  it('are found by type, text and template', async () => {
    expect(await types({ notification_type: { value: 'SMS' } })).toEqual(['SMS'])
    expect(await types({ notification_type: { not_value: 'SMS' } })).toEqual(['EMAIL', 'API_CALL'])
    expect(await types({ notification_type: { value_in: ['SMS', 'API_CALL'] } })).toEqual(['SMS', 'API_CALL'])
    expect(await types({ notification_type: { not_value_in: ['SMS', 'API_CALL'] } })).toEqual(['EMAIL'])
    expect(await types({ content: { contains: 'hello' } })).toEqual(['EMAIL'])
    expect(await types({ notification_id: { value: 'hook' } })).toEqual(['API_CALL'])
    expect(await types({ updated_at: { gt: '2100-01-01' } })).toEqual([])
    expect(await types({ or: [{ notification_id: { value: 'hook' } }, { content: { contains: 'code' } }] })).toEqual([
      'SMS',
      'API_CALL',
    ])
  })
})

describe('embeddings', () => {
  /** Returns a vector that starts with the given numbers. */
  const vector = (...first: number[]): number[] => [...first, ...Array.from({ length: 1_536 - first.length }, () => 0)]
  const CREATE = `mutation($e: EmbeddingCreateInputType!) {
    e: embedding_create_rc(embedding: $e) { id content metadata token_count embedding created_at } }`
  const create = async (e: Row): Promise<Row> => (await data(CREATE, { e }))['e'] as Row

  it('are stored, changed and removed', async () => {
    const made = await create({
      embedding: vector(0.25, -1.5),
      content: 'Bonjour',
      metadata: { lang: 'fr', __proto__x: 1 },
      token_count: 2,
      created_at: '2020-01-02T03:04:05Z',
    })
    expect(made).toMatchObject({ content: 'Bonjour', metadata: { lang: 'fr' }, token_count: 2 })
    expect(made['created_at']).toBe('2020-01-02T03:04:05.000Z')
    expect(made['embedding']).toEqual(vector(0.25, -1.5))
    const UPDATE = `mutation($id: ID!, $e: EmbeddingUpdateInputType!) { e: embedding_update_rc(id: $id, embedding: $e) { content metadata token_count embedding } }`
    const { e } = await data(UPDATE, { id: made['id'], e: { content: null, metadata: { lang: 'de' } } })
    expect(e).toMatchObject({ content: null, metadata: { lang: 'de' }, token_count: 2, embedding: vector(0.25, -1.5) })
    const DELETE = `mutation($id: ID!) { e: embedding_delete_rc(id: $id) { id } }`
    expect(await data(DELETE, { id: made['id'] })).toEqual({ e: { id: made['id'] } })
    expect(await complaint(DELETE, { id: made['id'] })).toBe(`Can't find Embedding with id=${made['id']}`)
    expect(await complaint(UPDATE, { id: 'x', e: { content: 'y' } })).toBe("Can't find Embedding with id=x")
  })

  it('come nearest first, of those that the filter leaves', async () => {
    for (const [content, x, y, lang] of [
      ['far', 10, 0, 'en'],
      ['near', 1, 1, 'en'],
      ['nearest', 0, 1.2, 'fr'],
    ] as const)
      await create({ embedding: vector(x, y), content, metadata: { lang, tags: [content, 'all'] } })
    const LIST = `query($f: EmbeddingsFilterInput, $v: [Float!]) {
      e: embeddings_rc(per_page: 2, filter: $f, sort: [{ embedding: { order: euclidean, embedding: $v } }, { id: { order: DESC } }]) { total_entries results { content } } }`
    const contents = async (v: unknown, f: Row = {}): Promise<unknown> =>
      ((await data(LIST, { v, f })) as { e: { results: Row[] } }).e.results.map(({ content }) => content)
    expect(await contents(vector(0, 1))).toEqual(['nearest', 'near'])
    expect(await contents(vector(9))).toEqual(['far', 'near'])
    expect(await contents(null)).toEqual(['nearest', 'near'])
    const attribute = (more: Row): Row => ({ metadata: [{ attribute: { key: 'lang', ...more } }] })
    expect(await contents(vector(0, 1), attribute({ value: 'en' }))).toEqual(['near', 'far'])
    expect(await contents(vector(0, 1), attribute({ not_value: 'en' }))).toEqual(['nearest'])
    expect(await contents(vector(0, 1), attribute({ value_in: ['fr', 'pl'] }))).toEqual(['nearest'])
    expect(await contents(vector(0, 1), attribute({ exists: false }))).toEqual([])
    const tags = (more: Row): Row => ({ metadata: [{ attributes: [{ key: 'tags', ...more }] }] })
    expect(await contents(vector(0, 1), tags({ array_contains: ['all', 'far'] }))).toEqual(['far'])
    expect(await contents(vector(0, 1), tags({ array_overlaps: ['near', 'far'] }))).toEqual(['near', 'far'])
    expect(await contents(vector(0, 1), { metadata: [{ has_key: 'lang', exclude: true }] })).toEqual([])
    expect(await contents(vector(0, 1), { metadata: [{ contains: '{"lang": "fr"}' }] })).toEqual(['nearest'])
    expect(await contents(vector(0, 1), { metadata: [{ contains: 'fr' }] })).toEqual(['nearest'])
    expect(await contents(vector(0, 1), { metadata: [{ contains: `'"\\ud800` }] })).toEqual([])
  })

  it.each([
    [{ embedding: [1, 2, 3] }, /1536 numbers, not 3/],
    [{ embedding: [] }, /1536 numbers, not 0/],
    [{ embedding: Array.from({ length: 1_537 }, () => 0) }, /not 1537/],
    [{ embedding: Array.from({ length: 1_536 }, () => 1e300) }, /single-precision/],
    [{ embedding: 'no', content: 'x' }, /must be a number/],
    [{ embedding: Array.from({ length: 1_536 }, () => 0), metadata: [1] }, /must be an object/],
    [{ embedding: Array.from({ length: 1_536 }, () => 0), metadata: { a: '\0' } }, /NUL/],
    [{ embedding: Array.from({ length: 1_536 }, () => 0), content: 'a\0' }, /NUL/],
  ])('refuse what is none: %#', async (e, message) => {
    expect(await complaint(CREATE, { e })).toMatch(message)
  })

  it('take the smallest numbers that there are', async () => {
    const made = await create({ embedding: vector(1e-300, -3e38, 1e-40) })
    expect((made['embedding'] as number[])[0]).toBe(0)
  })

  it('a query refuses a vector of another length, also where the document writes it', async () => {
    expect(
      await complaint(
        '{ embeddings_rc(per_page: 1, sort: [{ embedding: { order: euclidean, embedding: [1] } }]) { total_entries } }',
      ),
    ).toMatch(/1536 numbers, not 1/)
  })
})

describe('translations', () => {
  const SET = `mutation($t: TranslationInputType!) { t: admin_translation_set(translation: $t) { id key locale value } }`
  const JSON_SET = `mutation($t: TranslationJsonInputType!, $s: TranslationJsonStrategy!) {
    t: admin_translation_set_json(translation: $t, strategy: $s) { key locale strategy value_json upserted_records deleted_records } }`
  const stored = async (): Promise<Row> =>
    Object.fromEntries(
      (await fixture.sql`select key, value from ingot.translations order by key`).map(({ key, value }) => [key, value]),
    )

  it('are set, replaced and taken back', async () => {
    const { t: one } = await data(SET, { t: { key: 'a.b', locale: 'en', value: 'x' } })
    const { t: two } = await data(SET, { t: { key: 'a.b', locale: 'en', value: 'y' } })
    expect(two).toEqual({ ...(one as Row), value: 'y' })
    expect(await stored()).toEqual({ 'a.b': 'y' })
    const UNSET = 'mutation { t: admin_translation_unset(key: "a.b", locale: "en") { key value } }'
    expect(await data(UNSET)).toEqual({ t: { key: 'a.b', value: 'y' } })
    expect(await data(UNSET)).toEqual({ t: null })
  })

  it('are set as a tree, merged or in place of what was below', async () => {
    await data(SET, { t: { key: 'm.old', locale: 'en', value: 'old' } })
    await data(SET, { t: { key: 'mm', locale: 'en', value: 'beside' } })
    const tree = { a: 'A', b: { c: 'C', list: ['x', 'y'], none: null }, __proto__x: 'p' }
    expect(await data(JSON_SET, { s: 'merge', t: { key: 'm', locale: 'en', value_json: tree } })).toEqual({
      t: { key: 'm', locale: 'en', strategy: 'merge', value_json: tree, upserted_records: 5, deleted_records: 0 },
    })
    expect(await stored()).toMatchObject({ 'm.old': 'old', 'm.a': 'A', 'm.b.list': ['x', 'y'], 'm.b.none': null })
    const { t } = await data(JSON_SET, { s: 'overwrite', t: { key: 'm', locale: 'en', value_json: { a: 'B' } } })
    expect(t).toMatchObject({ upserted_records: 1, deleted_records: 5 })
    expect(await stored()).toEqual({ 'm.a': 'B', mm: 'beside' })
    await data(JSON_SET, { s: 'merge', t: { key: '', locale: 'en', value_json: '{"mm": "text of JSON"}' } })
    expect((await stored())['mm']).toBe('text of JSON')
  })

  it.each([
    [{ key: '', locale: 'en', value: 'x' }, /names separated by dots/],
    [{ key: 'a..b', locale: 'en', value: 'x' }, /names separated by dots/],
    [{ key: 'a'.repeat(501), locale: 'en', value: 'x' }, /at most 500/],
    [{ key: 'a', locale: '../etc', value: 'x' }, /must be a language code/],
    [{ key: 'a', locale: 'en', value: 'x\0' }, /NUL/],
  ])('refuse %j', async (t, message) => {
    expect(await complaint(SET, { t })).toMatch(message)
  })

  it.each([
    [[1], /must be an object/],
    ['no json', /must be an object/],
    [{ '': 'x' }, /names separated by dots/],
    [{ a: 'x\0' }, /NUL/],
    [Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`k${at}`, 'v'])), /more than 10000/],
    [JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`), /more than 50 levels/],
  ])('refuse a tree: %#', async (tree, message) => {
    expect(await complaint(JSON_SET, { s: 'merge', t: { key: 'm', locale: 'en', value_json: tree } })).toMatch(message)
  })
})

describe('exports', () => {
  it('are not asked for where nothing would write them', async () => {
    expect(await complaint('mutation { data_export(records: {}) { id } }')).toMatch(/Exports are not available here/)
  })

  it('are refused at once for what no table has', async () => {
    expect(await complaint('mutation { data_export { id } }')).toMatch(/needs `records` or `users`/)
    expect(
      await complaint('mutation { data_export(records: { filter: { table: { value: "nope" } } }) { id } }'),
    ).toMatch(/no table `nope`/)
    const document = `mutation($f: RecordsFilterInput) { data_export(records: { filter: $f }) { id } }`
    const f = { table: { value: 'post' }, properties: [{ name: 'nope', value: '1' }] }
    expect(await complaint(document, { f })).toMatch(/no property `nope`/)
  })

  it('are listed with the address of their file, and forgotten', async () => {
    await fixture.sql`insert into ingot.exports (options, state, result) values ('{}', 'pending', null),
      ('{}', 'done', '{"path": "uploads/private/x.zip"}')`
    const { e } = (await data(
      `{ e: data_exports(sort: [{ id: { order: DESC } }]) { total_entries results { id status url } } }`,
    )) as {
      e: { results: Row[] }
    }
    expect(e).toMatchObject({
      total_entries: 2,
      results: [{ status: 'done', url: '/files/uploads/private/x.zip?for=3600' }, { url: null }],
    })
    const { id } = e.results[0]!
    expect(await data(`mutation { e: data_export_delete(id: ${id}) { id status } }`)).toEqual({
      e: { id, status: 'done' },
    })
    expect(await complaint(`mutation { e: data_export_delete(id: ${id}) { id } }`)).toBe(
      `Can't find DataExport with id=${id}`,
    )
  })
})
