/** Mails: what a job sends to a real SMTP server, what it never sends, and the messages if it fails. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { PlainEmail } from '../../../../runtime/data/jobs.ts'
import type { Render } from '../../../../runtime/page/render.ts'
import type { EmailEntry } from '../../../../runtime/page/site.ts'
import { deliver } from '../../../../server/web/notifications/deliver.ts'
import { DeliveryFault, type DeliveryJob, type DeliveryTask } from '../../../../server/web/notifications/model.ts'
import { readMessage, readMessageFile, readOutbox } from '../../../../server/web/notifications/outbox.ts'
import { outboxFolder } from '../../../../server/web/notifications/open.ts'
import { createTestServers } from '../../core/net/test-servers.ts'
import { email, jobOf, liquid, plain, siteOf, smtp, standing, template } from './ground.ts'
import { liveAssets } from '../../../support/server/site.ts'

const place = createTestServers()
const root = mkdtempSync(join(tmpdir(), 'ingot-mails-'))
let stand: Awaited<ReturnType<typeof standing>>
let server: Awaited<ReturnType<typeof smtp>>
let files = ''

beforeAll(async () => {
  stand = await standing()
  server = await smtp()
  mkdirSync(join(root, 'app/assets'), { recursive: true })
  writeFileSync(join(root, 'app/assets/logo.png'), 'the logo')
  files = await place.http((request, response) => {
    if (request.url === '/big') return void response.end(Buffer.alloc(21_000_000))
    if (request.url === '/500') return void response.writeHead(500).end()
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('a terms sheet')
  })
})
afterAll(async () => {
  await server.close()
  await place.close()
  await stand.close()
  rmSync(root, { recursive: true, force: true })
})

function byTemplate(name: string, data: Record<string, unknown> = {}): DeliveryTask {
  return { kind: 'notification', channel: 'email', name, content: { kind: 'data', data } }
}

async function fault(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  if (error instanceof DeliveryFault)
    return `${error.kind}: ${error.message}${error.file === null ? '' : ` (${error.file}:${error.line})`}`
  return error instanceof Error ? `${error.name}: ${error.message}` : `none: ${String(error)}`
}

/** Sends one mail in production mode. Returns the received mail. */
async function arrived(entry: EmailEntry, data: Record<string, unknown> = {}, more: Parameters<typeof siteOf>[1] = {}) {
  const parts = stand.open('production', { smtpUrl: server.url, from: 'Shop <default@example.com>' })
  const before = server.received.length
  const site = siteOf([entry], more)
  await deliver(parts, byTemplate(entry.name, data), jobOf(site, root))
  expect(server.received).toHaveLength(before + 1)
  return server.received.at(-1)!
}

