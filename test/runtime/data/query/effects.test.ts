/** Fields that send something: calls of the host, their transactions, and the results. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiCallResult, EffectHost, ScheduledNotification } from '../../../../runtime/data/query/effects.ts'
import { analyze, execute, planOperation, type QueryHost } from '../../../../runtime/data/query/index.ts'
import type { SiteFacts } from '../../../../runtime/data/query/site-facts.ts'
import { planningCatalog } from '../../../../runtime/data/query/catalog.ts'
import { NO_ACCOUNTS, NO_SESSION } from './no-accounts.ts'

const DATA = { tables: [{ name: 'book', file: '', properties: [] }], user: [], profiles: [] }

type Row = Record<string, unknown>

const PAGES = ['a', 'b'].map((slug, at) => ({
  id: String(at),
  slug,
  physical_file_path: `app/views/pages/${slug}.liquid`,
}))
const SITE = { pages: async () => PAGES, policies: async () => [{ id: '7', name: 'members' }] } as unknown as SiteFacts

/** The calls, in order: statements, transactions and effects. */
let log: unknown[]
let scheduled: ScheduledNotification
let answer: ApiCallResult
let inside: boolean

beforeEach(() => {
  log = []
  scheduled = { scheduled: true, errors: [] }
  answer = { response: { status: 200, body: 'ok', headers: { a: 'b' } }, errors: [] }
  inside = false
})

function hostWith(sends: boolean): QueryHost {
  const note = (name: string, ...told: unknown[]): void => void log.push([name, ...told, ...(inside ? ['inside'] : [])])
  const effects: EffectHost = {
    async email(what) {
      note('email', what)
      return scheduled
    },
    async sms(what) {
      note('sms', what)
      return scheduled
    },
    async callApi(what, options) {
      note('call', what, options)
      return answer
    },
    askSite: async (request) => {
      note('ask', request)
      return { objects: [], counters: null }
    },
    log: (entry) => note('log', entry),
    sendMessage: async (message) => note('message', message),
    export: async (id) => note('export', id),
    importRows: async (sent) => {
      note('import', sent)
      return { ids: ['1'], external_ids: ['a'] }
    },
    announceTranslationChange: async () => note('translations'),
    assets: null,
    changeSite: async (changes) => {
      note('change', changes)
      return { site: SITE, files: changes.map(({ values }) => [String(values['physical_file_path'])]) }
    },
  }
  const host: QueryHost = {
    catalog: planningCatalog(DATA),
    options: { requireTableForDelete: false },
    site: SITE,
    viewer: null,
    open: (text) => text,
    seal: (text) => text,
    fileUrl: () => null,
    accounts: NO_ACCOUNTS,
    session: NO_SESSION,
    submitForm: null,
    effects: sends ? effects : null,
    async run({ text }) {
      note(text.includes('ingot.exports') ? 'export row' : 'run')
      return [[text.includes('ingot.exports') ? { id: '7', row: { id: '7' } } : { id: '1' }]]
    },
    async transaction(body) {
      log.push('begin')
      inside = true
      try {
        return await body(host)
      } catch (error) {
        log.push('rollback')
        throw error
      } finally {
        inside = false
      }
    },
    announceChange: async () => undefined,
  }
  return host
}

async function run(document: string, variables: Row = {}, sends = true): Promise<{ data: Row | null; said: string }> {
  const { data, errors } = await execute(planOperation(document), variables, hostWith(sends))
  const plain = JSON.parse(JSON.stringify(data)) as Row | null
  return { data: plain, said: errors?.map(({ message }) => message).join('; ') ?? '' }
}

