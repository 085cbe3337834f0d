/** API calls of other services, in jobs and immediately, and the jobs that mutations queue. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { MAX_PAYLOAD, type JobRequest } from '../../../../runtime/data/jobs.ts'
import type { ApiCallOptions } from '../../../../runtime/data/query/effects.ts'
import type { Setting } from '../../../../runtime/page/site.ts'
import { deliver } from '../../../../server/web/notifications/deliver.ts'
import { createEffects, type EffectDependencies } from '../../../../server/web/notifications/effects.ts'
import { DeliveryFault, type DeliveryTask } from '../../../../server/web/notifications/model.ts'
import { serializeJob } from '../../../../server/data/queue/payload.ts'
import { bodyOf, createTestServers } from '../../core/net/test-servers.ts'
import { apiCall, email, jobOf, liquid, plain, renderOf, siteOf, sms, standing, template } from './ground.ts'
import { liveAssets } from '../../../support/server/site.ts'

const place = createTestServers()
const root = mkdtempSync(join(tmpdir(), 'ingot-calls-'))
const asked: { method: string | undefined; url: string | undefined; headers: Record<string, unknown>; body: string }[] =
  []
let stand: Awaited<ReturnType<typeof standing>>
let origin = ''

beforeAll(async () => {
  stand = await standing()
  mkdirSync(join(root, 'app/assets'), { recursive: true })
  writeFileSync(join(root, 'app/assets/a.txt'), 'the asset')
  origin = await place.http(async (request, response) => {
    const { url, method, headers } = request
    asked.push({ method, url, headers, body: (await bodyOf(request)).toString() })
    if (url === '/silent') return
    if (url === '/reset') return void request.socket.resetAndDestroy()
    if (url === '/endless') {
      const pour = setInterval(() => response.write('x'.repeat(1_000_000)), 1)
      return void response.once('close', () => clearInterval(pour))
    }
    if (url === '/away') return void response.writeHead(302, { location: 'http://127.0.0.2/' }).end('gone')
    if (url === '/latin')
      return void response
        .writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-2' })
        .end(Buffer.from([0xbf, 0xf3, 0xb3, 0x77]))
    if (url === '/x.json') return void response.end('{"id":5}')
    if (url === '/500') return void response.writeHead(500).end('broken')
    response.writeHead(201, { 'content-type': 'application/json', 'x-count': '7' }).end('{"id":5}')
  })
})
afterAll(async () => {
  await place.close()
  await stand.close()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(() => {
  asked.length = 0
})

function task(data: Record<string, unknown> = {}): DeliveryTask {
  return { kind: 'notification', channel: 'api_call', name: 'call', content: { kind: 'data', data } }
}

async function fault(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  if (error instanceof DeliveryFault) return `${error.kind}: ${error.message}`
  return error instanceof Error ? `${error.name}: ${error.message}` : `none: ${String(error)}`
}

/** Returns a callback that passes on the response that it receives. */
function callback(run: (response: unknown) => void): Setting {
  return {
    kind: 'liquid',
    render(_, scope) {
      run(scope['response'])
      return ''
    },
  }
}