describe('a mail', () => {
  test('arrives as its template says, with a text beside the HTML', async () => {
    const { from, to, raw } = await arrived(
      email('welcome', {
        to: liquid('{{ data.to }}, Bob <bob@example.com>'),
        from: liquid('{{ form.shop }} <shop@example.com>'),
        cc: plain(['cc@example.com']),
        bcc: plain('bcc@example.com'),
        replyTo: plain('help@example.com'),
        subject: liquid('Hello {{ data.name }} & co'),
        render: template('<h1>Hi {{ data.name }}</h1><p>at {{ context.location.host }}</p>'),
      }),
      { to: 'ann@example.com', name: 'Ann <Oak>', shop: 'Oak' },
    )
    expect(from).toBe('shop@example.com')
    expect(to).toEqual(['ann@example.com', 'bob@example.com', 'cc@example.com', 'bcc@example.com'])
    expect(raw).toMatch(/^From: Oak <shop@example.com>\r$/m)
    expect(raw).toMatch(/^To: ann@example.com, Bob <bob@example.com>\r$/m)
    expect(raw).toMatch(/^Cc: cc@example.com\r$/m)
    expect(raw).toMatch(/^Reply-To: help@example.com\r$/m)
    // Headers are not escaped as HTML.
    expect(raw).toMatch(/^Subject: Hello Ann <Oak> & co\r$/m)
    expect(raw).not.toMatch(/^bcc:/im)
    expect(raw).toContain('<h1>Hi Ann &lt;Oak&gt;</h1><p>at shop.test</p>')
    expect(raw).toMatch(/Content-Type: text\/plain; charset=utf-8\r\n[^]*Hi Ann <Oak>\r\n\r\nat shop.test/)
    expect(raw).toMatch(/^Message-ID: <\d+-[\da-f]{24}@example.com>\r$/m)
  })

  test('stands in its layout, in its language', async () => {
    const layout = template('<html>{{ content_for_layout }} {{ data.name }} {{ context.language }}</html>')
    const { raw } = await arrived(
      email('wrapped', {
        layout: 'mailer',
        locale: liquid('{{ data.locale }}'),
        subject: liquid('{{ context.language }}'),
        render: template('<b>{{ context.language }}</b>'),
      }),
      { name: 'Ann', locale: 'pl' },
      {
        layouts: {
          mailer: {
            file: 'app/views/layouts/mailer.liquid',
            name: 'mailer',
            metadata: { kind: 'map', entries: {} },
            render: layout,
          },
        },
      },
    )
    expect(raw).toContain('<html><b>pl</b> Ann pl</html>')
    expect(raw).toMatch(/^Subject: pl\r$/m)
  })

  test('stands in the layout that its data name, or in none', async () => {
    const body = template('<b>x</b>')
    const entry = email('named', { layout: liquid('{{ data.layout }}'), render: body })
    const around = {
      file: 'app/views/layouts/m.liquid',
      name: 'modules/a/m',
      metadata: { kind: 'map', entries: {} },
      render: template('<html>{{ content_for_layout }}</html>'),
    } as const
    const layouts = { 'modules/a/m': around }
    expect((await arrived(entry, { layout: 'modules/a/m' }, { layouts })).raw).toContain('<html><b>x</b></html>')
    expect((await arrived(entry, { layout: ' ' }, { layouts })).raw).not.toContain('<html>')
  })

  test('without a sender is from the one of the settings', async () => {
    const { from, raw } = await arrived(email('plain', { from: null }))
    expect(from).toBe('default@example.com')
    expect(raw).toMatch(/^From: Shop <default@example.com>\r$/m)
  })

  test('cannot be given headers or recipients by what a visitor wrote', async () => {
    const evil = 'x\r\nBcc: victim@example.com\r\n\r\n<b>body</b>'
    const { to, raw } = await arrived(
      email('evil', {
        to: plain('"A\r\nBcc: victim@example.com" <ann@example.com>'),
        subject: liquid('{{ data.s }}'),
        replyTo: plain('"\r\nX-Evil: 1" <a@example.com>'),
        uniqueArgs: plain({ 'a\r\nX-Evil: 1': evil }),
      }),
      { s: evil },
    )
    expect(to).toEqual(['ann@example.com'])
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
    expect(head).not.toMatch(/^(?:bcc|x-evil):/im)
    expect(head).toMatch(/^Subject: x Bcc: victim@example.com <b>body<\/b>\r$/m)
  })

  test('brings files of the site and of others along', async () => {
    const { raw } = await arrived(
      email('files', {
        attachments: liquid(
          '{ "logo.png": { "url": "/assets/logo.png?updated=1", "inline": "true" }, "Zażółć.pdf": { "url": "{{ data.url }}" } }',
        ),
        render: template('<img src="cid:logo.png">'),
        uniqueArgs: plain({ order: 'zamówienie', n: 5 }),
      }),
      { url: `${files}/terms` },
      { assets: liveAssets({ 'logo.png': 'app/assets/logo.png' }) },
    )
    expect(raw).toMatch(/Content-Type: image\/png; name=logo.png\r\n[^]*?Content-ID: <logo.png>/)
    expect(raw).toContain(Buffer.from('the logo').toString('base64'))
    expect(raw).toMatch(/Content-Type: application\/pdf;[^]*?Content-Disposition: attachment/)
    expect(raw).toContain(Buffer.from('a terms sheet').toString('base64'))
    expect(raw.replace(/\r\n /g, ' ')).toContain('X-SMTPAPI: {"unique_args": {"order": "zam\\u00f3wienie", "n": 5}}')
  })

  test.each([
    ['false', false],
    ['', false],
    ['True', false],
    [' true\n', true],
    ['true', true],
  ])('whose trigger condition gives %j: %s', async (text, sent) => {
    const parts = stand.open('production', { smtpUrl: server.url })
    const before = server.received.length
    const entry = email('triggered', { triggerCondition: liquid(text) })
    await deliver(parts, byTemplate('triggered'), jobOf(siteOf([entry])))
    expect(server.received.length - before).toBe(sent ? 1 : 0)
  })

  test('that is not enabled is not sent', async () => {
    const parts = stand.open('production', { smtpUrl: server.url })
    const before = server.received.length
    await deliver(parts, byTemplate('off'), jobOf(siteOf([email('off', { enabled: false, to: plain('') })])))
    expect(server.received).toHaveLength(before)
  })

  test('given whole needs no template', async () => {
    const parts = stand.open('production', { smtpUrl: server.url })
    const whole: PlainEmail = {
      to: ['ann@example.com'],
      from: 'x@example.com',
      subject: 'S',
      content: '<p>C</p>',
      cc: [],
      bcc: ['b@example.com'],
      replyTo: ['r@example.com'],
    }
    await deliver(parts, { kind: 'email', email: whole }, jobOf(siteOf([])))
    expect(server.received.at(-1)).toMatchObject({ from: 'x@example.com', to: ['ann@example.com', 'b@example.com'] })
  })
})