describe('mails and texts', () => {
  const EMAIL = `mutation($t: NotificationTemplateInput, $d: HashObject, $e: NotificationEmailInput) {
    m: email_send(template: $t, data: $d, email: $e) { __typename is_scheduled_to_send errors { message } } }`

  it('are queued by their template with its data', async () => {
    const { data } = await run(EMAIL, { t: { name: 'welcome' }, d: { user: { id: 1 } } })
    expect(data).toEqual({ m: { __typename: 'NotificationSendEmailPayload', is_scheduled_to_send: true, errors: [] } })
    expect(log).toEqual([['email', { template: 'welcome', data: { user: { id: 1 } }, delay: null }]])
  })

  it('are queued whole', async () => {
    const e = { to: 'a@b.c', from: 'x@y.z', subject: 'S', content: '<p>', cc: ['c@c.c'], delay: 5 }
    await run(EMAIL, { e })
    const whole = { to: ['a@b.c'], from: 'x@y.z', subject: 'S', content: '<p>', cc: ['c@c.c'], bcc: [], replyTo: [] }
    expect(log).toEqual([['email', { content: whole, delay: 5 }]])
    log = []
    await run('mutation { sms_send(sms: { to: "+48123456789", content: "Hi", delay: -3 }) { is_scheduled_to_send } }')
    expect(log).toEqual([['sms', { content: { to: '+48123456789', content: 'Hi' }, delay: 0 }]])
  })

  it('tell why they are not', async () => {
    scheduled = { scheduled: false, errors: ['no such template'] }
    expect((await run(EMAIL, { t: { name: 'nope' } })).data).toMatchObject({
      m: { is_scheduled_to_send: false, errors: [{ message: 'no such template' }] },
    })
  })

  it.each([
    [{}, /Pass `template` with the name of a template, or `email`/],
    [{ t: { name: 'a' }, e: { to: ['a'], from: 'b', subject: 'c', content: 'd' } }, /not both/],
    [{ t: { name: 'a' }, d: [1] }, /`data` must be an object/],
  ])('are refused: %j', async (variables, message) => {
    const { data, said } = await run(EMAIL, variables)
    expect(data).toBeNull()
    expect(said).toMatch(message)
    expect(log).toEqual([])
  })

  it('are not sent where nothing is', async () => {
    expect(await run(EMAIL, { t: { name: 'a' } }, false)).toEqual({
      data: null,
      said: 'Mails, text messages, API calls, log entries and jobs are not available here.',
    })
  })
})

describe('the transaction', () => {
  const BOTH = `mutation { a: record_create(record: { table: "book" }) { id } b: email_send(template: { name: "x" }) { is_scheduled_to_send }
    c: record_create(record: { table: "book" }) { id } }`

  it('of the writes around it holds what is queued', async () => {
    expect((await run(BOTH)).data).toEqual({ a: { id: '1' }, b: { is_scheduled_to_send: true }, c: { id: '1' } })
    const mail = { template: 'x', data: {}, delay: null }
    expect(log).toEqual(['begin', ['run', 'inside'], ['email', mail, 'inside'], ['run', 'inside']])
  })

  it('is undone where nothing can be queued', async () => {
    const { data, said } = await run(BOTH, {}, false)
    expect(data).toBeNull()
    expect(said).toMatch(/are not available here/)
    expect(log).toEqual(['begin', ['run', 'inside'], 'rollback'])
  })

  it('does not wait for a call: what was written before is kept first', async () => {
    const document = `mutation { a: record_create(record: { table: "book" }) { id }
      b: api_call_send(template: { name: "x" }) { errors { message } } c: record_create(record: { table: "book" }) { id } }`
    const { data } = await run(document)
    expect(Object.keys(data!)).toEqual(['a', 'b', 'c'])
    const options = { timeout: null, skipVerification: false }
    expect(log).toEqual([
      'begin',
      ['run', 'inside'],
      ['call', { template: 'x', data: {}, delay: null }, options],
      'begin',
      ['run', 'inside'],
    ])
  })

  it('holds the job of an export', async () => {
    expect((await run('mutation { data_export(records: {}) { id } }')).data).toEqual({ data_export: { id: '7' } })
    expect(log).toEqual(['begin', ['export row', 'inside'], ['export', '7', 'inside']])
  })
})

describe('calls', () => {
  const CALL = `mutation($c: ApiCallSendRequestInput, $o: ApiCallSendOptions) {
    r: api_call_send(api_call: $c, options: $o) { response { status body headers } errors { message } } }`

  it('are made as they are written, and give what came back', async () => {
    const c = { url: 'https://a.b', method: 'post', headers: { 'X-A': 1, b: null, c: { d: 1 } }, body: '{}' }
    const { data } = await run(CALL, { c, o: { timeout: 3, skip_ssl_verification: true, internal: true } })
    expect(data).toEqual({ r: { response: { status: 200, body: 'ok', headers: { a: 'b' } }, errors: [] } })
    const whole = { url: 'https://a.b', method: 'POST', headers: { 'X-A': '1', c: '{"d":1}' }, body: '{}' }
    expect(log).toEqual([['call', { content: whole, delay: null }, { timeout: 3, skipVerification: true }]])
  })

  it('that fail have no response', async () => {
    answer = { response: null, errors: ['refused'] }
    expect((await run(CALL, { c: { url: 'x', method: 'GET', headers: '{"a":"b"}' } })).data).toEqual({
      r: { response: null, errors: [{ message: 'refused' }] },
    })
    expect(log).toEqual([
      [
        'call',
        { content: { url: 'x', method: 'GET', headers: { a: 'b' }, body: '' }, delay: null },
        { timeout: null, skipVerification: false },
      ],
    ])
  })

  it.each([[[1]], ['no json'], [7]])('with headers that are none are refused: %j', async (headers) => {
    expect((await run(CALL, { c: { url: 'x', method: 'GET', headers } })).said).toMatch(/`headers` must be an object/)
  })
})

