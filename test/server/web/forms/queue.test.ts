/** The jobs that forms queue, and the object `form` that is restored from them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EmailEntry } from '../../../../runtime/page/site.ts'
import type { FormSnapshot } from '../../../../runtime/data/jobs.ts'
import { Render } from '../../../../runtime/page/render.ts'
import { str } from '../../../../runtime/page/values/text.ts'
import { restoreScope } from '../../../../server/web/forms/snapshot.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { property, schema } from '../graphql/served.ts'
import { field, form, forms, group, nested, rule, type ServedForms, serveForms } from '../rest/support.ts'
import { app, page, site } from '../../../support/server/site.ts'

let database: TestDatabase
let served: ServedForms

const NOTE = group({
  properties: [field('title', 'string', rule('presence')), field('pages', 'integer'), field('data')],
})

function email(name: string, more: Partial<EmailEntry> = {}): EmailEntry {
  return {
    file: `app/emails/${name}.liquid`,
    name,
    lines: {},
    enabled: true,
    to: { kind: 'plain', value: 'a@example.com' },
    delay: null,
    triggerCondition: null,
    locale: null,
    metadata: { kind: 'map', entries: {} },
    render: () => 'body',
    from: null,
    subject: null,
    replyTo: null,
    cc: null,
    bcc: null,
    layout: null,
    attachments: null,
    uniqueArgs: null,
    ...more,
  }
}

const LATER = { content: { kind: 'plain', value: '' }, delay: 0.25, priority: 'high', maxAttempts: 3 } as const
const all = (emails: readonly string[]) => ({ emails, sms: ['text'], apiCalls: ['call'] })

const compiled = site(
  [
    page('run', {
      format: 'json',
      async render(r) {
        const { q, v, undo } = r.context['params'] as Record<string, string>
        const variables = JSON.parse(v ?? '{}') as Record<string, unknown>
        const ask = async () => r.port('graphql', 'graphql').run({ document: q ?? '' }, variables)
        if (undo === undefined) return JSON.stringify(await ask())
        await r.port('transactions', 'transaction').run({ timeout: null }, async () => {
          await ask()
          r.port('transactions', 'rollback').rollback()
        })
        return '{}'
      },
    }),
  ],
  {
    data: {
      ...schema({ note: { title: 'string', pages: 'integer', data: 'string' } }),
      user: [property('about', 'string')],
      profiles: [
        { name: 'author', file: 'app/user_profile_types/author.yml', properties: [property('pen', 'string')] },
      ],
    },
    emails: {
      welcome: email('welcome'),
      later: email('later', {
        delay: {
          kind: 'liquid',
          render: (_r, scope) => str((scope['form'] as Record<string, never>)['properties']!['pages']),
        },
      }),
      never: email('never', { enabled: false }),
      wrong: email('wrong', { delay: { kind: 'plain', value: 'tomorrow' } }),
    },
    smses: { text: { ...email('text'), content: null } },
    apiCalls: { call: { ...email('call'), requestType: null, requestHeaders: null, callback: null } },
    forms: forms(
      form('plain', { table: 'note', fields: NOTE }),
      form('note', {
        table: 'note',
        fields: NOTE,
        asyncCallback: LATER,
        notifications: all(['welcome', 'later', 'never']),
      }),
      form('wrong', { table: 'note', fields: NOTE, notifications: all(['welcome', 'wrong']) }),
      form('failing', {
        table: 'note',
        fields: NOTE,
        asyncCallback: LATER,
        callbackActions: {
          kind: 'liquid',
          render: () => {
            throw new Error('the callback failed')
          },
        },
      }),
      form('user', {
        resource: 'user',
        asyncCallback: LATER,
        fields: group({
          attributes: [field('email', 'string', rule('presence')), field('password', 'string')],
          properties: [field('about')],
          nested: [nested('profiles', 'author', group({ properties: [field('pen')] }))],
        }),
      }),
    ),
  },
)

beforeAll(async () => {
  database = await testDatabase()
  served = await serveForms(compiled, database)
})
afterAll(async () => {
  await served.close()
  await database.close()
})
beforeEach(async () => {
  await database.sql`delete from graphile_worker._private_jobs`
  await database.sql`delete from ingot.records`
})

interface Queued {
  readonly kind: string
  readonly unit: string
  readonly queue: string
  readonly max_attempts: number
  readonly wait: number
  readonly payload: {
    readonly task: Record<string, unknown>
    readonly origin: Record<string, unknown>
  }
}

async function queued(): Promise<readonly Queued[]> {
  return database.sql<Queued[]>`
    select q.kind, q.unit, q.queue, q.max_attempts, round(extract(epoch from q.run_at - now()))::int as wait, j.payload
    from ingot.jobs q join graphile_worker._private_jobs j using (id) order by q.id`
}

function snapshotIn({ payload: { task } }: Queued): FormSnapshot {
  return (task['form'] ?? (task['content'] as Record<string, unknown>)['form']) as FormSnapshot
}

const create = (name: string, values: Record<string, unknown>) =>
  served.send('POST', '/api/customizations', {
    form_name: name,
    parent_resource_id: 'note',
    form: { model_schema_name: 'note', ...values },
  })

async function count(): Promise<number> {
  const [row] = await database.sql`select count(*)::int as n from ingot.records where deleted_at is null`
  return Number(row?.['n'])
}

describe('a form that was sent', () => {
  it('queues its callback and its notifications, with all that they need', async () => {
    const sent = await create('note', { properties: { title: 'One', pages: '7' } })
    expect(sent.status).toBe(201)
    const jobs = await queued()
    expect(jobs.map(({ kind, unit, queue, max_attempts }) => [kind, unit, queue, max_attempts])).toEqual(
      expect.arrayContaining([
        ['callback', 'note', 'high', 3],
        ['notification', 'welcome', 'default', 5],
        ['notification', 'later', 'default', 5],
        ['notification', 'text', 'default', 5],
        ['notification', 'call', 'default', 5],
      ]),
    )
    expect(jobs).toHaveLength(5)
    const waits = new Map(jobs.map(({ unit, wait }) => [unit, wait]))
    expect(waits.get('welcome')).toBeLessThanOrEqual(0)
    expect(waits.get('note')).toBeGreaterThan(10)
    expect(waits.get('later')).toBeGreaterThan(6.8 * 60)
    const { origin } = jobs[0]!.payload
    expect(origin).toEqual({ host: served.url.replace('http://', ''), language: 'en', user: null, depth: 1 })
    for (const job of jobs) {
      expect(snapshotIn(job)).toMatchObject({
        name: 'note',
        id: String(sent.json['id']),
        values: { properties: { title: 'One' } },
        changes: { 'properties.title': { old: null, new: 'One' }, 'properties.pages': { old: null, new: 7 } },
      })
    }
  })

  it('queues nothing where it is refused, or names nothing', async () => {
    expect((await create('note', { properties: { title: '' } })).status).toBe(422)
    expect((await create('plain', { properties: { title: 'x' } })).status).toBe(201)
    expect(await queued()).toEqual([])
  })

  it('keeps its row where queueing fails, and says so', async () => {
    expect((await create('wrong', { properties: { title: 'x' } })).status).toBe(500)
    expect(await queued()).toEqual([])
    expect(await count()).toBe(1)
    expect(String(served.logged.at(-2)?.['msg']) + String(served.logged.at(-1)?.['msg'])).toContain(
      "the delay of wrong must be a number of minutes, not 'tomorrow'",
    )
    const large = await create('note', { properties: { title: 'x', data: 'y'.repeat(600_000) } })
    expect(large.status).toBe(500)
    expect(await queued()).toEqual([])
    expect(await count()).toBe(2)
    expect((await create('failing', { properties: { title: 'x' } })).status).toBe(500)
    expect(await queued()).toEqual([])
    expect(await count()).toBe(3)
  })

  it('shows what it was after an update of a part, and after it was deleted', async () => {
    const { id } = (await create('plain', { properties: { title: 'Old', pages: 3 } })).json
    expect(
      (
        await served.send('PUT', `/api/customizations/${String(id)}`, {
          form_name: 'note',
          form: { properties: { title: 'New' } },
        })
      ).status,
    ).toBe(204)
    expect(snapshotIn((await queued())[0]!)).toMatchObject({
      id: String(id),
      values: { properties: { title: 'New', pages: 3 } },
      changes: { 'properties.title': { old: 'Old', new: 'New' } },
    })
    await database.sql`delete from graphile_worker._private_jobs`
    expect((await served.send('DELETE', `/api/customizations/${String(id)}`, { form_name: 'note' })).status).toBe(204)
    expect(await queued()).toHaveLength(5)
    expect(snapshotIn((await queued())[0]!)).toMatchObject({
      id: String(id),
      values: { properties: { title: 'New', pages: 3 } },
      changes: {},
    })
  })

  it('puts no password into the queue', async () => {
    const sent = await served.send('POST', '/api/users', {
      form_name: 'user',
      form: {
        email: 'ann@example.com',
        password: 'correct horse',
        properties: { about: 'me' },
        profiles: { author: { properties: { pen: 'goose' } } },
      },
    })
    expect(sent.status).toBe(201)
    const [job] = await queued()
    expect(JSON.stringify(job)).not.toContain('correct horse')
    expect(snapshotIn(job!)).toMatchObject({
      values: {
        attributes: { email: 'ann@example.com' },
        properties: { about: 'me' },
        nested: { profiles: { author: { properties: { pen: 'goose' } } } },
      },
      changes: { password: { old: null, new: null } },
    })
  })
})

describe('a form that a mutation names', () => {
  const CREATE = `mutation ($record: RecordInputType!) { record_create(form_name: "note", record: $record) { id } }`
  const record = { properties: [{ name: 'title', value: 'G' }] }
  const run = (query: Record<string, string>) =>
    served.browser().get(`/run.json?${new URLSearchParams(query).toString()}`)

  it('queues too', async () => {
    const { json } = await run({ q: CREATE, v: JSON.stringify({ record }) })
    expect(json['errors']).toBeUndefined()
    expect(await queued()).toHaveLength(5)
  })

  it('queues nothing in a transaction that is undone', async () => {
    expect((await run({ q: CREATE, v: JSON.stringify({ record }), undo: '1' })).status).toBe(200)
    expect(await count()).toBe(0)
    expect(await queued()).toEqual([])
  })
})

describe('the object `form` of a snapshot', () => {
  const at = { name: 'note', id: '5', userId: '7', changes: { 'properties.title': { old: null, new: 'T' } } }
  const r = new Render(compiled, app(compiled).host().services, { context: {} })
  const of = (values: unknown, more: Partial<FormSnapshot> = {}): Record<string, never> =>
    restoreScope(compiled, { ...at, ...more, values: values as FormSnapshot['values'] }, r)['form'] as never

  it('has the values, the id and the changes', () => {
    const made = of({ attributes: {}, properties: { title: 'T', pages: '7' }, nested: {} }) as unknown as {
      id: string
      action: string
      properties: unknown
      changes: unknown
    }
    expect([made.id, made.action]).toEqual(['5', '/api/customizations/5'])
    expect({ ...(made.properties as object) }).toMatchObject({ title: 'T', pages: 7 })
    expect(made.changes).toEqual(at.changes)
  })

  it('is made of whatever stands in the queue', () => {
    for (const values of [null, 5, 'x', [], {}, { nested: { profiles: 'x' } }, { properties: ['a'] }])
      expect(() => JSON.stringify(of(values)['properties']), JSON.stringify(values)).not.toThrow()
    const hostile = JSON.parse('{"properties":{"__proto__":{"polluted":1}},"nested":{"__proto__":{"x":{}}}}') as unknown
    of(hostile)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('is none where the form is gone', () => {
    expect(() => of({}, { name: 'gone' })).toThrow("can't find form gone")
    expect(() => of({}, { name: '__proto__' })).toThrow("can't find form __proto__")
  })
})
