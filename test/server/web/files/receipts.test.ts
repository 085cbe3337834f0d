/** What a visitor can do with the address of a file: in forms, REST and GraphQL, a property accepts it only from its uploader. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../../server/web/accounts/passwords.ts'
import { openFiles, type OpenedFiles } from '../../../../server/web/files/open.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { type Browser, inputsOf, type Sent, type ServedForms, serveForms } from '../rest/support.ts'
import { picture } from './ground.ts'

const UPLOADS = `properties:
  - name: title
  - name: photo
    type: upload
    options:
      content_length: { lte: 2 }
      versions:
        - { name: small, resize: { width: 2 } }
  - { name: scan, type: upload, options: { acl: private } }
  - { name: tags, type: array }
`
/** Files of a site that does not handle receipts. Each page passes its parameters on. */
const FILES = {
  'app/schema/post.yml': `name: post\n${UPLOADS}`,
  'app/schema/page.yml': `name: page\n${UPLOADS}`,
  'app/user.yml': 'properties:\n  - { name: photo, type: upload }\n',
  'app/user_profile_schemas/author.yml': 'name: author\nproperties:\n  - { name: photo, type: upload }\n',
  'app/graphql/presign.graphql':
    'mutation presign($table: String, $user: Boolean, $name: String!, $rules: PresignUrl) { sign: property_upload_presigned_url(table: $table, user: $user, property_name: $name, presign_url: $rules) { upload_url upload_url_payload } }',
  'app/graphql/create.graphql':
    'mutation create($table: String!, $properties: [PropertyInputType]) { r: record_create(record: { table: $table, properties: $properties }) { id photo: property_upload(name: "photo") { url file_name versions } scan: property_upload(name: "scan") { url } } }',
  'app/graphql/update.graphql':
    'mutation update($id: ID!, $table: String, $properties: [PropertyInputType]) { r: record_update(id: $id, record: { table: $table, properties: $properties }) { id photo: property_upload(name: "photo") { url } scan: property_upload(name: "scan") { url } } }',
  'app/graphql/update_all.graphql':
    'mutation all($ids: [ID!], $properties: [PropertyInputType]) { r: records_update_all(table: "post", filter: { id: { value_in: $ids } }, record: { table: "post", properties: $properties }) { count } }',
  'app/graphql/many.graphql':
    'mutation many($properties: PropertiesObject) { r: records_create_rc(records: [{ table: "post", properties: { title: "first" } }, { table: "post", properties: $properties }]) { id } }',
  'app/graphql/below.graphql':
    'mutation below($properties: [PropertyInputType]) { r: record_create(record: { table: "page", records: [{ table: "post", values: { properties: $properties } }] }) { id } }',
  'app/graphql/user.graphql':
    'mutation user($id: ID!, $properties: [CustomAttributeInputType]) { r: user_update(id: $id, user: { properties: $properties }) { id photo: property_upload(name: "photo") { url } } }',
  'app/graphql/profile.graphql':
    'mutation profile($id: ID!, $properties: [CustomAttributeInputType]) { r: user_update(id: $id, user: { profiles: [{ name: "author", values: { properties: $properties } }] }) { id } }',
  'app/views/pages/presign.liquid':
    "---\nformat: json\n---\n{% graphql r = 'presign', table: context.params.table, user: context.params.user, name: context.params.name, rules: context.params.rules %}{{ r | json }}",
  'app/views/pages/token.liquid': '<input name="authenticity_token" value="{{ context.authenticity_token }}">',
  'app/views/pages/run.liquid':
    '---\nmethod: post\nformat: json\n---\n{% graphql r = context.params.do, args: context.params %}{{ r | json }}',
  'app/views/pages/later.liquid':
    "---\nmethod: post\n---\n{% background job = 'later', properties: context.params.properties %}queued",
  'app/lib/later.liquid': "{% graphql r = 'create', table: 'post', properties: properties %}{% log r %}",
  'app/views/pages/sign_in.liquid': '---\nmethod: post\n---\n{% sign_in user_id: context.params.id %}in',
  'app/forms/post.liquid':
    '---\nname: post\nresource: post\nresource_owner: anyone\nfields:\n  properties:\n    title:\n    photo:\n      validation:\n        file_content_type: { allow: ["image/png"] }\n    scan:\n  customizations:\n    page:\n      properties:\n        photo:\n---\n{% form %}{% endform %}',
  'app/views/pages/post.liquid': "{% include_form 'post' %}",
}

