/** Tests the studio in a browser: its pages break no rule of axe-core, its log follows the site, it works with the keyboard, and it imports files. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Product, product } from '../support/product.ts'
import { lookingAt } from './axe.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''
const LONG_WORD = 'w'.repeat(300)
const json = (value: object): string => JSON.stringify(value)

const SITE = {
  'app/user.yml': 'name: user\nproperties:\n  - name: roles\n    type: array\n  - name: motto\n    type: text\n',
  'app/schema/note.yml':
    'name: note\nproperties:\n  - name: title\n  - name: about\n    type: text\n  - name: note_id\n    belongs_to: note\n',
  'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n  - name: price\n    type: decimal\n',
  'app/translations/en.yml': 'en:\n  hello: Hello\n',
  'app/emails/new_password.liquid': '---\nto: "{{ data.to }}"\nfrom: a@site.example\nsubject: New password\n---\nhi',
  'app/views/pages/seen.liquid':
    '{% for n in (1..4) %}{% graphql r %}{ records(per_page: 1) { total_entries } }{% endgraphql %}{% endfor %}{{ r }}',
  'app/views/pages/index.liquid': '{% log context.params.say, type: "visit" %}{{ "hello" | t }}',
}

describe.skipIf(program === null)(`the studio${reason}`, () => {
  let ingot: Product
  let database: TestDatabase
  let browser: SuiteBrowser
  let url = ''
  let folder = ''

  beforeAll(async () => {
    ingot = product()
    database = await testDatabase()
    folder = ingot.folder(SITE)
    const server = await ingot.serve(['dev', folder], { env: { DATABASE_URL: database.url } })
    url = server.url
    browser = await launchBrowser()
    const { sql } = database
    // The first build creates the tables.
    await vi.waitFor(async () => expect((await fetch(`${url}/_ingot`)).status).toBe(200), { timeout: 60_000 })
    await sql`insert into ingot.users (id, email, name, encrypted_password, slug, properties)
      values (7, 'ann@site.example', ${LONG_WORD}, 'x', 'ann', ${json({ roles: ['admin'], motto: LONG_WORD })}::text::jsonb)`
    await sql`insert into ingot.sessions (id, user_id, csrf, minutes, expires_at)
      values ('\\x01', 7, '\\x00', 60, now() + interval '1 hour')`
    await sql`insert into ingot.user_tokens (user_id, name, digest, scope, expires_at)
      values (7, ${LONG_WORD}, 'd', 'site', now() + interval '1 day')`
    await sql`insert into ingot.notifications (id, channel, content, options, error) overriding system value values
      (1, 'email', ${json({ to: [LONG_WORD], subject: LONG_WORD, body: LONG_WORD })}::text::jsonb, '{"outbox": true}', null),
      (2, 'email', '{"to": ["a@b.example"]}', '{}', 'emails cannot be sent: set INGOT_SMTP_URL')`
    await sql`insert into ingot.logs (type, message, data) values ('error', ${LONG_WORD}, ${json({ path: LONG_WORD })}::text::jsonb)`
    const payload = { task: { kind: 'unit', unit: LONG_WORD, values: { a: LONG_WORD } }, origin: {}, options: {} }
    await sql`select graphile_worker.add_job('ingot', ${json(payload)}::text::json)`
    await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'x'`
    await sql`insert into ingot.job_failures (job_id, reason, error_class, message)
      select id, 'error', 'Oops', ${LONG_WORD} from graphile_worker._private_jobs`
    await sql`insert into ingot.records (table_id, properties)
      select id, json_build_object('title', 'Note ' || n, 'about', repeat('long ', 250000), 'note_id', null)
      from ingot.tables, generate_series(1, 3) n where name = 'note' order by n`
    await sql`insert into ingot.changes (actor, kind, row_id, action, before, after) values
      ('development', 'users', '7', 'update', ${json({ name: 'Ann', properties: { motto: 'a' } })}::text::jsonb,
        ${json({ name: LONG_WORD, properties: {} })}::text::jsonb)`
  })
  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
    await database?.close()
  })

  test('breaks no rule of axe-core, wide or on a phone, in light or dark, and no page scrolls sideways', async () => {
    const { page, context, found, look } = await lookingAt(browser, url)
    const [job] = await database.sql<{ id: string }[]>`select id::text from graphile_worker._private_jobs`
    const wide: string[] = []
    await fetch(`${url}/seen`)
    const recorded = async (): Promise<string | undefined> =>
      /requests\/request\?id=([\w-]+)/.exec(await (await fetch(`${url}/_ingot/requests`)).text())?.[1]
    await vi.waitFor(async () => expect(await recorded()).toBeDefined(), { timeout: 10_000 })
    const request = await recorded()
    const paths = [
      ...[`/requests/request?id=${request}`, `/requests/request?id=${request}&order=time`],
      `/requests/plan?id=${request}&query=0`,
      ...[
        '/data',
        '/data/rows?table=note',
        '/data/row?table=note&id=1',
        '/data/new?table=note',
        '/data/import?table=note',
      ],
      ...[
        '',
        '/users',
        '/users?q=nobody',
        '/users/new',
        '/users/user?id=7',
        '/users/edit?id=7',
        '/users/password?id=7',
      ],
      ...[
        '/users/mail?id=7',
        '/users/user?id=8',
        '/jobs',
        `/jobs/job?id=${job?.id}`,
        '/messages',
        '/messages/message?id=1',
      ],
      ...['/messages/message?id=2', '/logs', '/logs?q=nothing', '/routes', '/constants', '/translations'],
      ...['/translations/edit?key=hello&locale=en', '/changes', '/requests', '/requests?only=slow', '/problems'],
      ...[
        '/console',
        '/outbox',
        '/source?file=app%2Fuser.yml&line=3',
        '/logs?type=slow+page',
        '/releases',
        '/problems?severity=error',
      ],
    ]
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      for (const path of paths) {
        await page.goto(`${url}/_ingot${path}`)
        await page.evaluate("document.querySelectorAll('main details').forEach((part) => { part.open = true })")
        await look(`${path} ${width} ${colorScheme}`)
        const surplus = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        if (surplus > 0) wide.push(`${path} at ${width}: ${surplus}`)
      }
    }
    expect([found, wide]).toEqual([[], []])
    await context.close()
  })

  test('shows new entries of the log while it is open, and keeps open details open', async () => {
    const page = await browser.newPage()
    await page.goto(`${url}/_ingot/logs?type=visit`)
    await page.getByText('No entry matches.').waitFor()
    await fetch(`${url}/?say=first`)
    await page.getByText('first', { exact: true }).waitFor(LONG)
    await page.locator('summary', { hasText: 'Details' }).click()
    await fetch(`${url}/?say=%3Cimg%20src%3Dx%3E`)
    await page.getByText('<img src=x>', { exact: true }).waitFor(LONG)
    expect(await page.locator('.log > li').first().innerText()).toContain('<img src=x>')
    expect(await page.locator('.log details[open]').count()).toBe(1)
    await page.goto(`${url}/_ingot/logs?type=error`)
    const add = async () => database.sql`insert into ingot.logs (type, message, data) values ('error', 'equal', '{}')`
    await add()
    await page.getByText('equal', { exact: true }).waitFor(LONG)
    for (const times of ['2 times', '3 times']) {
      await add()
      await page.getByText(times).waitFor(LONG)
    }
    expect(await page.getByText('equal', { exact: true }).count()).toBe(1)
    await page.close()
  })

  test('searches rows to refer to while someone types, and asks before changes are lost', async () => {
    const page = await browser.newPage()
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.goto(`${url}/_ingot/data/row?table=note&id=1`)
    const input = page.getByRole('combobox', { name: 'note_id' })
    await input.pressSequentially('note 2')
    await page.getByRole('option', { name: 'Note 2' }).waitFor(LONG)
    await page.keyboard.press('ArrowDown')
    expect(await input.getAttribute('aria-activedescendant')).toMatch(/option-1$/)
    await page.keyboard.press('Enter')
    expect(await input.inputValue()).toBe('2')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await expect.poll(() => asked).toEqual(['beforeunload'])
    // The text of the row is larger than a form may be. It is not sent, because it was not changed.
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The row was saved.').waitFor(LONG)
    await page.getByRole('link', { name: 'Note 2' }).waitFor(LONG)
    const [row] = await database.sql`
      select properties ->> 'note_id' as note, length(properties ->> 'about') as size from ingot.records where id = 1`
    expect(row).toEqual({ note: '2', size: 1_250_000 })
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.waitForURL('**/users')
    expect(asked).toHaveLength(1)
    await page.close()
  })

  test('shows what a file would change, and imports it without choosing it again', async () => {
    const page = await browser.newPage()
    const troubles: string[] = []
    page.on('pageerror', (error) => troubles.push(error.message))
    await page.goto(`${url}/_ingot/data/import?table=item`)
    const evil = '<img src=x onerror=document.title=1>'
    await page.setInputFiles('#file', {
      name: `${evil}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(`external_id,title,price\na,Bowl,5\nb,Spoon,"${evil}"\n`),
    })
    const result = page.locator('#result')
    await page.uncheck('input[name="strict"]')
    await page.click('button[value="check"]')
    await result.filter({ hasText: 'Nothing has changed yet' }).waitFor(LONG)
    expect(await result.innerText()).toContain(evil)
    expect(await page.locator('#result img').count()).toBe(0)
    await page.click('button[value="import"]')
    await result.filter({ hasText: 'The file was imported' }).waitFor(LONG)
    expect(await result.locator('dl').innerText()).toMatch(/Created\s+1\s+Changed\s+0\s+Unchanged\s+0\s+Refused\s+1/)
    await result.locator('a').click()
    await page.locator('td', { hasText: 'Bowl' }).first().waitFor(LONG)
    expect(troubles).toEqual([])
    expect(await page.title()).toContain('item')
    await page.close()
  })

  test('shows the source of a file when there is no editor, applies a fix, and shows what a page took', async () => {
    const page = await browser.newPage()
    const file = join(folder, 'app/views/pages/index.liquid')
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, `${before}{{ 'a' | upcas }}`)
    await page.goto(`${url}/_ingot/problems?q=upcas`)
    await page.getByRole('link', { name: 'line 1' }).click()
    await page.locator('pre.source mark').filter({ hasText: 'upcas' }).first().waitFor(LONG)
    await page.goBack()
    await page.getByRole('button', { name: 'Write upcase' }).click()
    await page.getByText('Changed app/views/pages/index.liquid.').waitFor(LONG)
    expect(readFileSync(file, 'utf8')).toBe(`${before}{{ 'a' | upcase }}`)
    writeFileSync(file, before)
    await page.goto(`${url}/?say=bar`)
    const bar = page.getByRole('link', { name: /^\d+ ms · 0 queries$/ })
    await bar.waitFor(LONG)
    await bar.click()
    await page.getByRole('heading', { name: 'GET /?say=bar' }).waitFor(LONG)
    await page.close()
  })

  test('asks before it deletes, and works with the keyboard and without scripts', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false })
    await page.goto(`${url}/_ingot/users/user?id=7`)
    await page.getByRole('button', { name: 'Remove the role admin' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('The user is not an administrator any more.').waitFor(LONG)
    await page.close()
    const asked = await browser.newPage()
    await asked.goto(`${url}/_ingot/users/user?id=7`)
    asked.once('dialog', (dialog) => void dialog.dismiss())
    await asked.getByRole('button', { name: 'Delete' }).click()
    asked.once('dialog', (dialog) => void dialog.accept())
    await asked.getByRole('button', { name: 'Delete' }).click()
    await asked.getByText('The user was deleted, and all sessions were ended.').waitFor(LONG)
    await asked.close()
  })
})
