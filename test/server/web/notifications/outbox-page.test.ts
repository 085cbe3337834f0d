/** The pages of the outbox: what they show, who can see them, and that a mail cannot harm them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as runtime from '../../../../runtime/index.ts'
import type { Reply } from '../../../../server/web/http/message.ts'
import type { Mail } from '../../../../server/web/notifications/model.ts'
import { createOutbox, readOutbox } from '../../../../server/web/notifications/outbox.ts'
import { createGraphiql } from '../../../../server/tools/dev/graphiql.ts'
import { createOutboxPage, OUTBOX } from '../../../../server/tools/dev/outbox.ts'
import { createLiveParts } from '../../../../server/tools/dev/live-parts.ts'
import { createDevTokens } from '../../../../server/tools/dev/tokens.ts'
import { createDevView } from '../../../../server/tools/dev/view.ts'
import { request } from '../../../support/server/site.ts'

const folder = join(mkdtempSync(join(tmpdir(), 'ingot-outbox-')), 'outbox')
const page = createOutboxPage(folder)
const EVIL = `</pre><script>alert(1)</script>"'<img src=x onerror=alert(2)>`
const evil: Mail = {
  from: { name: EVIL, address: 'a@example.com' },
  to: [{ name: '', address: 'b@example.com' }],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: EVIL,
  html: `<p onclick="alert(3)">Hi <img src="cid:l.png"><img src="cid:gone"></p>${EVIL}`,
  text: EVIL,
  attachments: [
    { name: `${EVIL}.html`, type: 'text/html', bytes: Buffer.from('<script>alert(4)</script>'), cid: null },
    { name: 'l.png', type: 'image/png', bytes: Buffer.from('png'), cid: 'l.png' },
  ],
  headers: { 'X-SMTPAPI': '{"a": "<b>"}' },
  messageId: 'm1@example.com',
}

async function get(path: string, more: Parameters<typeof request>[1] = {}): Promise<Reply | null> {
  return page.answer(request(path, { host: 'localhost:3000', ...more }))
}

function text(reply: Reply | null): string {
  const body = reply?.body ?? ''
  return typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body).toString() : ''
}

let id = ''
beforeAll(async () => {
  expect(text(await get(OUTBOX))).toContain('No messages were sent yet')
  const outbox = createOutbox(folder)
  await outbox.mail(evil)
  id = (await readOutbox(folder))[0]?.id ?? ''
  await outbox.sms({ to: '+48512345678', content: EVIL })
})
afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

test('what was written into a mail is text on every page', async () => {
  const sms = (await readOutbox(folder)).find(({ kept }) => kept.channel === 'sms')
  for (const path of [OUTBOX, `${OUTBOX}/${id}`, `${OUTBOX}/${sms?.id}`]) {
    const reply = await get(path)
    expect([path, reply?.status]).toEqual([path, 200])
    expect(text(reply)).not.toMatch(/<script>|<img|onerror=alert\(2\)>"/)
    expect(text(reply)).toContain('&#60;script&#62;')
    expect(reply?.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; frame-src 'self';/,
    )
  }
})

test('its HTML stands in a frame that runs nothing', async () => {
  expect(text(await get(`${OUTBOX}/${id}`))).toContain(
    `sandbox="allow-popups allow-popups-to-escape-sandbox" src="${OUTBOX}/${id}/html"`,
  )
  const reply = await get(`${OUTBOX}/${id}/html`)
  expect(reply?.headers['content-security-policy']).toMatch(
    /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/,
  )
  expect(text(reply)).toContain(`<img src="${OUTBOX}/${id}/attachment/2"><img src="cid:gone">`)
})

test('files are saved and never opened as pages', async () => {
  const one = await get(`${OUTBOX}/${id}/attachment/1`)
  expect(text(one)).toBe('<script>alert(4)</script>')
  expect(one?.headers).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment; filename="[\w.-]*"; filename\*=UTF-8''[\w.%-]*$/),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
  const raw = await get(`${OUTBOX}/${id}/message.eml`)
  expect(raw?.headers['content-type']).toBe('message/rfc822')
  expect(text(raw)).toContain('To: b@example.com\r\n')
})

test('other paths name nothing', async () => {
  writeFileSync(join(folder, '..', 'secret'), 'secret')
  mkdirSync(join(folder, '20260101T000000000Z-aaaaaaaaaaaa'))
  writeFileSync(join(folder, '20260101T000000000Z-aaaaaaaaaaaa', 'message.json'), '{"channel":"email"}')
  for (const path of [
    '/..',
    '/../secret',
    '/%2e%2e/secret',
    `/${id}/attachment/0`,
    `/${id}/attachment/3`,
    `/${id}/attachment/1/x`,
    `/${id}/message.json`,
    `/${id}/../`,
    '/20260101T000000000Z-aaaaaaaaaaaa',
    '/20260101T000000000Z-bbbbbbbbbbbb',
    '/x',
  ]) {
    expect([path, (await get(`${OUTBOX}${path}`))?.status]).toEqual([path, 404])
  }
  expect(await get('/_ingot/outboxes')).toBeNull()
  expect((await get(OUTBOX, { method: 'POST' }))?.status).toBe(404)
})

test('other machines, and names that only lead here, see nothing', async () => {
  expect((await get(OUTBOX, { ip: '10.0.0.7' }))?.status).toBe(403)
  expect((await get(`${OUTBOX}/${id}`, { host: 'evil.example' }))?.status).toBe(403)
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'cf-connecting-ip'])
    expect((await get(OUTBOX, { headers: { [name]: '203.0.113.9' } }))?.status, name).toBe(403)
  expect(text(await get(`${OUTBOX}/${id}/html`, { host: 'evil.example' }))).not.toContain('Hi')
})

test('`ingot dev` shows it, also while the site does not build', async () => {
  const tokens = createDevTokens()
  const view = createDevView(
    '/nowhere',
    runtime,
    { environment: 'development', version: '0', constants: () => ({}), logger: pino({ level: 'silent' }) },
    {
      prepare: async () => new Map(),
      graphiql: createGraphiql('/nowhere', tokens),
      outbox: page,
      docs: { answer: () => null },
      studio: { answer: () => null },
    },
    createLiveParts({ root: '/nowhere', script: '/nowhere', tokens, editor: null }),
  )
  view.problems('no such tag')
  expect(text(await view.handler(request(OUTBOX, { host: 'localhost:3000' })))).toContain(`href="${OUTBOX}/${id}"`)
})

test('many are kept, not all', async () => {
  const many = join(folder, '..', 'many')
  const outbox = createOutbox(many)
  for (let i = 0; i < 520; i++) await outbox.sms({ to: '+48512345678', content: String(i) })
  const kept = await readOutbox(many)
  expect(kept).toHaveLength(500)
})