let database: TestDatabase
let built: LiquidSite
let files: OpenedFiles
let served: ServedForms
let png: Buffer
const home = mkdtempSync(join(tmpdir(), 'ingot-receipts-'))

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const logger = pino({ level: 'silent' })
  files = openFiles({
    sql: database.sql,
    secret: 'the secret of these tests',
    dataFolder: home,
    uploadLimit: 1_000_000,
    s3: null,
    asset: async () => null,
    logger,
  })
  const uploads = { folder: files.incoming, limit: 1_000_000 }
  served = await serveForms(built.loaded.site, database, { loaded: built.loaded, files: files.service, uploads })
  png = await picture(4, 4)
})
afterAll(async () => {
  files?.close()
  await served?.close()
  built?.close()
  await database?.close()
  rmSync(home, { recursive: true, force: true })
})

// ---- a visitor ------------------------------------------------------------------------------------------------------

const tokenOf = async (browser: Browser): Promise<string> =>
  inputsOf((await browser.get('/token')).text)['authenticity_token'] ?? ''

/** Uploads a file as scripts of sites do: requests the fields from the page, posts them, and reads the `Location` of the response. */
async function upload(browser: Browser, query: string, content: Buffer = png, name = 'me.png'): Promise<string> {
  const { json, text: shown } = await browser.get(`/presign.json?${query}`)
  expect(shown).toContain('upload_url')
  const { upload_url, upload_url_payload } = (json as { sign: Presigned }).sign
  const body = new FormData()
  for (const [field, value] of Object.entries(upload_url_payload)) body.append(field, value)
  body.append('file', new Blob([Uint8Array.from(content)]), name)
  const answer = await fetch(new URL(upload_url, served.url), { method: 'POST', body })
  const text = await answer.text()
  expect([answer.status, text]).toEqual([201, expect.stringContaining('<Location>')])
  return /<Location>(.*?)<\/Location>/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
}

interface Presigned {
  readonly upload_url: string
  readonly upload_url_payload: Readonly<Record<string, string>>
}

interface Made {
  readonly r?: {
    readonly id: string
    readonly photo?: { readonly url: string }
    readonly scan?: { readonly url: string }
  }
  readonly errors?: readonly { readonly message: string }[]
}

