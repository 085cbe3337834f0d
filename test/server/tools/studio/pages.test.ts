/** Tests the studio's pages for users, jobs, messages, the log, pages, constants, translations and changes, on one server in development. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Product, product } from '../../../support/product.ts'
import { type StudioClient, studioClient } from './client.ts'

const EVIL = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>'
/** The text as no page may contain it. */
const RAW = /<script>alert|<img src=x|javascript:alert\(3\)"/

const json = (value: object): string => JSON.stringify(value)

const SITE = {
  'app/user.yml':
    'name: user\nproperties:\n  - name: roles\n    type: array\n  - name: motto\n    type: text\n  - name: rank\n    type: integer\n  - name: place\n    type: geojson\n  - name: photo\n    type: upload\n',
  'app/user_profile_types/seller.yml': 'name: seller\nproperties:\n  - name: shop\n',
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: title\n',
  'app/translations/en.yml': 'en:\n  hello: Hello\n',
  'app/emails/new_password.liquid':
    '---\nto: "{{ data.to }}"\nfrom: a@site.example\nsubject: New password\n---\n<p>{{ data.account }}</p>',
  'app/authorization_policies/nobody.liquid': '---\nname: nobody\n---\nfalse',
  'app/views/pages/index.liquid': '{% log "seen", type: "visit" %}home of {{ "hello" | t }}',
  'app/views/pages/secret.liquid': '---\nslug: secret/:id\nauthorization_policies: [nobody]\n---\nsecret',
}

let ingot: Product
let database: TestDatabase
let url = ''
let studio: StudioClient

beforeAll(async () => {
  ingot = product()
  database = await testDatabase()
  const server = await ingot.serve(['dev', ingot.folder(SITE)], { env: { DATABASE_URL: database.url } })
  url = server.url
  studio = studioClient(url)
  // The first build may take a while.
  await vi.waitFor(async () => expect((await studio.get('/users')).status).toBe(200), { timeout: 60_000 })
})

afterAll(async () => {
  await ingot?.clean()
  await database?.close()
})

async function shown(path: string, status = 200): Promise<string> {
  const reply = await studio.get(path)
  expect(reply.status, path).toBe(status)
  expect(reply.text, path).not.toContain('Liquid error')
  expect(reply.text, path).not.toMatch(RAW)
  return reply.text
}

/** Sends a form that must succeed. Returns the text of the page that it leads to. */
async function changed(path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const reply = await studio.post(path, fields)
  expect([reply.status, reply.text], path).toEqual([302, expect.any(String)])
  return shown((reply.location ?? '').replace(/^.*\/_ingot/, ''))
}

async function userId(email: string): Promise<string> {
  const [row] = await database.sql<{ id: string }[]>`select id::text from ingot.users where email = ${email}`
  return row?.id ?? ''
}

test('an unknown address has a page of the studio, which lists none of its files', async () => {
  const text = await shown('/tables', 404)
  expect(text).toContain('The studio has no such page')
  expect(text).not.toContain('.liquid')
})

test('pages of an empty site say what is missing', async () => {
  expect(await shown('')).toContain('No error was logged.')
  expect(await shown('/users')).toContain('The site has no users yet.')
  expect(await shown('/jobs')).toContain('No job waits, runs or failed.')
  expect(await shown('/messages')).toContain('The site has sent nothing yet.')
  expect(await shown('/logs')).toContain('The log is empty.')
  expect(await shown('/constants')).toContain('No constant is set.')
  expect(await shown('/changes')).toContain('Nobody has changed anything')
})