describe('once', () => {
  test('a mail that was sent is not sent again when its job is', async () => {
    const parts = stand.open('production', { smtpUrl: server.url })
    const job = jobOf(siteOf([email('once'), email('other')]))
    const before = server.received.length
    await deliver(parts, byTemplate('once'), job)
    await deliver(parts, byTemplate('once'), job)
    expect(server.received).toHaveLength(before + 1)
    // Other contents in a job with the same number are another mail, because the queue was created again.
    await deliver(parts, byTemplate('once', { a: 1 }), job)
    expect(server.received).toHaveLength(before + 2)
  })

  test('a mail that failed is tried again, with the same Message-ID, and one row tells of it', async () => {
    let refusals = 1
    const moody = await smtp({
      onRcptTo(_, __, done) {
        if (refusals-- > 0) done(Object.assign(new Error('try later'), { responseCode: 451 }))
        else done()
      },
    })
    const parts = stand.open('production', { smtpUrl: moody.url })
    const job = jobOf(siteOf([email('moody')]))
    expect(await fault(deliver(parts, byTemplate('moody'), job))).toMatch(
      /^temporary: the mail server did not accept the email: .*try later/s,
    )
    const [failed] = (await parts.rows()).filter(({ name }) => name === 'moody')
    expect(failed).toMatchObject({
      channel: 'email',
      content: { to: ['ann@example.com'], subject: 'Hello', body: '<p>Hello</p>' },
    })
    expect(failed?.error).toContain('try later')
    await deliver(parts, byTemplate('moody'), job)
    const rows = (await parts.rows()).filter(({ name }) => name === 'moody')
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ error: null, options: { accepted: ['ann@example.com'], rejected: [] } })
    expect(rows[0]?.options['message_id']).toBe(`<${/Message-ID: <(.*)>/.exec(moody.received[0]!.raw)![1]}>`)
    await moody.close()
  })
})