/** Runs an operation of the site through its page, which passes the parameters on. */
async function run(browser: Browser, what: string, args: Readonly<Record<string, unknown>>): Promise<Made> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'x-csrf-token': await tokenOf(browser),
  }
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${served.url}/run`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ do: what, ...args }),
  })
  return (await answer.json()) as Made
}

const photo = (value: unknown) => ({ properties: [{ name: 'photo', value }] })
const refusal = { errors: [expect.objectContaining({ message: expect.stringContaining('cannot hold') })] }
const isRefused = (made: Made): void => expect(made).toMatchObject(refusal)

const signedIn = async (browser: Browser, email: string): Promise<string> => {
  const [row] = await database.sql`
    insert into ingot.users (email, slug, encrypted_password) values (${email}, ${email}, ${await hashPassword('x')})
    returning id::text`
  const id = String(row?.['id'])
  await browser.post('/sign_in', { id, authenticity_token: await tokenOf(browser) })
  return id
}

/** Returns the stored properties of a record. */
async function stored(id: string): Promise<Readonly<Record<string, { readonly path: string }>>> {
  const [row] = await database.sql`select properties from ingot.records where id = ${id}::bigint`
  return row?.['properties'] as Readonly<Record<string, { readonly path: string }>>
}

const ON_THE_WEB = [
  'https://evil.test/x.png',
  '//evil.test/x.png',
  '/admin',
  'admin',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  '/assets/logo.png',
  '/uploads/../../etc/passwd',
  '/uploads/2026/11/00000000000000000000000000000000/x.png',
  '/uploads/private/2026/11/00000000000000000000000000000000/x.png?expires=1&signature=x',
  ' https://evil.test/x.png ',
]

describe('by GraphQL', () => {
  test('the Location of an upload is taken as it is, with its versions, by the session that sent it', async () => {
    const browser = served.browser()
    const location = await upload(browser, 'table=post&name=photo')
    const made = await run(browser, 'create', { table: 'post', ...photo(location) })
    expect(made.r?.photo).toMatchObject({
      file_name: 'me.png',
      versions: { small: expect.stringContaining('/small/') },
    })
    expect((await fetch(new URL(made.r?.photo?.url ?? '', served.url))).status).toBe(200)
    const { pathname } = new URL(location)
    for (const other of [pathname, pathname.slice(1), `http://other.test${pathname}`])
      expect((await run(browser, 'create', { table: 'post', ...photo(other) })).errors).toBeUndefined()
  })

  test.each([
    ...ON_THE_WEB,
    { path: '/admin' },
    { url: 'https://evil.test/x' },
    ['https://evil.test/x'],
    { a: 1 },
    5,
    true,
  ])('%j is no upload, however it is written', async (value) => {
    const browser = served.browser()
    const own = await run(browser, 'create', { table: 'post', properties: [] })
    const id = own.r?.id ?? ''
    const object = typeof value === 'object' ? { properties: [{ name: 'photo', value_json: value }] } : photo(value)
    for (const [what, args] of [
      ['create', { table: 'post', ...object }],
      ['update', { id, table: 'post', ...object }],
      ['update', { id, ...object }],
      ['update_all', { ids: [id], ...object }],
      ['many', { properties: { photo: value } }],
      ['below', object],
    ] as const)
      expect((await run(browser, what, args)).errors, what).toBeDefined()
    expect((await stored(id))['photo'] ?? null).toBe(null)
  })

  test('a receipt holds for no other session, property, table, user or profile', async () => {
    const [ann, bob] = [served.browser(), served.browser()]
    const location = await upload(ann, 'table=post&name=photo')
    isRefused(await run(bob, 'create', { table: 'post', ...photo(location) }))
    isRefused(await run(ann, 'create', { table: 'page', ...photo(location) }))
    isRefused(await run(ann, 'create', { table: 'post', properties: [{ name: 'scan', value: location }] }))
    isRefused(await run(ann, 'below', photo(`${location}x`)))
    const page = await run(ann, 'create', { table: 'page', properties: [] })
    isRefused(await run(ann, 'update', { id: page.r?.id, ...photo(location) }))
    const user = await signedIn(served.browser(), 'user@example.com')
    isRefused(await run(ann, 'user', { id: user, ...photo(location) }))
    isRefused(await run(ann, 'profile', { id: user, ...photo(location) }))
    expect((await run(ann, 'below', photo(location))).errors).toBeUndefined()
    expect((await run(ann, 'many', { properties: { photo: location } })).errors).toBeUndefined()
    const ofUser = await upload(ann, 'user=true&name=photo')
    expect((await run(ann, 'user', { id: user, ...photo(ofUser) })).r?.photo?.url).toBe(new URL(ofUser).pathname)
    isRefused(await run(ann, 'profile', { id: user, ...photo(ofUser) }))
  })

  test('a receipt ends after a day, and stays with who signs in', async () => {
    const browser = served.browser()
    const location = await upload(browser, 'table=post&name=photo')
    await database.sql`update ingot.files set created_at = now() - interval '25 hours' where path = ${new URL(location).pathname.slice(1)}`
    isRefused(await run(browser, 'create', { table: 'post', ...photo(location) }))
    await signedIn(browser, 'stays@example.com')
    const later = await upload(browser, 'table=post&name=photo')
    await signedIn(browser, 'other@example.com')
    isRefused(await run(browser, 'create', { table: 'post', ...photo(later) }))
  })

  test('the path of a private file of another gives nobody a signed address of it', async () => {
    const [ann, bob] = [served.browser(), served.browser()]
    const location = await upload(ann, 'table=post&name=scan')
    const secret = { properties: [{ name: 'scan', value: location }] }
    const own = await run(ann, 'create', { table: 'post', ...secret })
    expect(own.r?.scan?.url).toContain('signature=')
    for (const value of [location, own.r?.scan?.url, new URL(location).pathname]) {
      const scan = { properties: [{ name: 'scan', value }] }
      isRefused(await run(bob, 'create', { table: 'post', ...scan }))
      const mine = await run(bob, 'create', { table: 'post', properties: [] })
      isRefused(await run(bob, 'update', { id: mine.r?.id, table: 'post', ...scan }))
      isRefused(await run(bob, 'update', { id: mine.r?.id, ...scan }))
    }
  })

  test('a row keeps what it holds, whoever sends it again', async () => {
    const [ann, bob] = [served.browser(), served.browser()]
    const location = await upload(ann, 'table=post&name=scan')
    const made = await run(ann, 'create', { table: 'post', properties: [{ name: 'scan', value: location }] })
    const id = made.r?.id ?? ''
    const before = await stored(id)
    for (const value of [location, made.r?.scan?.url]) {
      const again = {
        properties: [
          { name: 'scan', value },
          { name: 'title', value: 'new' },
        ],
      }
      for (const args of [
        { id, table: 'post', ...again },
        { id, ...again },
        { ids: [id], ...again },
      ])
        expect((await run(bob, 'ids' in args ? 'update_all' : 'update', args)).errors).toBeUndefined()
    }
    const object = { path: before['scan']?.path, versions: { small: 'https://evil.test/' }, file_name: '<b>' }
    const forged = { properties: [{ name: 'scan', value_json: object }] }
    await run(bob, 'update', { id, table: 'post', ...forged })
    expect((await stored(id))['scan']).toEqual(before['scan'])
    // An update of several rows is refused unless all of them already have the file.
    const other = await run(bob, 'create', { table: 'post', properties: [] })
    isRefused(await run(bob, 'update_all', { ids: [id, other.r?.id], properties: [{ name: 'scan', value: location }] }))
    await run(bob, 'update', { id, table: 'post', properties: [{ name: 'scan', value: '' }] })
    expect((await stored(id))['scan']).toBe(null)
  })

  test('the rules of the property are kept, for the bytes that were stored', async () => {
    const browser = served.browser()
    const large = await upload(browser, `table=post&name=photo`, png)
    await database.sql`update ingot.files set size = 5000 where path = ${new URL(large).pathname.slice(1)}`
    const made = await run(browser, 'create', { table: 'post', ...photo(large) })
    expect(made.errors?.[0]?.message).toMatch(/too large \(maximum is 2 KB\)/)
    const wide = await upload(browser, 'table=post&name=photo&rules[content_length][lte]=9')
    await database.sql`update ingot.files set size = 5000 where path = ${new URL(wide).pathname.slice(1)}`
    expect((await run(browser, 'create', { table: 'post', ...photo(wide) })).errors).toBeUndefined()
  })

  test('a job takes what the visitor who queued it has uploaded', async () => {
    const browser = served.browser()
    const location = await upload(browser, 'table=post&name=photo')
    const headers = { 'content-type': 'application/json', 'x-csrf-token': await tokenOf(browser) }
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    await fetch(`${served.url}/later`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: JSON.stringify(photo(location)),
    })
    const [job] =
      await database.sql`select payload -> 'origin' as origin from graphile_worker._private_jobs order by id desc limit 1`
    expect(job?.['origin']).toMatchObject({ uploader: expect.stringMatching(/^session [\da-f]{32}$/) })
  })

  test('programs: an administrator imports, others upload themselves', async () => {
    const mutation = (value: string): string =>
      `mutation { r: record_create(record: { table: "post", properties: [{ name: "photo", value: "${value}" }] }) { id } }`
    const imported = await served.send('POST', '/api/graph', { query: mutation('https://cdn.test/x.png') })
    expect(imported.json['errors']).toBeUndefined()
    const token = await served.token('write')
    const sent = await served.send('POST', '/api/graph', { query: mutation('https://cdn.test/x.png') }, { token })
    expect(JSON.stringify(sent.json)).toContain('cannot hold')
  })
})