describe('a user', () => {
  /** Returns the value by which an edit recognizes that the user has changed since. */
  const seenOf = async (id: string): Promise<string> =>
    /name="seen" value="([^"]*)"/.exec(await shown(`/users/edit?id=${id}`))?.[1] ?? ''

  const EMAIL = 'ann@site.example'
  const PLACE = '{"type":"Point","coordinates":[19.9,50.1]}'
  const NEW = {
    'user[p][email]': EMAIL,
    password: 'a long one',
    again: 'a long one',
    'user[p][name]': EVIL,
    'p[motto]': 'Try',
  }

  test('is created, and what was typed stays when it is refused', async () => {
    expect(await changed('/users/create', { ...NEW, 'p[roles]': 'writer\neditor' })).toContain('The user was created.')
    const id = await userId(EMAIL)
    const [row] = await database.sql`select properties, encrypted_password from ingot.users where id = ${id}`
    expect(row).toMatchObject({ properties: { motto: 'Try', roles: ['writer', 'editor'] } })
    expect(row?.['encrypted_password']).not.toContain('a long one')
    const again = await studio.post('/users/create', NEW)
    expect(again.status).toBe(422)
    expect(again.text).toContain('email')
    expect(again.text).toContain(`value="${EMAIL}"`)
    expect(again.text).toContain('Try</textarea>')
    expect(again.text).not.toMatch(RAW)
    expect(again.text).not.toContain('a long one')
    const differs = await studio.post('/users/create', { ...NEW, 'user[p][email]': 'b@site.example', again: 'another' })
    expect([differs.status, differs.text]).toEqual([422, expect.stringContaining('The passwords differ.')])
    expect(await userId('b@site.example')).toBe('')
  })

  test('is never written beyond the fields of the form', async () => {
    const id = await userId(EMAIL)
    const before = await database.sql`select * from ingot.users where id = ${id}`
    const intruding = { 'user[p][id]': '77', 'user[p][deleted_at]': '2020-01-01', 'user[p][encrypted_password]': 'x' }
    const seen = await seenOf(id)
    await studio.post('/users/update', { id, seen, ...intruding, 'p[owned]': 'x', 'profile[other][p][x]': 'x' })
    expect(await database.sql`select * from ingot.users where id = ${id}`).toEqual(before)
  })

  test('gets a photo, which its page shows, and loses it', async () => {
    const id = await userId(EMAIL)
    const signed = await studio.post('/data/sign', { table: '', name: 'photo' }, { accept: 'application/json' })
    const { url: store, fields } = JSON.parse(signed.text)
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, String(value))
    body.append('file', new Blob(['not quite a picture']), `${EVIL}.txt`)
    const [, address = ''] =
      /<Location>(.*)<\/Location>/.exec(await (await fetch(new URL(store, url), { method: 'POST', body })).text()) ?? []
    const save = async (photo: string): Promise<string> =>
      changed('/users/update', { id, seen: await seenOf(id), 'p[photo]': photo })
    expect(await save(address)).toMatch(/href="[^"]*\/uploads\//)
    expect(await shown(`/users/edit?id=${id}`)).toContain('Choose a file to replace')
    expect(await save('(remove)')).not.toMatch(/href="[^"]*\/uploads\//)
  })

  test('is found by address, id, and parts of its name', async () => {
    const id = await userId(EMAIL)
    for (const q of [EMAIL, EMAIL.toUpperCase(), id, 'nn@sit', 'onerror'])
      expect(await shown(`/users?q=${encodeURIComponent(q)}`), q).toContain(`users/user?id=${id}"`)
    expect(await shown('/users?q=nobody%40')).toContain('No user matches')
    expect(await shown(`/users?before=${id}`)).toContain('There are no older users.')
    expect(await shown(`/users?deleted=1`)).toContain('No user was deleted.')
    const editors = await shown('/users?role=editor')
    expect([editors.includes(`users/user?id=${id}"`), editors.includes('>1 user<')]).toEqual([true, true])
    expect(await shown(`/users?role=edit&q=${id}`)).toContain('No user matches')
    expect(await shown(`/users?role=${encodeURIComponent(EVIL)}`)).toContain('No user has the role')
  })

  test('is edited: columns, properties of their types, and roles', async () => {
    const id = await userId(EMAIL)
    expect(await shown(`/users/edit?id=${id}`)).toContain('writer\neditor</textarea>')
    const fields = {
      id,
      seen: await seenOf(id),
      'user[p][email]': EMAIL,
      'user[p][name]': 'Ann',
      'user[p][slug]': 'ann',
      'p[rank]': '7',
      'p[roles]': 'writer',
    }
    const page = await changed('/users/update', { ...fields, 'p[place]': PLACE, 'profile[seller][p][shop]': EVIL })
    expect(page).toContain('The user was changed.')
    const now = await seenOf(id)
    const refused = await studio.post('/users/update', { ...fields, seen: now, 'p[rank]': 'seven' })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('value="seven"')])
    expect(refused.text).toMatch(/id="e-p-rank">Property <code>rank<\/code> is an integer and cannot hold/)
    const same = await studio.post('/users/update', { ...fields, seen: now })
    expect([same.status, await seenOf(id)]).toEqual([302, now])
    const late = { id, seen: fields.seen, 'user[p][name]': 'Anna', 'user[was][name]': '' }
    const conflict = await studio.post('/users/update', late)
    expect([conflict.status, conflict.text]).toEqual([
      422,
      expect.stringContaining('Someone else has changed this user'),
    ])
    expect(conflict.text).toMatch(/<ins>Ann<\/ins>[\s\S]*<ins>Anna<\/ins>[\s\S]*name="user\[pick\]\[name\]"/)
    expect(await changed('/users/admin', { id, to: 'yes' })).toContain('is an administrator now')
    expect(await database.sql`select name, slug, properties from ingot.users where id = ${id}`).toMatchObject([
      {
        ...{ name: 'Ann', slug: 'ann' },
        properties: { motto: 'Try', rank: 7, roles: ['writer', 'admin'], place: JSON.parse(PLACE) },
      },
    ])
    expect(await database.sql`select properties from ingot.profiles where user_id = ${id}`).toEqual([
      { properties: { shop: EVIL } },
    ])
    await changed('/users/admin', { id, to: 'no' })
    await changed('/users/roles', { id, roles: 'editor, admin editor' })
    const wrong = await studio.post('/users/roles', { id, roles: `editor, ${EVIL}` })
    expect(wrong.status).toBe(422)
    expect(wrong.text).not.toMatch(RAW)
    expect(await database.sql`select properties->'roles' as roles from ingot.users where id = ${id}`).toEqual([
      { roles: ['editor', 'admin'] },
    ])
  })

  test('gets a password, which no page shows and which ends its sessions and tokens', async () => {
    const id = await userId(EMAIL)
    const { sql } = database
    await sql`insert into ingot.sessions (id, user_id, csrf, minutes, expires_at)
      select sha256(n::text::bytea), ${id}, '\\x00', 60, now() + interval '1 hour' from generate_series(1, 3) n`
    await sql`insert into ingot.user_tokens (user_id, name, digest, scope, expires_at)
      values (${id}, ${EVIL}, 'd', 'site', now() + interval '1 day')`
    const page = await shown(`/users/user?id=${id}`)
    expect(page.match(/name="session"/g)).toHaveLength(3)
    const session = /name="session" value="([^"]+)"/.exec(page)?.[1] ?? ''
    expect(await changed('/users/sessions', { id, session })).toContain('The session was ended.')
    const other = await studio.post('/users/password', { id, password: 'secret one', again: 'secret two' })
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('The passwords differ.')])
    expect(await changed('/users/password', { id, password: 'secret one', again: 'secret one' })).toContain('was set')
    expect(await shown(`/users/user?id=${id}`)).toContain('This user is not signed in.')
    expect(await shown(`/users/user?id=${id}`)).toContain('No program acts as this user.')
    expect(JSON.stringify(await sql`select before, after from ingot.changes`)).not.toMatch(/secret one|argon2/)
  })

  test('gets a mail of the site for a new password', async () => {
    const id = await userId(EMAIL)
    expect(await shown(`/users/mail?id=${id}`)).toContain('<option>new_password</option>')
    expect(await changed('/users/mail', { id, template: 'new_password' })).toContain('The mail was queued.')
    const jobs = await database.sql`select payload from graphile_worker._private_jobs`
    expect(jobs).toMatchObject([
      {
        payload: {
          task: { kind: 'notification', name: 'new_password', content: { data: { to: EMAIL, account: id } } },
        },
      },
    ])
    const unknown = await studio.post('/users/mail', { id, template: 'nothing' })
    expect(unknown.status).toBe(422)
  })

  test('is deleted and restored, and both are recorded', async () => {
    const id = await userId(EMAIL)
    expect(await changed('/users/delete', { id })).toContain('The user was deleted')
    expect(await shown('/users?deleted=1')).toContain(EMAIL)
    expect(await changed('/users/restore', { id })).toContain('The user was restored.')
    const log = await shown(`/changes?kind=users&row=${id}`)
    for (const action of ['create', 'update', 'delete', 'restore']) expect(log).toContain(`">${action}</span>`)
    expect(log).toContain('by development')
    expect(log).toMatch(/<dt>rank<\/dt>[\s\S]*?<ins>[\s\S]*?7/)
    expect(log).toContain('(changed)')
  })

  test('that does not exist is not found', async () => {
    for (const id of ['0', '999999', 'abc', '1e3', '-1', '99999999999999999999', "1'--", ''])
      for (const page of ['user', 'edit', 'password', 'mail'])
        await shown(`/users/${page}?id=${encodeURIComponent(id)}`, 404)
    await shown('/users/user?id[a]=1', 404)
    for (const page of ['update', 'delete', 'restore', 'password', 'mail', 'sessions', 'tokens', 'admin', 'roles'])
      expect((await studio.post(`/users/${page}`, { id: 'abc' })).status, page).toBe(404)
  })
})

