/** Upload properties by GraphQL: the permission to send a file, the upload itself, and its address, which is stored, read and signed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DataSchema, PropertyDef } from '../../../../runtime/page/compiled.ts'
import { createApp } from '../../../../server/web/app.ts'
import { type GraphqlProcess, openGraphql } from '../../../../server/web/graphql/process.ts'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening } from '../../../../server/web/http/listening.ts'
import { createLoadedSite } from '../../../../server/web/site/load.ts'
import { applyData } from '../../../support/database.ts'
import { page, site } from '../../../support/server/site.ts'
import { type FilesSetup, ground, picture } from './ground.ts'

const TOKEN = 'the-token-of-the-environment'

function upload(name: string, options: PropertyDef['options'] = null): PropertyDef {
  return { name, type: 'upload', default: null, belongsTo: null, options }
}

const data: DataSchema = {
  tables: [
    {
      name: 'item',
      file: 'app/schema/item.yml',
      properties: [
        { name: 'title', type: 'string', default: null, belongsTo: null, options: null },
        upload('photo', {
          content_length: { gte: 0, lte: 100 },
          versions: [
            { name: 'thumb', output: { format: 'webp' }, resize: { width: 10, height: 10 } },
            { name: 'same', resize: { width: 20 } },
          ],
        }),
        upload('contract', { acl: 'private' }),
      ],
    },
  ],
  user: [upload('avatar')],
  profiles: [],
}

let it: FilesSetup
let graphql: GraphqlProcess
let server: Listening
let url = ''
const root = mkdtempSync(join(tmpdir(), 'ingot-uploads-'))

beforeAll(async () => {
  it = await ground()
  const { sql } = it.database
  const logger = pino({ level: 'silent' })
  const ids = await applyData(sql, data)
  graphql = await openGraphql({ sql, replica: null, secret: 'of these tests', apiToken: TOKEN, logger })
  const loaded = createLoadedSite(site([page('/')], { data }), root, join(root, '.ingot'), true)
  const facts = { environment: 'production', version: '1', constants: graphql.constants.all, logger, graphql } as const
  const { handler } = createApp(loaded, { ...facts, files: it.desk }, ids)
  const uploads = { folder: it.incoming, limit: it.desk.limit }
  server = await listen(handler, { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 100_000, uploads, log: logger })
  url = `http://127.0.0.1:${server.port}`
})
afterAll(async () => {
  await server.stop(0, 0)
  await graphql.close()
  await it.close()
  rmSync(root, { recursive: true, force: true })
})

interface Answer {
  readonly data?: Record<string, Record<string, unknown>> | null
  readonly errors?: readonly { readonly message: string }[]
}

async function ask(query: string, variables: Record<string, unknown> = {}): Promise<Answer> {
  const reply = await fetch(`${url}/api/graph`, {
    method: 'POST',
    headers: { authorization: `Token token=${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return (await reply.json()) as Answer
}

const PRESIGN = `mutation($property: String!, $table: String, $user: Boolean, $to: PresignUrl) {
  leave: property_upload_presigned_url(property_name: $property, table: $table, user: $user, presign_url: $to) {
    upload_url upload_url_payload __typename } }`

/** Requests permission and sends a file. Returns the status and the address. */
async function send(
  content: Uint8Array | string,
  name: string,
  variables: Record<string, unknown>,
): Promise<[number, string]> {
  const { data: got, errors } = await ask(PRESIGN, variables)
  expect(errors).toBeUndefined()
  const { upload_url, upload_url_payload } = (got?.['leave'] ?? {}) as {
    upload_url: string
    upload_url_payload: Record<string, string>
  }
  const form = new FormData()
  for (const [field, value] of Object.entries(upload_url_payload)) form.append(field, value)
  form.append('Content-Type', 'image/png')
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), name)
  const reply = await fetch(url + upload_url, { method: 'POST', body: form })
  return [reply.status, reply.headers.get('location') ?? '']
}

const CREATE = `mutation($name: String!, $value: String) {
  record_create(record: { table: "item", properties: [{ name: $name, value: $value }] }) { id } }`
const READ = `query($name: String!, $id: ID, $seconds: Int) { records(per_page: 1, filter: { id: { value: $id } }) { results {
  file: property_upload(name: $name, expires_in: $seconds) { url file_name extension versions } properties } } }`

