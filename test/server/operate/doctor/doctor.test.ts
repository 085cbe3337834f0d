/** Tests `ingot doctor`: each wrong setting is found, and a good setup has no findings. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkSetup, readDoctorLine } from '../../../../server/commands/doctor.ts'
import { hasOthers, logFindings, announcePresence } from '../../../../server/operate/doctor/startup-checks.ts'
import { conflictFindings, describeServer } from '../../../../server/operate/doctor/presence.ts'
import { reportUnnamedProxy } from '../../../../server/operate/doctor/unnamed-proxy.ts'
import type { Logger } from '../../../../server/core/contracts/log.ts'
import type { LogRow } from '../../../../server/web/logs/model.ts'
import { openLogs } from '../../../../server/web/logs/open.ts'
import { findChromium } from '../../../../server/core/print/find-chromium.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { announceServer, type ServerRow } from '../../../../server/data/store/servers.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { builtProduct, type Product, product } from '../../../support/product.ts'
import { hostileProvider } from '../../web/oidc/hostile-provider.ts'

/** The package has no types. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (
  options: object,
) => { run(): Promise<AddressInfo>; close(): Promise<void> }

const home = mkdtempSync(join(tmpdir(), 'ingot-doctor-'))
const store = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: home,
  configureBuckets: [{ name: 'files', configs: [] }],
})
const mail = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
let ingot: Product
let database: TestDatabase
let site = ''
/** The variables of a production server without any problem. */
let good: Record<string, string> = {}

beforeAll(async () => {
  ingot = product()
  database = await testDatabase()
  site = ingot.folder({ 'app/views/pages/index.liquid': 'here' })
  const built = await ingot.run(['build', site])
  if (built.code !== 0) throw new Error(built.err)
  const { port } = await store.run()
  await new Promise<void>((done) => mail.listen(0, '127.0.0.1', done))
  good = {
    INGOT_ENV: 'production',
    DATABASE_URL: database.url,
    INGOT_SECRET: 's'.repeat(40),
    INGOT_HOSTS: 'shop.example',
    INGOT_DATA: join(home, 'data'),
    INGOT_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    INGOT_S3_BUCKET: 'files',
    INGOT_S3_KEY: 'S3RVER',
    INGOT_S3_SECRET: 'S3RVER',
    INGOT_SMTP_URL: `smtp://127.0.0.1:${(mail.server.address() as AddressInfo).port}`,
  }
})

afterAll(async () => {
  await store.close()
  await new Promise<void>((done) => mail.close(done))
  await database.close()
  await ingot.clean()
  rmSync(home, { recursive: true, force: true })
})

/** Returns the findings after a change of the good setup. A variable that is null is removed. */
async function found(change: Record<string, string | null>, dir = site): Promise<readonly string[]> {
  const variables = Object.fromEntries(Object.entries({ ...good, ...change }).filter(([, value]) => value !== null))
  const { findings } = await checkSetup(dir, readSettings(variables as Record<string, string>, 'production'), '1.0.0')
  return findings.map(({ level, text }) => `${level}: ${text}`)
}

const NOBODY = '127.0.0.1:1'