test('jobs are listed by state, shown with their error, retried and deleted', async () => {
  const { sql } = database
  const payload = {
    task: { kind: 'unit', unit: EVIL, values: { note: EVIL, list: [EVIL] } },
    origin: { host: 'h', language: 'en', user: null, depth: 1 },
    options: { delay: 0, priority: 'default', maxAttempts: 1, sourceName: EVIL },
  }
  const [job] = await sql<{ id: string }[]>`
    select id::text from graphile_worker.add_job('ingot', ${json(payload)}::text::json, max_attempts := 1)`
  const id = job?.id ?? ''
  await sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'x' where id = ${id}`
  await sql`insert into ingot.job_failures (job_id, reason, error_class, message, stack) values (${id}, 'error', 'Oops', ${EVIL},
    ${json([{ path: 'app/views/pages/index.liquid', line: 3 }])}::text::jsonb)`
  expect(await shown('')).toContain(`jobs/job?id=${id}"`)
  expect(await shown('/jobs?state=DEAD')).toContain(`jobs/job?id=${id}"`)
  expect(await shown('/jobs?state=RUNNING')).toContain('No job matches.')
  expect(await shown(`/jobs?q=${encodeURIComponent('onerror')}`)).toContain(`jobs/job?id=${id}"`)
  const page = await shown(`/jobs/job?id=${id}`)
  expect(page).toContain('Oops')
  expect(page).toContain('<dt>note</dt>')
  expect(page).toContain('data-file="app/views/pages/index.liquid" data-line="3"')
  expect(page).toContain('data-settled')
  // The queue sets the time of an attempt that the job does not have.
  expect(page).not.toContain('run_at')
  expect(await changed('/jobs/retry', { id })).toMatch(
    new RegExp(`The job runs as soon as a place is free.*data-load="[^"]*/jobs/part\\?id=${id}".*>waiting<`, 's'),
  )
  expect(await shown(`/jobs/part?id=${id}`)).toMatch(/^\s*<div class="head">.*<dt>note<\/dt>/s)
  await shown('/jobs/part?id=99999999', 404)
  expect(await changed('/jobs/delete', { id })).toContain('The job was deleted.')
  await shown(`/jobs/job?id=${id}`, 404)
  expect((await studio.post('/jobs/retry', { id })).status).toBe(422)
  expect((await studio.post('/jobs/delete', { id: EVIL })).text).not.toMatch(RAW)
})