async function stored(name: string, value: string, seconds: number | null = null): Promise<Record<string, unknown>> {
  const { data: made, errors } = await ask(CREATE, { name, value })
  expect(errors).toBeUndefined()
  const { data: read } = await ask(READ, { name, id: made?.['record_create']?.['id'], seconds })
  const [row] = (read?.['records']?.['results'] ?? []) as Record<string, Record<string, unknown>>[]
  return row?.['file'] ?? {}
}

describe('an upload property', () => {
  test('takes a file by an address that it was given, makes its versions, and shows them', async () => {
    const bytes = await picture(40, 40)
    const [status, location] = await send(bytes, 'żółw.png', { property: 'photo', table: 'item' })
    expect(status).toBe(201)
    const file = (await stored('photo', location)) as { url: string; versions: Record<string, string> }
    expect(file).toEqual({
      url: new URL(location).pathname,
      file_name: 'żółw.png',
      extension: 'png',
      versions: {
        thumb: expect.stringMatching(/^\/uploads\/.*\/thumb\/%C5%BC%C3%B3%C5%82w\.webp$/),
        same: expect.stringMatching(/\/same\/%C5%BC%C3%B3%C5%82w\.png$/),
      },
    })
    for (const address of [file.url, ...Object.values(file.versions)]) {
      const shown = await fetch(url + address)
      expect([shown.status, shown.headers.get('content-type')?.startsWith('image/')]).toEqual([200, true])
    }
    // Only the path of the address matters, not its host or its signature.
    const again = await stored('photo', `https://www.example.com${new URL(location).pathname}?expires=1&signature=x`)
    expect(again).toEqual(file)
  })

  test('of private files gives addresses that end', async () => {
    const [status, location] = await send('the contract', 'contract.txt', { property: 'contract', table: 'item' })
    expect(status).toBe(201)
    expect((await fetch(location)).status).toBe(403)
    const { url: address, versions } = await stored('contract', location, 30)
    expect(await (await fetch(url + address)).text()).toBe('the contract')
    expect(versions).toEqual({})
    const expires = Number(/expires=(\d+)/.exec(String(address))?.[1])
    expect(expires - Date.now() / 1000).toBeGreaterThan(25)
    expect(expires - Date.now() / 1000).toBeLessThanOrEqual(30)
  })

  test('holds what it declares, and what the query says', async () => {
    const of = { property: 'photo', table: 'item' }
    expect((await send('x'.repeat(100_001), 'a.txt', of))[0]).toBe(413)
    expect((await send('x'.repeat(2_001), 'a.txt', { ...of, to: { content_length: { lte: 2 } } }))[0]).toBe(413)
    expect((await send('x', 'a.txt', { ...of, to: { content_length: { gte: 1, lte: 2 } } }))[0]).toBe(400)
    expect((await send('<html>', 'a.txt', { ...of, to: { content_type: { starts_with: 'image/' } } }))[0]).toBe(400)
    expect((await send(await picture(4, 4), 'a.png', { ...of, to: { content_type: { value: 'image/png' } } }))[0]).toBe(
      201,
    )
    const [status, location] = await send('x', 'a.txt', { ...of, to: { acl: 'private' } })
    expect([status, location.includes('/uploads/private/')]).toEqual([201, true])
  })

  test('of users', async () => {
    expect((await send(await picture(4, 4), 'me.png', { property: 'avatar', user: true }))[0]).toBe(201)
  })

  test('of another host stays as it was given', async () => {
    expect(await stored('photo', 'https://cdn.example.com/a/b.PNG?x=1')).toEqual({
      url: 'https://cdn.example.com/a/b.PNG?x=1',
      file_name: 'b.PNG',
      extension: 'png',
      versions: {},
    })
  })

  test.each([
    [{ property: 'title', table: 'item' }, 'no property `title` of type upload'],
    [{ property: 'gone', table: 'item' }, 'no property `gone` of type upload'],
    [{ property: 'photo', table: 'gone' }, 'no table `gone`'],
    [{ property: 'photo', user: true }, 'Users have no property `photo`'],
  ])('%j has no leave', async (variables, message) => {
    const { errors } = await ask(PRESIGN, variables)
    expect(errors?.[0]?.message).toContain(message)
  })
})