describe('what cannot be sent', () => {
  const cases: readonly [string, Partial<EmailEntry>, string][] = [
    [
      'no recipient',
      { to: liquid('{{ data.nobody }}') },
      "permanent: this email has no recipient: its 'to' is blank (app/emails/bad.liquid:1)",
    ],
    [
      'nobody but those who get a copy',
      { to: liquid('{{ data.nobody }}'), cc: plain('cc@example.com'), bcc: plain('bcc@example.com') },
      "permanent: this email has no recipient: its 'to' is blank (app/emails/bad.liquid:1)",
    ],
    [
      'a wrong recipient',
      { to: plain('ann@example.com, bob') },
      "permanent: 'bob' in 'to' is not an email address (app/emails/bad.liquid:1)",
    ],
    [
      'a wrong sender',
      { from: plain('shop') },
      "permanent: 'shop' in 'from' is not an email address (app/emails/bad.liquid:1)",
    ],
    [
      'no sender',
      { from: null },
      'permanent: this email has no sender: set `from` or INGOT_MAIL_FROM (app/emails/bad.liquid:1)',
    ],
    [
      'no layout by a computed name',
      { layout: liquid('{{ data.none }}gone') },
      "missing: can't find layout gone (app/emails/bad.liquid:1)",
    ],
    ['no layout', { layout: 'gone' }, "missing: can't find layout gone (app/emails/bad.liquid:1)"],
    ['built with errors', { render: null }, 'permanent: this template was built with errors (app/emails/bad.liquid:1)'],
    [
      'attachments that are no JSON',
      { attachments: plain('{ a') },
      "permanent: 'attachments' is not a JSON object: { a (app/emails/bad.liquid:1)",
    ],
    [
      'attachments that are a list',
      { attachments: plain('[1]') },
      "permanent: 'attachments' must be a map, or text of a JSON object (app/emails/bad.liquid:1)",
    ],
    [
      'an attachment without a URL',
      { attachments: plain({ a: {} }) },
      "permanent: the attachment 'a' has no 'url' (app/emails/bad.liquid:1)",
    ],
    [
      'an asset that is not there',
      { attachments: plain({ a: '/assets/gone.png' }) },
      "permanent: the file '/assets/gone.png' cannot be read: the site has no such file (app/emails/bad.liquid:1)",
    ],
    [
      'a file of this machine',
      { attachments: plain({ a: 'file:///etc/passwd' }) },
      "permanent: the file 'file:///etc/passwd' cannot be fetched: its URL does not begin with http:// or https:// (app/emails/bad.liquid:1)",
    ],
    [
      'a path out of the site',
      { attachments: plain({ a: '/assets/../../../etc/passwd' }) },
      "permanent: the file '/assets/../../../etc/passwd' cannot be read: the site has no such file (app/emails/bad.liquid:1)",
    ],
    [
      'our own network',
      { attachments: plain({ a: 'http://169.254.169.254/latest?secret' }) },
      "permanent: the file 'http://169.254.169.254/latest' cannot be fetched: this site is not allowed to connect to its address (app/emails/bad.liquid:1)",
    ],
    [
      'ten files',
      { attachments: plain(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [String(at), 'x']))) },
      'permanent: an email can have at most 9 attachments, this email has 10 (app/emails/bad.liquid:1)',
    ],
  ]
  test.each(cases)('%s', async (_, more, message) => {
    const parts = stand.open('production', { smtpUrl: server.url })
    const before = server.received.length
    expect(await fault(deliver(parts, byTemplate('bad'), jobOf(siteOf([email('bad', more)]), root)))).toBe(message)
    expect(server.received).toHaveLength(before)
    expect((await parts.rows()).at(-1)).toMatchObject({
      channel: 'email',
      name: 'bad',
      error: message.replace(/^\w+: | \(app[^)]*\)$/g, ''),
    })
  })

  test('files of more than 20 MB, and one that is not there now', async () => {
    const parts = stand.open('production', { smtpUrl: server.url })
    const bad = (path: string) =>
      deliver(parts, byTemplate('bad'), jobOf(siteOf([email('bad', { attachments: plain({ a: `${files}${path}` }) })])))
    expect(await fault(bad('/big'))).toMatch(
      /^permanent: the file .* is too large: all files together may have at most 20 MB/,
    )
    expect(await fault(bad('/500'))).toMatch(
      /^temporary: the file .* cannot be fetched: the server responded with status 500/,
    )
  })

  test('a template that is gone', async () => {
    const parts = stand.open('production', { smtpUrl: server.url })
    expect(await fault(deliver(parts, byTemplate('gone'), jobOf(siteOf([]))))).toBe("missing: can't find email gone")
    expect(await fault(deliver(parts, byTemplate('__proto__'), jobOf(siteOf([]))))).toBe(
      "missing: can't find email __proto__",
    )
  })

  test('a template that fails', async () => {
    const parts = stand.open('production', { smtpUrl: server.url })
    const entry = email('broken', {
      render: (_: Render) => {
        throw new LiquidFault('divided by 0')
      },
    })
    expect(await fault(deliver(parts, byTemplate('broken'), jobOf(siteOf([entry]))))).toBe('LiquidError: divided by 0')
    expect((await parts.rows()).at(-1)).toMatchObject({ name: 'broken', error: 'divided by 0' })
  })

  test('anything, in production without a server', async () => {
    const parts = stand.open('production')
    expect(await fault(deliver(parts, byTemplate('a'), jobOf(siteOf([email('a')]))))).toBe(
      'permanent: emails cannot be sent: set INGOT_SMTP_URL',
    )
  })
})