test('messages say in words whether they were sent', async () => {
  const { sql } = database
  await sql`insert into ingot.notifications (channel, name, content, options, error) values
    ('email', 'welcome', ${json({ to: ['a@b.example', EVIL], subject: EVIL, body: EVIL })}::text::jsonb, '{"outbox": true}', null),
    ('email', null, '{"to": ["a@b.example"]}', '{}', 'emails cannot be sent: set INGOT_SMTP_URL'),
    ('api_call', ${EVIL}, '{"url": "javascript:alert(3)", "headers": {"X-A": "<script>alert(1)</script>"}}', '{}', null)`
  const list = await shown('/messages')
  expect(list).toContain('in the outbox')
  expect(await shown('/messages?type=API_CALL')).toContain('javascript:alert(3)')
  expect(await shown('/messages?q=welcome')).toContain('>welcome</a>')
  const ids = await sql<{ id: string }[]>`select id::text from ingot.notifications order by id`
  const pages = await Promise.all(ids.map(({ id }) => shown(`/messages/message?id=${id}`)))
  expect(pages[0]).toContain('The message was not sent to anyone.')
  expect(pages[1]).toContain('No mail server is set.')
  expect(pages[2]).toContain('The message was sent.')
  for (const page of pages) expect(page).not.toMatch(/href="javascript:/)
  await shown('/messages/message?id=0', 404)
  // A mail is shown in a frame, which runs nothing.
  const [mail] = ids
  expect(pages[0]).toMatch(
    /<iframe class="mail" title="The mail" sandbox="[^"]*" src="\/_ingot\/messages\/mail\?id=\d+"/,
  )
  const frame = await fetch(`${url}/_ingot/messages/mail?id=${mail?.id}`)
  expect([await frame.text(), frame.headers.get('content-security-policy')]).toEqual([
    expect.stringContaining(EVIL),
    expect.stringMatching(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; (?!.*script-src)/),
  ])
  // Only mails have content that a page may contain as it is.
  for (const id of [ids[2]?.id, '0', EVIL]) await shown(`/messages/mail?id=${encodeURIComponent(id ?? '')}`)
})