describe('a call by a job', () => {
  test('is made as its template says, and its callback sees the answer', async () => {
    const parts = stand.open('production')
    const answers: unknown[] = []
    const site = siteOf([
      apiCall('call', {
        to: liquid(`${origin}/hook?to={{ data.who }}`),
        requestType: liquid('{{ data.method }}'),
        requestHeaders: liquid(
          '{ "Content-Type": "application/x-www-form-urlencoded", "Authorization": "Bearer {{ form.token }}", "X-N": 5 }',
        ),
        render: template('\n a={{ data.who }} \n'),
        callback: callback((response) => answers.push(response)),
      }),
    ])
    await deliver(parts, task({ who: 'a<b', method: 'Put', token: 'secret' }), jobOf(site))
    expect(asked[0]).toMatchObject({
      method: 'PUT',
      url: '/hook?to=a%3Cb',
      body: 'a=a<b',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/x-www-form-urlencoded', 'x-n': '5' },
    })
    expect(answers).toMatchObject([{ status: 201, body: '{"id":5}', headers: { 'x-count': '7' } }])
    const row = (await parts.rows()).at(-1)
    expect(row).toMatchObject({
      channel: 'api_call',
      name: 'call',
      error: null,
      content: { request_type: 'PUT', body: 'a=a<b' },
      options: { response: { status: 201, body: '{"id":5}' } },
    })
    expect(JSON.stringify(row)).not.toContain('secret')
  })

  test('knows what kind of body it has where nobody says', async () => {
    const parts = stand.open('production')
    for (const body of ['{"a":1}', 'a=1', '']) {
      await deliver(parts, task({ body }), jobOf(siteOf([apiCall('call', { to: plain(origin), render: () => body })])))
    }
    expect(asked.map(({ headers }) => headers['content-type'])).toEqual([
      'application/json',
      'text/plain; charset=utf-8',
      undefined,
    ])
  })

  test('answers of any status and charset are answers, and redirects are not followed', async () => {
    const parts = stand.open('production')
    const answers: { status: number; body: string }[] = []
    for (const path of ['/500', '/away', '/latin']) {
      const entry = apiCall('call', {
        to: plain(`${origin}${path}`),
        callback: callback((response) => answers.push(response as { status: number; body: string })),
      })
      await deliver(parts, task({ path }), jobOf(siteOf([entry])))
    }
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [500, 'broken'],
      [302, 'gone'],
      [200, 'żółw'],
    ])
    expect(asked).toHaveLength(3)
  })

  test('brings files along', async () => {
    const parts = stand.open('production')
    const body = JSON.stringify({
      one: { url: '/assets/a.txt', name: 'b"\r\nX: y.txt', content_type: 'text/csv' },
      two: { url: `${origin}/x.json` },
      three: 3,
    })
    const entry = apiCall('call', {
      to: plain(`${origin}/up`),
      requestType: plain('post_multipart'),
      requestHeaders: plain({ 'content-type': 'x/y', 'x-a': 'b' }),
      render: () => body,
    })
    await deliver(parts, task(), jobOf(siteOf([entry], { assets: liveAssets({ 'a.txt': 'app/assets/a.txt' }) }), root))
    const { method, headers, body: sent } = asked.at(-1)!
    expect([method, headers['x-a']]).toEqual(['POST', 'b'])
    const form = await new Response(sent, { headers: { 'content-type': String(headers['content-type']) } }).formData()
    const one = form.get('one') as File
    expect([one.name.replaceAll('%22', '"'), one.type, await one.text()]).toEqual([
      'b" X: y.txt',
      'text/csv',
      'the asset',
    ])
    expect(await (form.get('two') as File).text()).toBe('{"id":5}')
    expect(form.get('three')).toBe('3')
    expect(await fault(deliver(parts, task(), jobOf(siteOf([{ ...entry, render: () => 'a=b' }]))))).toBe(
      'permanent: the body of a multipart call must be a JSON object of its fields',
    )
  })

  test('that was answered is not made again: only its callback is run again', async () => {
    const parts = stand.open('production')
    let failures = 1
    const answers: unknown[] = []
    const entry = apiCall('call', {
      to: plain(origin),
      callback: callback((response) => {
        if (failures-- > 0) throw new LiquidFault('the database is away')
        answers.push(response)
      }),
    })
    const job = jobOf(siteOf([entry]))
    expect(await fault(deliver(parts, task({ n: 1 }), job))).toBe('LiquidError: the database is away')
    expect((await parts.rows()).at(-1)).toMatchObject({ error: null })
    await deliver(parts, task({ n: 1 }), job)
    expect(asked).toHaveLength(1)
    expect(answers).toMatchObject([{ status: 201, body: '{"id":5}' }])
  })

  test.each([
    [plain(''), plain('GET'), "permanent: this API call has no URL: its 'to' is blank"],
    [
      plain('http://127.0.0.2:9/x?key=secret'),
      plain('GET'),
      'permanent: the call of http://127.0.0.2:9 failed: this site is not allowed to connect to its address: allow hosts of the private network in INGOT_OUTGOING',
    ],
    [plain('/relative'), plain('GET'), "permanent: the call of '/relative' failed: its URL is not valid"],
    [
      plain('gopher://host/secret'),
      plain('GET'),
      "permanent: the call of 'gopher:…' failed: its URL does not begin with http:// or https://",
    ],
    [plain('http://a.test/'), plain('TRACE'), "permanent: 'TRACE' is not an HTTP method for API calls"],
    [plain('http://a.test/'), plain('GET\r\nX: y'), "permanent: 'GET X: y' is not an HTTP method for API calls"],
  ])('to %j by %j fails', async (to, requestType, message) => {
    const parts = stand.open('production')
    expect(await fault(deliver(parts, task(), jobOf(siteOf([apiCall('call', { to, requestType })]))))).toBe(message)
  })

  test('that breaks may be tried again; headers that are none may not', async () => {
    const parts = stand.open('production')
    const entry = apiCall('call', { to: plain(`${origin}/reset`) })
    expect(await fault(deliver(parts, task(), jobOf(siteOf([entry]))))).toBe(
      `temporary: the call of ${origin} failed: the connection was reset`,
    )
    expect(await fault(deliver(parts, task(), jobOf(siteOf([{ ...entry, requestHeaders: plain('{"a') }]))))).toBe(
      `permanent: 'request_headers' is not a JSON object: {"a`,
    )
  })
})