describe('by form', () => {
  const send = async (
    browser: Browser,
    more: Readonly<Record<string, string>>,
    path = '/api/customizations',
  ): Promise<Sent> => {
    const fields = inputsOf((await browser.get('/post')).text)
    return browser.post(path, { ...fields, ...more })
  }
  const latest = async () => {
    const [row] = await database.sql`select r.id::text, r.properties from ingot.records r order by r.id desc limit 1`
    return row as unknown as { readonly id: string; readonly properties: Readonly<Record<string, unknown>> }
  }

  test('takes an upload of the session, and refuses all else', async () => {
    const browser = served.browser()
    const location = await upload(browser, 'table=post&name=photo')
    const sent = await send(browser, { 'form[properties_attributes][photo]': location })
    expect(sent.status).toBe(302)
    const { id, properties } = await latest()
    expect(properties['photo']).toMatchObject({ file_name: 'me.png', versions: { small: expect.any(String) } })
    for (const value of [...ON_THE_WEB, await upload(served.browser(), 'table=post&name=photo')]) {
      expect((await send(browser, { 'form[properties_attributes][photo]': value })).status, value).not.toBe(302)
      const put = { _method: 'put', 'form[properties_attributes][photo]': value }
      expect((await send(browser, put, `/api/customizations/${id}`)).status, value).not.toBe(302)
      const below = { 'form[customizations_attributes][page_attributes][properties_attributes][photo]': value }
      expect((await send(browser, below)).status, value).not.toBe(302)
    }
    const again = {
      _method: 'put',
      'form[properties_attributes][photo]': location,
      'form[properties_attributes][title]': 'x',
    }
    expect((await send(served.browser(), again, `/api/customizations/${id}`)).status).toBe(302)
    expect((await stored(id))['photo']).toEqual(properties['photo'])
  })

  test('keeps its own rules for types', async () => {
    const browser = served.browser()
    const text = await upload(browser, 'table=post&name=photo', Buffer.from('plain text'), 'notes.txt')
    expect((await send(browser, { 'form[properties_attributes][photo]': text })).status).not.toBe(302)
    // The type of a file in a form is detected from its bytes, whatever type the sender declares.
    const body = new FormData()
    for (const [name, value] of Object.entries(inputsOf((await browser.get('/post')).text))) body.append(name, value)
    body.append('form[properties_attributes][photo]', new Blob(['<script>'], { type: 'image/png' }), 'me.png')
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, accept: 'text/html' }
    const url = `${served.url}/api/customizations`
    expect((await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })).status).not.toBe(302)
  })

  test('takes none of a request that shows no session', async () => {
    const location = await upload(served.browser(), 'table=post&name=photo')
    const body = {
      form_name: 'post',
      parent_resource_id: 'post',
      form: { model_schema_name: 'post', properties: { photo: location } },
    }
    const token = await served.token('write')
    const sent = await served.send('POST', '/api/user/customizations', body, { token })
    expect([sent.status, sent.json['errors']]).toEqual([422, { 'properties.photo': expect.any(Array) }])
    expect((await served.send('POST', '/api/user/customizations', body)).status).toBe(201)
  })
})