describe('a staging server', () => {
  test('sends all to one address, and says whom it was for', async () => {
    const parts = stand.open('staging', { smtpUrl: server.url, testEmail: 'Tests <tests@example.com>' })
    const entry = email('staged', {
      to: plain('Ann <ann@example.com>'),
      cc: plain('c@example.com'),
      bcc: plain('b1@example.com,b2@example.com'),
    })
    await deliver(parts, byTemplate('staged'), jobOf(siteOf([entry])))
    const { to, raw } = server.received.at(-1)!
    expect(to).toEqual(['tests@example.com'])
    expect(raw.replace(/\r\n /g, ' ')).toContain(
      'Subject: Hello [to: Ann <ann@example.com>; cc: c@example.com; bcc: b1@example.com, b2@example.com]',
    )
  })

  test('sends nothing where it has none', async () => {
    const parts = stand.open('staging', { smtpUrl: server.url })
    const before = server.received.length
    expect(await fault(deliver(parts, byTemplate('a'), jobOf(siteOf([email('a')]))))).toMatch(
      /^permanent: a staging server sends all mail to INGOT_TEST_EMAIL, which is not set/,
    )
    expect(server.received).toHaveLength(before)
    expect((await parts.rows()).at(-1)).toMatchObject({
      content: { to: ['ann@example.com'], subject: 'Hello', body: '<p>Hello</p>' },
      error: 'a staging server sends all mail to INGOT_TEST_EMAIL, which is not set',
    })
  })
})