test('the log is filtered, and newer entries are fetched alone', async () => {
  const { sql } = database
  await (await fetch(url)).text()
  await expect.poll(() => shown('/logs?type=visit'), { timeout: 20_000 }).toContain('seen')
  await sql`insert into ingot.logs (type, message, data) values
    (${EVIL}, ${EVIL}, ${json({ [EVIL]: EVIL, deep: { a: [{ b: [{ c: [{ d: EVIL }] }] }] } })}::text::jsonb), ('error', 'broken', '{}')`
  const all = await shown('/logs')
  expect(all.indexOf('broken')).toBeLessThan(all.indexOf('>seen<'))
  expect(await shown('/logs?q=roke')).not.toContain('>seen<')
  const newest = /data-id="(\d+)"/.exec(all)?.[1] ?? ''
  expect((await shown(`/logs/entries?after=${newest}`)).trim()).toBe('')
  expect(await shown(`/logs/entries?after=${Number(newest) - 1}`)).toContain('broken')
  expect(await shown('')).toContain('broken')
  await sql`insert into ingot.logs (type, message, data, created_at) select 'error', 'again ' || n % 2, '{"partial": "a", "line": 2}',
    '2026-01-01'::timestamptz + n * interval '1 day' from generate_series(1, 5) n`
  for (const path of ['', '/logs', '/logs/entries']) {
    const page = await shown(path)
    expect(page.match(/>again 1</g), path).toHaveLength(1)
    expect(page, path).toMatch(/2026-01-06 [\d:]+<.*?>again 1<.*?>3 times<.*?first at\s*<time[^>]*>2026-01-02 /s)
    expect(page, path).toMatch(/>again 0<.*?>2 times</s)
  }
})

test('pages of the site are listed with their policies', async () => {
  const list = await shown('/routes')
  expect(list).toContain('href="/"')
  expect(list).toContain('nobody')
  expect(list).toContain('data-file="app/views/pages/secret.liquid"')
  expect(await shown('/routes?q=secret')).not.toContain('pages/index.liquid')
})

