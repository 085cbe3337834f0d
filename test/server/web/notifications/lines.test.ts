/** An error in a setting of a notification names the line of the setting. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../../../compiler/compile.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import * as runtime from '../../../../runtime/index.ts'
import type { Channel } from '../../../../runtime/data/jobs.ts'
import { locate } from '../../../../runtime/page/locate.ts'
import { deliver } from '../../../../server/web/notifications/deliver.ts'
import { loadSite } from '../../../../server/web/site/load.ts'
import { jobOf, standing } from './ground.ts'

const EMAIL = `---
name: order
to: '{{ data.to }}'
from: "{{ data.from | default: 'shop@example.com' }}"
cc: >-
  {{ data.cc }},
  {{ data.more }}
subject: |
  {{ data.title }}
  {{ 10 | divided_by: data.by }}
unique_args: '{{ data.args }}'
attachments: |
  {{ data.files }}
---
body
`
const SMS = `---
to: '{{ data.to }}'

content: >
  {{ data.text }}
---
`
const API_CALL = `---
request_type: '{{ data.type | default: "POST_MULTIPART" }}'
headers: '{{ data.headers }}'
to: 'http://127.0.0.1:1/{{ data.path }}'
callback: '{{ 1 }}'
---

{{ data.body }}
`

const root = mkdtempSync(join(tmpdir(), 'ingot-lines-'))
let stand: Awaited<ReturnType<typeof standing>>
let loaded: Awaited<ReturnType<typeof loadSite>>

beforeAll(async () => {
  stand = await standing()
  const texts = {
    'app/emails/order.liquid': EMAIL,
    'app/smses/code.liquid': SMS,
    'app/api_calls/hook.liquid': API_CALL,
  }
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const { files } = await discover(root)
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false } as const
  const { modules, operations, diagnostics } = compile(files, options)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  const folder = join(root, '.ingot')
  await bundle({ modules, files, operations, out: folder })
  loaded = await loadSite({ root, folder }, runtime)
})
afterAll(async () => {
  await stand.close()
  rmSync(root, { recursive: true, force: true })
})

const TO = { to: 'ann@example.com', by: 1 }

test.each<readonly [channel: Channel, name: string, data: Record<string, unknown>, said: string]>([
  ['email', 'order', { ...TO, to: '' }, "order.liquid:3 this email has no recipient: its 'to' is blank"],
  ['email', 'order', { ...TO, to: 'nobody' }, "order.liquid:3 'nobody' in 'to' is not an email address"],
  ['email', 'order', { ...TO, from: 'nobody' }, "order.liquid:4 'nobody' in 'from' is not an email address"],
  ['email', 'order', { ...TO, more: 'nobody' }, "order.liquid:5 'nobody' in 'cc' is not an email address"],
  ['email', 'order', { ...TO, by: 0 }, 'order.liquid:10 divided by 0'],
  ['email', 'order', { ...TO, args: '[1]' }, "order.liquid:11 'unique_args' must be a map, or text of a JSON object"],
  ['email', 'order', { ...TO, args: '{' }, "order.liquid:11 'unique_args' is not a JSON object: {"],
  ['email', 'order', { ...TO, files: '{ "a.pdf": {} }' }, "order.liquid:12 the attachment 'a.pdf' has no 'url'"],
  ['sms', 'code', { to: ' ' }, "code.liquid:2 this text message has no recipient: its 'to' is blank"],
  ['sms', 'code', { to: '12', text: 'x' }, "code.liquid:2 '12' is not a phone number"],
  ['sms', 'code', { to: '+48123456789', text: '' }, 'code.liquid:4 this text message is empty'],
  ['api_call', 'hook', { type: 'FETCH' }, "hook.liquid:2 'FETCH' is not an HTTP method for API calls"],
  ['api_call', 'hook', { headers: '{' }, "hook.liquid:3 'request_headers' is not a JSON object: {"],
  ['api_call', 'hook', { type: 'GET' }, 'hook.liquid:4 the call of http://127.0.0.1:1 failed'],
  ['api_call', 'hook', { body: 'x' }, 'hook.liquid:7 the body of a multipart call must be a JSON object of its fields'],
  ['api_call', 'hook', { body: '{ "a": {} }' }, "hook.liquid:7 the file 'a' of the body has no 'url'"],
])('%s %s with %j', async (channel, name, data, said) => {
  const parts = stand.open('production')
  const task = { kind: 'notification', channel, name, content: { kind: 'data', data } } as const
  const error: unknown = await deliver(parts, task, jobOf(loaded.site, root)).catch((thrown: unknown) => thrown)
  if (!(error instanceof LiquidFault)) throw error
  // Adds the location, as the job thread does.
  locate(error, loaded.locator)
  expect(`${error.file?.split('/').at(-1)}:${error.line} ${error.message}`.slice(0, said.length)).toBe(said)
})