describe('mail servers', () => {
  async function send(url: string, more: Partial<EmailEntry> = {}, job?: DeliveryJob): Promise<string> {
    const parts = stand.open('production', { smtpUrl: url })
    return fault(deliver(parts, byTemplate('m'), job ?? jobOf(siteOf([email('m', more)]))))
  }

  test('that want a password get it, and only then take mails', async () => {
    const strict = await smtp({
      authOptional: false,
      onAuth: ({ username, password }, _, done) =>
        username === 'shop@x' && password === 'p:ss/w'
          ? done(null, { user: 'shop' })
          : done(new Error('wrong password')),
    })
    const url = (password: string) => `smtp://shop%40x:${encodeURIComponent(password)}@127.0.0.1:${strict.port}`
    expect(await send(url('p:ss/w'))).toBe('none: undefined')
    expect(strict.received[0]).toMatchObject({ user: 'shop' })
    const said = await send(url('no'))
    expect(said).toMatch(/^permanent: the mail server did not accept the email: /)
    expect(said).not.toContain(':no@')
    await strict.close()
  })

  test('that offer TLS are spoken to in secret, and must show a good certificate', async () => {
    const secure = await smtp({ disabledCommands: [] })
    expect(await send(secure.url)).toMatch(
      /^temporary: the mail server did not accept the email: .*(?:self-signed|expired)/,
    )
    expect(await send(`${secure.url}?tls.rejectUnauthorized=false`)).toBe('none: undefined')
    expect(secure.received).toHaveLength(1)
    expect(secure.received[0]?.secure).toBe(true)
    await secure.close()
  })

  test('that drop the connection in the middle get it once, not again and again', async () => {
    let data = 0
    const dropping = await place.tcp((socket) => {
      socket.write('220 hi\r\n')
      socket.on('data', (chunk) => {
        const text = chunk.toString()
        if (/^DATA/im.test(text)) {
          data++
          socket.write('354 go\r\n')
        } else if (/\r\n\.\r\n$/.test(text)) socket.destroy()
        else if (/^(?:EHLO|MAIL|RCPT)/im.test(text)) socket.write('250 ok\r\n')
      })
      socket.on('error', () => undefined)
    })
    expect(await send(`smtp://127.0.0.1:${dropping}`)).toMatch(/^temporary: the mail server did not accept the email: /)
    await new Promise((done) => setTimeout(done, 300))
    expect(data).toBe(1)
  })

  test('that are not there may be there later', async () => {
    expect(await send('smtp://127.0.0.1:1')).toMatch(
      /^temporary: the mail server did not accept the email: .*ECONNREFUSED/,
    )
    const silent = await place.tcp(() => undefined)
    expect(await send(`smtp://127.0.0.1:${silent}?greetingTimeout=300`)).toMatch(/^temporary: /)
  })

  test('are connected to once for many mails', async () => {
    const busy = await smtp()
    const parts = stand.open('production', { smtpUrl: busy.url })
    for (let i = 0; i < 10; i++) await deliver(parts, byTemplate('m', { i }), jobOf(siteOf([email('m')])))
    expect([busy.received.length, busy.connections()]).toEqual([10, 1])
    await busy.close()
  })
})

describe('in development', () => {
  test('mails lie in a folder instead', async () => {
    const parts = stand.open('development')
    const entry = email('dev', {
      from: null,
      bcc: plain('b@example.com'),
      attachments: plain({ 'a/b.pdf': { url: `${files}/x` } }),
      render: template('<p>{{ data.name }}</p>'),
    })
    await deliver(parts, byTemplate('dev', { name: 'Ann' }), jobOf(siteOf([entry])))
    const folder = outboxFolder(parts.dataFolder)
    const [first] = await readOutbox(folder)
    expect(first?.kept).toMatchObject({
      channel: 'email',
      from: 'ingot@site.localhost',
      to: ['ann@example.com'],
      bcc: ['b@example.com'],
      html: '<p>Ann</p>',
      text: 'Ann',
      attachments: [{ name: 'a-b.pdf', type: 'application/pdf', size: 13, cid: null }],
    })
    expect((await readMessageFile(folder, first!.id, 'message'))?.toString()).toMatch(/^From: ingot@site.localhost\r\n/)
    expect((await readMessageFile(folder, first!.id, 0))?.toString()).toBe('a terms sheet')
    for (const name of ['..', '../../..', first!.id.replace(/.$/, '/'), '']) {
      expect([name, await readMessage(folder, name), await readMessageFile(folder, name, 'message')]).toEqual([
        name,
        null,
        null,
      ])
    }
    expect((await parts.rows()).at(-1)).toMatchObject({ options: { outbox: true }, error: null })
  })
})