describe('what mutations set off', () => {
  const queued: JobRequest[] = []
  const now: ApiCallOptions = { timeout: null, skipVerification: false }
  const site = siteOf([
    email('welcome', { delay: liquid('{{ data.minutes }}') }),
    email('off', { enabled: false }),
    sms('code'),
    apiCall('call', { to: liquid('{{ data.url }}'), requestType: plain('GET') }),
  ])

  beforeEach(() => {
    queued.length = 0
  })

  function effects(more: Partial<EffectDependencies> = {}) {
    return createEffects({
      notifications: stand.open('production'),
      loadedSite: { site, root, folder: root },
      render: (format) => renderOf(more.loadedSite?.site ?? site, format === 'html' ? 'html' : 'txt'),
      origin: () => ({ host: 'shop.test', language: 'pl', user: '7', depth: 1 }),
      sendMessage: async () => undefined,
      enqueue: async (jobs) => {
        // Throws for a job that the real queue would reject.
        for (const job of jobs) serializeJob(job)
        queued.push(...jobs)
      },
      place: 'web',
      log: { write: () => undefined },
      translationsChanged: async () => undefined,
      importRows: async () => ({ ids: [], external_ids: [] }),
      ...more,
    })
  }

  test('mails and texts by their templates are queued with their delay', async () => {
    expect(await effects().email({ template: 'welcome', data: { minutes: ' 1.5 ' }, delay: null })).toEqual({
      scheduled: true,
      errors: [],
    })
    expect(await effects().sms({ template: 'code', data: {}, delay: 3 })).toEqual({ scheduled: true, errors: [] })
    expect(queued).toMatchObject([
      {
        task: {
          kind: 'notification',
          channel: 'email',
          name: 'welcome',
          content: { kind: 'data', data: { minutes: ' 1.5 ' } },
        },
        origin: { host: 'shop.test', user: '7' },
        options: { delay: 1.5, priority: 'default', maxAttempts: 5, sourceName: 'welcome' },
      },
      { task: { channel: 'sms', name: 'code' }, options: { delay: 3 } },
    ])
  })

  test('whole ones too', async () => {
    const whole = {
      to: ['a@example.com'],
      from: 'b@example.com',
      subject: '',
      content: '',
      cc: [],
      bcc: [],
      replyTo: [],
    }
    expect(await effects().email({ content: whole, delay: null })).toEqual({ scheduled: true, errors: [] })
    expect(await effects().sms({ content: { to: '+48 512 345 678', content: ' hi ' }, delay: null })).toEqual({
      scheduled: true,
      errors: [],
    })
    expect(queued.map(({ task: each }) => each)).toEqual([
      { kind: 'email', email: whole },
      { kind: 'sms', sms: { to: '+48512345678', content: 'hi' } },
    ])
  })

  test('what cannot be sent is said at once, and not queued', async () => {
    const all = effects()
    const whole = {
      to: ['a@example.com'],
      from: 'b@example.com',
      subject: '',
      content: '',
      cc: [],
      bcc: [],
      replyTo: [],
    }
    const said = [
      await all.email({ template: 'welcom', data: {}, delay: null }),
      await all.sms({ template: 'welcome', data: {}, delay: null }),
      await all.email({ template: 'off', data: {}, delay: null }),
      await all.email({ template: 'welcome', data: { minutes: 'soon' }, delay: null }),
      await all.email({ template: 'welcome', data: { much: 'x'.repeat(MAX_PAYLOAD) }, delay: null }),
      await all.email({ content: { ...whole, to: [] }, delay: null }),
      await all.email({ content: { ...whole, from: 'b@example.com\r\nBcc: c@example.com' }, delay: null }),
      await all.sms({ content: { to: '12', content: 'x' }, delay: null }),
    ]
    expect(said.map(({ scheduled, errors }) => [scheduled, ...errors.map((text) => text.slice(0, 90))])).toEqual([
      [false, "can't find email welcom. Did you mean `welcome`?"],
      [false, "can't find sms welcome"],
      [false],
      [false, "the delay of welcome must be a number of minutes, not 'soon' (app/emails/welcome.liquid:1)"],
      [false, expect.stringMatching(/the email welcome/)],
      [false, 'this email has no recipient'],
      [false, expect.stringMatching(/^'.*' in 'from' is not an email address$/)],
      [false, "'12' is not a phone number: use the international format, such as +48123456789"],
    ])
    expect(queued).toEqual([])
  })

  test('a database that fails is nobody’s mistake', async () => {
    const all = effects({ enqueue: async () => Promise.reject(new Error('gone')) })
    await expect(all.email({ template: 'welcome', data: {}, delay: null })).rejects.toThrow('gone')
  })

  test('calls are made at once', async () => {
    const answers: unknown[] = []
    const called = siteOf([
      apiCall('call', {
        to: liquid('{{ data.url }}'),
        requestType: plain('GET'),
        callback: callback((response) => answers.push(response)),
      }),
    ])
    const { response, errors } = await effects({ loadedSite: { site: called, root, folder: root } }).callApi(
      { template: 'call', data: { url: `${origin}/x` }, delay: null },
      now,
    )
    expect([response?.status, response?.body, errors]).toEqual([201, '{"id":5}', []])
    expect(answers).toHaveLength(1)
    const whole = { url: `${origin}/y`, method: 'delete', headers: { 'X-A': 'b' }, body: '' }
    expect((await effects().callApi({ content: whole, delay: null }, now)).response?.status).toBe(201)
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /x', 'DELETE /y'])
  })

  test('what goes wrong with a call is said in its result', async () => {
    const all = effects()
    const get = (url: string, timeout: number | null = null) =>
      all.callApi({ template: 'call', data: { url }, delay: null }, { timeout, skipVerification: false })
    const started = performance.now()
    expect(await get(`${origin}/silent`, 0.3)).toEqual({
      response: null,
      errors: [`the call of ${origin} failed: no answer within 0.3 s (app/api_calls/call.liquid:1)`],
    })
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(await get(`${origin}/endless`)).toEqual({
      response: null,
      errors: [
        `the call of ${origin} failed: the response is larger than 10000000 bytes (app/api_calls/call.liquid:1)`,
      ],
    })
    expect((await get('http://169.254.169.254/')).errors[0]).toMatch(
      /this site is not allowed to connect to its address/,
    )
    expect(await all.callApi({ template: 'cal', data: {}, delay: null }, now)).toEqual({
      response: null,
      errors: ["can't find API call cal. Did you mean `call`?"],
    })
    expect(
      await all.callApi({ content: { url: origin, method: 'CONNECT', headers: {}, body: '' }, delay: null }, now),
    ).toEqual({ response: null, errors: ["'CONNECT' is not an HTTP method for API calls"] })
  })

  test('a callback that fails stands beside its answer, and a call that is off is none', async () => {
    const failing = siteOf([
      apiCall('call', {
        to: plain(origin),
        callback: callback(() => {
          throw new LiquidFault('no')
        }),
      }),
      apiCall('off', { to: plain(origin), enabled: false }),
      apiCall('never', { to: plain(origin), triggerCondition: plain(false) }),
    ])
    const all = effects({ loadedSite: { site: failing, root, folder: root } })
    const one = await all.callApi({ template: 'call', data: {}, delay: null }, now)
    expect([one.response?.status, one.errors]).toEqual([201, ['no']])
    for (const name of ['off', 'never']) {
      expect(await all.callApi({ template: name, data: {}, delay: null }, now)).toEqual({ response: null, errors: [] })
    }
    expect(asked).toHaveLength(1)
  })

  test('a visitor waits eight seconds at the most, whatever a template asks for', async () => {
    const started = performance.now()
    const { errors } = await effects().callApi(
      { template: 'call', data: { url: `${origin}/silent` }, delay: null },
      { timeout: 60, skipVerification: false },
    )
    expect(errors[0]).toMatch(/no answer within 8 s/)
    expect(performance.now() - started).toBeLessThan(9_500)
  }, 15_000)

  test('an export is queued', async () => {
    await effects().export('12')
    expect(queued).toMatchObject([{ task: { kind: 'export', id: '12' }, options: { priority: 'low', maxAttempts: 1 } }])
  })
})