test('the value of a constant is shown only to a form, and never recorded', async () => {
  const [name, value] = ['API_KEY', `sesame ${EVIL}`]
  expect(await changed('/constants/set', { name, value })).toContain('The constant API_KEY was set.')
  for (const path of ['/constants', `/constants/show?name=${name}`, `/constants?name=${name}&_method=post`])
    expect((await studio.get(path)).text, path).not.toContain('sesame')
  expect((await studioClient(url, false).post('/constants/show', { name })).text).not.toContain('sesame')
  const { status, text } = await studio.post('/constants/show', { name })
  expect([status, text]).toEqual([200, expect.stringContaining('sesame')])
  expect(text).not.toMatch(RAW)
  expect(await shown('/changes?kind=constants')).not.toContain('sesame')
  const refused = await studio.post('/constants/set', { name: '', value: 'kept' })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('>kept</textarea>')])
  expect(await changed('/constants/unset', { name })).toContain('was deleted')
})

test('texts are set and unset while the site runs', async () => {
  const text = { key: 'hello', locale: 'en', value: EVIL }
  expect(await shown('/translations?q=hello')).toContain('Hello')
  expect(await changed('/translations/set', { ...text, value: 'Good morning' })).toContain('In the file:')
  expect(await (await fetch(url)).text()).toContain('home of Good morning')
  await changed('/translations/set', text)
  expect(await shown('/translations?set=1')).toContain('hello')
  expect(await shown('/translations/edit?key=hello&locale=en')).toContain('&lt;script&gt;')
  const refused = await studio.post('/translations/set', { ...text, key: '' })
  expect([refused.status, refused.text.includes('&lt;script&gt;')]).toEqual([422, true])
  expect(await changed('/translations/unset', text)).toContain('The site shows the text of its file again.')
  expect(await (await fetch(url)).text()).toContain('home of Hello')
})

test('requests of the site are recorded', async () => {
  await (await fetch(`${url}/?a=${encodeURIComponent(EVIL)}`)).text()
  await expect.poll(() => shown('/requests?path=script'), { timeout: 20_000 }).toContain('requests/request?id=')
  const list = await shown('/requests?path=script')
  const id = /requests\/request\?id=([\w-]+)/.exec(list)?.[1] ?? ''
  expect(await shown(`/requests/request?id=${id}`)).toContain('app/views/pages/index.liquid')
  expect(await shown('/requests/list?path=script')).toContain(`requests/request?id=${id}`)
  for (const wrong of ['nothing', '../../etc/passwd', '']) {
    await shown(`/requests/request?id=${encodeURIComponent(wrong)}`, 404)
    await shown(`/requests/plan?id=${encodeURIComponent(wrong)}&query=0`, 404)
  }
  for (const wrong of ['x', '-1', '99', '9'.repeat(17)]) await shown(`/requests/plan?id=${id}&query=${wrong}`, 404)
})

describe('a change is refused', () => {
  const made = { 'user[p][email]': 'eve@site.example', password: 'a long one', again: 'a long one' }
  const isMade = async (): Promise<boolean> => (await userId('eve@site.example')) !== ''

  test.each([
    ['without the token', {}, false],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, true],
    ['from another page of the same site', { 'sec-fetch-site': 'same-site' }, true],
    ['from an address that the browser did not type', { 'sec-fetch-site': 'none' }, true],
    ['from another origin', { 'sec-fetch-site': '', origin: 'http://evil.example' }, true],
    ['of another host', { host: 'evil.example' }, true],
  ])('%s', async (_what, headers, hasToken) => {
    const reply = await studioClient(url, hasToken).post('/users/create', made, headers)
    expect([reply.status === 302, await isMade()]).toEqual([false, false])
  })

  test('in a request that only reads', async () => {
    const query = new URLSearchParams({ ...made, _method: 'post' }).toString()
    expect((await studio.get(`/users/create?${query}`)).status).toBe(404)
    expect(await isMade()).toBe(false)
  })

  test('and nothing is read by another host', async () => {
    for (const path of ['', '/users', '/logs/entries', '/requests', '/assets/studio.js'])
      expect([400, 403], path).toContain((await studio.get(path, { host: 'evil.example' })).status)
  })
})