describe('the log', () => {
  it('takes anything, and gives it back as text', async () => {
    const document = 'mutation($m: Any!) { l: log(message: $m, type: error) { id message type } }'
    const { data } = await run(document, { m: { a: [1] } })
    expect(data).toEqual({ l: { id: expect.stringMatching(/^[\da-f-]{36}$/), message: '{"a":[1]}', type: 'error' } })
    expect(log).toEqual([['log', { message: { a: [1] }, type: 'error', env: 'all', file: '', line: 0 }]])
  })
})

describe('changes of the site', () => {
  const page = (values: Row): Row => ({
    values,
    files: [],
    isMatch: false,
    property: null,
    type: 'page',
    action: 'create',
  })

  it('are made together, after everything else is committed', async () => {
    const { data } = await run(`mutation {
      one: admin_page_create(page: { physical_file_path: "app/views/pages/a.liquid", slug: null, authorization_policy_ids: [7] }) { slug }
      sms_send(sms: { to: "+48123456789", content: "Hi" }) { is_scheduled_to_send }
      all: admin_pages_delete_all(filter: { slug: { value: "b" } }) { count }
      gone: admin_page_delete(id: "1") { slug }
    }`)
    expect(data).toEqual({
      one: { slug: 'a' },
      sms_send: { is_scheduled_to_send: true },
      all: { count: 1 },
      gone: { slug: 'b' },
    })
    expect(log).toEqual([
      ['sms', { content: { to: '+48123456789', content: 'Hi' }, delay: 0 }],
      [
        'change',
        [
          page({ physical_file_path: 'app/views/pages/a.liquid', slug: null, authorization_policies: ['members'] }),
          { ...page({}), action: 'delete', files: ['app/views/pages/b.liquid'], isMatch: true },
          { ...page({}), action: 'delete', files: ['app/views/pages/b.liquid'] },
        ],
      ],
    ])
  })

  it.each([
    ['admin_page_delete(id: "5")', 'There is no page with the id `5`.'],
    ['admin_page_delete', 'Give the `id` of the page, or its `physical_file_path`.'],
    ['admin_page_delete(id: "1", physical_file_path: "app/views/pages/a.liquid")', 'give only one of both'],
    [
      'admin_page_create(page: { physical_file_path: "x", authorization_policy_ids: [8] })',
      'There is no authorization policy with the id `8`.',
    ],
  ])('that name what is not there are refused before anything is changed: %s', async (field, message) => {
    const { data, said } = await run(`mutation { ok: admin_page_delete(id: "0") { slug } ${field} { slug } }`)
    expect(said).toContain(message)
    expect(data).toBeNull()
    expect(log).toEqual([])
  })

  it('are not made where nothing has effects', async () => {
    const { said } = await run('mutation { admin_page_delete(id: "1") { slug } }', {}, false)
    expect(said).toContain('with a token of the scope deploy or admin')
  })

  it('are reported in templates, where they are refused', () => {
    const { problems } = analyze('mutation { admin_page_delete(id: "1") { slug } }', DATA)
    expect(problems).toEqual([expect.objectContaining({ code: 'not-served' })])
  })
})

describe('the compiler', () => {
  it('knows what comes back', () => {
    const { problems, result } = analyze(
      'mutation { m: email_send(template: { name: "x" }) { is_scheduled_to_send } f: form_submit(form_name: "a", fields: {}) { validation_errors result { user { email } } } }',
      DATA,
    )
    expect(problems).toEqual([])
    const fields = result?.kind === 'object' ? result.fields : new Map()
    expect(fields.get('m')).toMatchObject({ kind: 'nullable', inner: { kind: 'object' } })
    expect(JSON.stringify([...fields.get('f').inner.fields.keys()])).toBe('["validation_errors","result"]')
  })
})