describe('ingot doctor', () => {
  it('asks every provider of OpenID Connect for its configuration', async () => {
    const provider = await hostileProvider()
    const variables = {
      ...good,
      INGOT_ENV: 'staging',
      INGOT_OIDC_OKTA_ISSUER: provider.issuer,
      INGOT_OIDC_OKTA_CLIENT_ID: 'x',
    }
    const examine = async (issuer: string) =>
      checkSetup(site, readSettings({ ...variables, INGOT_OIDC_OKTA_ISSUER: issuer }, 'production'), '1.0.0')
    const ofOkta = async (issuer: string) =>
      (await examine(issuer)).findings.filter(({ text }) => text.startsWith('INGOT_OIDC_OKTA_ISSUER'))
    expect((await examine(provider.issuer)).well).toContain('visitors can sign in with okta')
    expect(await ofOkta(provider.issuer)).toEqual([])
    const [away] = await ofOkta(`http://${NOBODY}`)
    expect(away).toMatchObject({ level: 'error', text: expect.stringContaining('nothing listens at this address') })
    provider.behavior = { discovery: (it) => ({ ...it, issuer: 'https://other.example' }) }
    const [other] = await ofOkta(provider.issuer)
    expect(other?.text).toContain('cannot be read')
    await provider.close()
  })

  it('finds nothing where nothing is wrong', async () => {
    expect(await found({})).toEqual([])
  })

  it('finds nothing but what is open to the world on a site with the database that Ingot brings', async () => {
    const child = await ingot.run(['doctor', site], {
      env: { DATABASE_URL: '', INGOT_DATA: join(openFolder(), 'data') },
    })
    expect(child).toMatchObject({ code: 0, err: '' })
    expect(child.out).toMatch(
      /^ok {7}a build is in .*\nok {7}PostgreSQL 1\d\.\d+ answers in \d+ ms\nwarning {2}INGOT_HOSTS is not set, .* lead to 127\.0\.0\.1:0 instead of the site: .*\n$/,
    )
  })

  it.for([
    ['no secret', { INGOT_SECRET: null }, /^warning: INGOT_SECRET is not set/],
    [
      'files on a local disk',
      { INGOT_S3_ENDPOINT: null, INGOT_S3_BUCKET: null, INGOT_S3_KEY: null, INGOT_S3_SECRET: null },
      /^warning: Uploaded files are stored on the disk/,
    ],
    ['no hosts', { INGOT_HOSTS: null }, /^warning: INGOT_HOSTS is not set/],
    [
      'a mail server that is not there',
      { INGOT_SMTP_URL: `smtp://${NOBODY}` },
      /^error: INGOT_SMTP_URL: .*ECONNREFUSED/,
    ],
    [
      'a database that is not there',
      { DATABASE_URL: `postgres://u@${NOBODY}/d` },
      /^error: Nothing listens at the address of the database/,
    ],
    [
      'a copy for reading that is not there',
      { DATABASE_REPLICA_URL: `postgres://u@${NOBODY}/d` },
      /^error: The read replica: Nothing listens/,
    ],
    [
      'a bucket that is not there',
      { INGOT_S3_BUCKET: 'others' },
      /^error: INGOT_S3_ENDPOINT and related: the file store refused a PUT: 404/,
    ],
    [
      'a store that refuses the key',
      { INGOT_S3_KEY: 'unknown' },
      /^error: INGOT_S3_ENDPOINT and related: the file store refused a PUT: 403/,
    ],
    ['a cache that is not there', { REDIS_URL: `redis://${NOBODY}` }, /^error: REDIS_URL: .*ECONNREFUSED/],
    [
      'a data folder behind a file',
      { INGOT_DATA: '/etc/hostname/data' },
      /^error: INGOT_DATA needs a folder, but '\/etc\/hostname' is a file/,
    ],
    [
      'more connections than the database takes',
      { INGOT_POOL: '500' },
      /^warning: This server may open \d+ connections/,
    ],
  ] as const)('finds %s, and nothing else', async ([, change, told]) => {
    expect(await found(change)).toEqual([expect.stringMatching(told)])
  })

  it('finds mails with nowhere to go, with any database, on a site that has mails', async () => {
    expect(await found({ INGOT_SMTP_URL: null })).toEqual([])
    const mails = ingot.folder({ 'app/emails/hello.liquid': '---\nto: a@a.example\nsubject: Hello\n---\nHello' })
    await ingot.run(['build', mails])
    const told = expect.stringMatching(/^warning: INGOT_SMTP_URL is not set, so every mail of the site fails/)
    expect(await found({ INGOT_SMTP_URL: null }, mails)).toEqual([told])
    const embedded = { DATABASE_URL: null, INGOT_DATA: join(openFolder(), 'data') }
    expect(await found({ ...embedded, INGOT_SMTP_URL: null }, mails)).toEqual([told])
    expect(await found({}, mails)).toEqual([])
  })

  it('finds a copy for reading that is none', async () => {
    expect(await found({ DATABASE_REPLICA_URL: database.url })).toEqual([
      expect.stringMatching(/^warning: DATABASE_REPLICA_URL is not a replica/),
    ])
  })

  it('finds a site that was not built, and a build that is torn', async () => {
    expect(await found({}, ingot.folder({ 'app/views/pages/index.liquid': 'here' }))).toEqual([
      expect.stringMatching(/^error: Nothing is built in/),
    ])
    const torn = ingot.folder({ 'app/views/pages/index.liquid': 'here' })
    await ingot.run(['build', torn])
    writeFileSync(join(torn, '.ingot/manifest.json'), '{')
    expect(await found({}, torn)).toEqual([expect.stringMatching(/^error: .*is damaged/)])
  })

  it('finds a clock that is off', async () => {
    const now = Date.now
    Date.now = () => now() + 60_000
    try {
      expect(await found({})).toEqual([expect.stringMatching(/^warning: The clock of this machine is \d\d s ahead of/)])
    } finally {
      Date.now = now
    }
  })

  it('finds a database that lacks steps of this version', async () => {
    const older = await testDatabase()
    await older.sql`delete from ingot.migrations where number = (select max(number) from ingot.migrations)`
    expect(await found({ DATABASE_URL: older.url })).toEqual([
      expect.stringMatching(/^warning: The database lacks one migration step of this version/),
    ])
    await older.close()
  })

  it('finds servers of the same database that do not fit', async () => {
    const self = describeServer(
      { ...readSettings(good, 'production'), databaseUrl: database.url, dataFolder: home },
      '1.0.0',
    )
    const other: ServerRow = {
      host: 'other',
      version: '0.9.0',
      secret: 'x',
      files: 'disk y',
      environment: 'production',
    }
    const presence = announceServer(database.url, other)
    expect(await presence.others()).toEqual([])
    expect(await found({})).toEqual([
      expect.stringMatching(/^error: 'other' uses another secret/),
      expect.stringMatching(/^error: 'other' stores uploaded files in another place/),
      expect.stringMatching(/^warning: 'other' runs Ingot 0\.9\.0, and this server runs 1\.0\.0/),
    ])
    await presence.close()
    expect(await found({})).toEqual([])
    expect(conflictFindings(self, [{ ...self, host: 'third' }])).toEqual([])
  })

  it('finds a proxy that a process has seen and INGOT_PROXIES does not name', async () => {
    const rows: LogRow[] = []
    const lines: string[] = []
    const logger = { warn: (_: object, text: string) => void lines.push(text) } as Partial<Logger> as Logger
    reportUnnamedProxy({ peer: '10.0.0.1', header: 'x-forwarded-for' }, logger, (row) => void rows.push(row))
    expect(lines).toEqual([expect.stringMatching(/^Requests from 10\.0\.0\.1 .*Set INGOT_PROXIES/)])
    const logs = openLogs(database.url, { environment: 'production', logger })
    for (const row of rows) logs.store(row)
    await logs.close()
    expect(await found({})).toEqual([`warning: ${lines[0]}`])
    for (const given of ['0', '1']) expect(await found({ INGOT_PROXIES: given })).toEqual([])
    await database.sql`update ingot.logs set created_at = now() - interval '3 days' where type = 'unnamed_proxy'`
    expect(await found({})).toEqual([])
  })

  it('prints a document when the site creates PDF files, and misses Chromium only then', async () => {
    const dir = ingot.folder({ 'app/views/pages/card.pdf.liquid': '<p>card</p>' })
    expect((await ingot.run(['build', dir])).code).toBe(0)
    expect(await found({ INGOT_CHROMIUM: '/nowhere' })).toEqual([])
    expect(await found({ INGOT_CHROMIUM: '/nowhere' }, dir)).toEqual([
      expect.stringMatching(
        /^warning: The site creates PDF files, and no Chromium is found.*INGOT_CHROMIUM names '\/nowhere'/,
      ),
    ])
    const program = join(builtProduct(), 'dist', 'print-worker.mjs')
    const check = async (variables: Record<string, string>) =>
      checkSetup(dir, readSettings({ ...good, ...variables }, 'production'), '1.0.0', program)
    const wrong = await check({ INGOT_CHROMIUM: process.execPath })
    expect(wrong.findings.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^INGOT_CHROMIUM and related: Chromium cannot be started/),
    ])
    if (findChromium(null) !== null) expect((await check({})).well).toContain('Chromium prints documents')
  })

  it('is said at the start of a server in production, and makes it known while it runs', async () => {
    const lines: string[] = []
    const say = (level: string) => (_fields: object, text: string) => void lines.push(`${level}: ${text.split(':')[0]}`)
    const logger = { warn: say('warn'), error: say('error') } as unknown as Parameters<typeof logFindings>[2]
    const { INGOT_SECRET: _, ...lacking } = good
    const settings = readSettings(lacking, 'production')
    const ready = { ...settings, databaseUrl: database.url, dataFolder: join(home, 'second') }
    const presence = announcePresence(ready, '1.0.0')
    const serves = { takesRequests: true, sendsMails: false, printsPdfs: false }
    await logFindings(settings, presence, logger, serves)
    expect(lines).toEqual([
      'warn: INGOT_SECRET is not set, so another server, or this one without its data folder, can read neither sessions nor constants',
    ])
    expect(await found({})).toEqual([expect.stringMatching(/^error: '.*' uses another secret/)])
    await presence.close()
    const own = readSettings({ INGOT_ENV: 'production' }, 'production')
    expect([hasOthers(settings), hasOthers(own)]).toEqual([true, false])
    lines.length = 0
    // The same applies to the embedded database.
    await logFindings(own, null, logger, { ...serves, sendsMails: true })
    await logFindings(readSettings({ INGOT_ENV: 'staging' }, 'production'), null, logger, {
      ...serves,
      sendsMails: true,
    })
    await logFindings(readSettings({ INGOT_ENV: 'development' }, 'production'), null, logger, {
      ...serves,
      sendsMails: true,
    })
    await logFindings(own, null, logger, { takesRequests: false, sendsMails: false, printsPdfs: false })
    const hosts =
      'warn: INGOT_HOSTS is not set, so a visitor may send any host name, and links in mails, jobs and API calls lead to localhost'
    const mails = 'warn: INGOT_SMTP_URL is not set, so every mail of the site fails'
    expect(lines).toEqual([hosts, mails, hosts])
  })
})

describe('its command line', () => {
  it('is read', () => {
    expect(readDoctorLine([])).toEqual({ dir: '.', isJson: false })
    expect(readDoctorLine(['site', '--json'])).toEqual({ dir: 'site', isJson: true })
    expect(() => readDoctorLine(['a', 'b'])).toThrow('takes one folder')
    expect(() => readDoctorLine(['--all'])).toThrow("has no option '--all': it has --json.")
    expect(() => readDoctorLine(['--jsn'])).toThrow("has no option '--jsn': did you mean --json?")
  })
})

/** Creates a folder that the account of PostgreSQL can enter. */
function openFolder(): string {
  const folder = ingot.folder()
  chmodSync(folder, 0o755)
  return folder
}
