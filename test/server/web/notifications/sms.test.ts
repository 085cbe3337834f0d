/** Text messages: what the gateway receives, and what is never sent to it. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmsEntry } from '../../../../runtime/page/site.ts'
import { deliver } from '../../../../server/web/notifications/deliver.ts'
import { DeliveryFault, type DeliveryTask } from '../../../../server/web/notifications/model.ts'
import { outboxFolder } from '../../../../server/web/notifications/open.ts'
import { readOutbox } from '../../../../server/web/notifications/outbox.ts'
import { bodyOf, createTestServers } from '../../core/net/test-servers.ts'
import { jobOf, liquid, plain, siteOf, sms, standing, template } from './ground.ts'

const place = createTestServers()
const keys: unknown[] = []
const taken: { auth: unknown; body: unknown }[] = []
let stand: Awaited<ReturnType<typeof standing>>
let gateway = ''
let answers: number[] = []

beforeAll(async () => {
  stand = await standing()
  gateway = await place.http(async (request, response) => {
    keys.push(request.headers['idempotency-key'])
    taken.push({ auth: request.headers.authorization, body: JSON.parse((await bodyOf(request)).toString()) })
    const status = answers.shift() ?? 202
    response
      .writeHead(status, { location: 'http://169.254.169.254/' })
      .end(status === 202 ? '{"id":"x1"}' : 'no credit')
  }, '127.0.0.3')
})
afterAll(async () => {
  await place.close()
  await stand.close()
})

const task: DeliveryTask = {
  kind: 'notification',
  channel: 'sms',
  name: 'code',
  content: { kind: 'data', data: { n: '+48 512 345 678', code: 'a & b' } },
}

function production(more = {}) {
  // The gateway may be in our own network, because the settings name it.
  return stand.open('production', { smsUrl: `${gateway}/send`, smsToken: 'T0KEN', ...more })
}

async function fault(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  return error instanceof DeliveryFault ? `${error.kind}: ${error.message}` : `none: ${String(error)}`
}

const site = (more: Partial<SmsEntry> = {}) => siteOf([sms('code', more)])

test('a text goes to the gateway, as plain text, with its token', async () => {
  taken.length = 0
  const parts = production()
  await deliver(parts, task, jobOf(site({ to: liquid('{{ data.n }}'), render: template('\n{{ form.code }}\n') })))
  expect(taken).toEqual([{ auth: 'Bearer T0KEN', body: { to: '+48512345678', content: 'a & b' } }])
  expect((await parts.rows()).at(-1)).toMatchObject({
    channel: 'sms',
    name: 'code',
    error: null,
    content: { to: '+48512345678', content: 'a & b' },
    options: { status: 202, response: '{"id":"x1"}' },
  })
})

test('its key `content` is the text where it has no body', async () => {
  taken.length = 0
  await deliver(
    production({ smsToken: null }),
    task,
    jobOf(site({ content: liquid('hi {{ data.code }}'), render: () => '\n' })),
  )
  expect(taken).toEqual([{ auth: undefined, body: { to: '+48512345678', content: 'hi a & b' } }])
})

test('a text to many goes to each once, whatever becomes of the others', async () => {
  taken.length = 0
  const parts = production()
  const job = jobOf(site({ to: plain('+48512345678, +48512345679,+48 512 345 678') }))
  answers = [503]
  expect(await fault(deliver(parts, task, job))).toBe('temporary: the SMS gateway responded with status 503: no credit')
  expect(taken.map(({ body }) => (body as { to: string }).to)).toEqual(['+48512345678', '+48512345679'])
  await deliver(parts, task, job)
  await deliver(parts, task, job)
  expect(taken.map(({ body }) => (body as { to: string }).to)).toEqual(['+48512345678', '+48512345679', '+48512345678'])
  const rows = (await parts.rows()).slice(-2)
  expect(rows.map(({ content, error }) => [content['to'], error])).toEqual([
    ['+48512345678', null],
    ['+48512345679', null],
  ])
})

test.each([
  ['512345678', "permanent: '512345678' is not a phone number: use the international format, such as +48123456789"],
  ['+1', "permanent: '+1' is not a phone number: use the international format, such as +48123456789"],
  ['+48512345678x"}', 'none: undefined'],
  ['', "permanent: this text message has no recipient: its 'to' is blank"],
  [' , ', "permanent: this text message has no recipient: its 'to' is blank"],
])('to %j', async (to, message) => {
  taken.length = 0
  expect(await fault(deliver(production(), task, jobOf(site({ to: plain(to) }))))).toBe(message)
  for (const { body } of taken) expect(body).toMatchObject({ to: '+48512345678' })
})

test('an empty one, and one that is too long', async () => {
  expect(await fault(deliver(production(), task, jobOf(site({ render: () => ' ' }))))).toBe(
    'permanent: this text message is empty',
  )
  expect(await fault(deliver(production(), task, jobOf(site({ render: () => 'x'.repeat(1_601) }))))).toBe(
    'permanent: this text message has 1601 characters: at most 1600 can be sent',
  )
})

test('a gateway that refuses, redirects, or is not there', async () => {
  answers = [402]
  expect(await fault(deliver(production(), task, jobOf(site())))).toBe(
    'permanent: the SMS gateway responded with status 402: no credit',
  )
  answers = [307]
  expect(await fault(deliver(production(), task, jobOf(site())))).toBe(
    'permanent: the SMS gateway responded with status 307: no credit',
  )
  expect(await fault(deliver(production({ smsUrl: 'http://127.0.0.3:1/' }), task, jobOf(site())))).toBe(
    'temporary: the SMS gateway is not reachable: nothing listens at this address',
  )
})

test('without a gateway, in development they lie in the outbox, in production they fail', async () => {
  const parts = stand.open('development')
  await deliver(parts, { kind: 'sms', sms: { to: '+48512345678', content: 'hello' } }, jobOf(site()))
  const [first] = await readOutbox(outboxFolder(parts.dataFolder))
  expect(first?.kept).toMatchObject({ channel: 'sms', to: '+48512345678', content: 'hello' })
  expect(await fault(deliver(stand.open('production'), task, jobOf(site())))).toBe(
    'permanent: text messages cannot be sent: set INGOT_SMS_URL',
  )
})

test('a text that the gateway has taken is not sent again, whatever becomes of the rest of its answer', async () => {
  for (const send of [
    (response: ServerResponse) => response.write('a'.repeat(100_000)),
    (response: ServerResponse) => response.write('{"id":', () => setTimeout(() => response.destroy(), 50)),
  ]) {
    let count = 0
    const odd = await place.http((_request, response) => {
      count++
      response.writeHead(200, { 'content-length': '1000000' })
      send(response)
    }, '127.0.0.3')
    const parts = production({ smsUrl: odd })
    const job = jobOf(site())
    await deliver(parts, task, job)
    expect((await parts.rows()).at(-1)).toMatchObject({ error: null, options: { status: 200 } })
    await deliver(parts, task, job)
    expect(count).toBe(1)
  }
})

test('a gateway can tell each attempt of a text from other texts', async () => {
  keys.length = 0
  const parts = production()
  answers = [503]
  const job = jobOf(site({ to: plain('+48512345678') }))
  expect(await fault(deliver(parts, task, job))).toContain('temporary')
  await deliver(parts, task, job)
  await deliver(parts, task, jobOf(site({ to: plain('+48512345678') })))
  expect(keys).toHaveLength(3)
  expect(keys[0]).toBeTruthy()
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})
