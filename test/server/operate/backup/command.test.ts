/** Tests `ingot backup` while a server is running, and a server with data that was restored by `ingot restore`. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBackupLine, readRestoreLine } from '../../../../server/commands/backup.ts'
import { type Product, product } from '../../../support/product.ts'

let ingot: Product

beforeAll(() => {
  ingot = product()
})

afterAll(() => ingot.clean())

const SITE = {
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n    type: string\n',
  'app/graphql/add.graphql':
    'mutation add($text: String!) { record_create(record: { table: "note", properties: [{ name: "text", value: $text }] }) { id } }',
  'app/graphql/all.graphql':
    'query all { records(per_page: 100, filter: { table: { value: "note" } }, sort: { id: { order: ASC } }) { results { text: property(name: "text") } } }',
  'app/views/pages/visit.liquid':
    '{% assign visits = context.session.visits | default: 0 | plus: 1 %}{% session visits = visits %}{{ visits }}',
  'app/views/pages/add.liquid':
    "---\nmethod: post\n---\n{% graphql _g = 'add', text: context.params.text %}{% background source_name: 'later', delay: 600 %}{% log 'later' %}{% endbackground %}added",
  'app/views/pages/all.liquid': "{% graphql g = 'all' %}{{ g.records.results | map: 'text' | join: ' ' }}",
}

/** Variables that select the embedded database. */
const OWN = { env: { DATABASE_URL: '', INGOT_ENV: 'development' } }

describe('ingot backup and ingot restore', () => {
  it('give a server with the same rows, sessions and queue', async () => {
    const site = ingot.folder(SITE)
    chmodSync(site, 0o755)
    expect((await ingot.run(['build', site])).err).toBe('')
    const server = await ingot.serve(['serve', site], OWN)
    const first = await fetch(`${server.url}/visit`)
    expect(await first.text()).toBe('1')
    const cookie = first.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    expect(await (await fetch(`${server.url}/visit`, { headers: { cookie } })).text()).toBe('2')
    for (const text of ['one', 'two']) {
      const body = new URLSearchParams({ text })
      expect(await (await fetch(`${server.url}/add`, { method: 'POST', body })).text()).toBe('added')
    }
    const backup = join(site, 'backups', 'nightly')
    const older = ['2026-01-01T03-00-00-000Z', '2026-01-02T03-00-00-000Z', 'mine']
    for (const name of older) mkdirSync(join(backup, name), { recursive: true })
    const made = await ingot.run(['backup', site, '--to', backup, '--keep', '2'], OWN)
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toMatch(
      /^Backed up a database of [\d.]+ MB and \d+ files? \(.*\) into .*nightly\/[\dTZ-]+ in [\d.]+ s\.\nRemoved 1 older backup\.\n$/,
    )
    const kept = readdirSync(backup)
    expect(kept).toEqual([older[1], expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d-]+Z$/), 'mine'])
    // A folder with the name of a backup, but without its files, cannot be restored.
    rmSync(join(backup, older[1] ?? ''), { recursive: true })
    expect(await ingot.run(['backup', site, '--to', join(backup, kept[1] ?? '')], OWN)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is a backup itself'),
    })
    expect(await (await fetch(`${server.url}/all`)).text()).toBe('one two')
    await server.stop()
    expect((await ingot.run(['restore', backup, '--check'], OWN)).out).toMatch(/^The backup in .* is complete: /)
    expect(await ingot.run(['restore', backup, site], OWN)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not empty'),
    })
    rmSync(join(site, '.ingot-data'), { recursive: true })
    expect(await ingot.run(['restore', backup, site], OWN)).toMatchObject({ code: 0, err: '' })
    const again = await ingot.serve(['serve', site], OWN)
    expect(await (await fetch(`${again.url}/all`)).text()).toBe('one two')
    expect(await (await fetch(`${again.url}/visit`, { headers: { cookie } })).text()).toBe('3')
    const jobs = await ingot.run(['jobs', 'list', site, '--json'], OWN)
    expect(jobs.out.match(/"later"/g)).toHaveLength(2)
    await again.stop()
  }, 300_000)

  it('leave a PostgreSQL of the owner alone, and say what is missing', async () => {
    const site = ingot.folder(SITE)
    const theirs = { env: { DATABASE_URL: 'postgres://u@127.0.0.1:1/d' } }
    expect(await ingot.run(['backup', site, '--to', join(site, 'b')], theirs)).toMatchObject({
      code: 2,
      err: expect.stringContaining('use its own tools'),
    })
    expect(await ingot.run(['backup', site, '--to', join(site, 'b')], OWN)).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no database in'),
    })
    expect(existsSync(join(site, '.ingot-data'))).toBe(false)
    expect(await ingot.run(['restore', site, site], OWN)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not a finished backup'),
    })
  })
})

describe('the command line', () => {
  it('is read', () => {
    expect(readBackupLine(['site', '--to', 'b'])).toEqual({ dir: 'site', to: 'b', keep: null })
    expect(readRestoreLine(['b'], 'wal')).toEqual({
      backup: 'b',
      dir: '.',
      archive: null,
      until: null,
      files: null,
      isCheck: false,
    })
    expect(readRestoreLine(['b', 'site', '--until=2026-02-28T12:30:00+02:00', '--files', 'f'], 'wal')).toEqual({
      backup: 'b',
      dir: 'site',
      archive: 'wal',
      until: new Date('2026-02-28T10:30:00Z'),
      files: 'f',
      isCheck: false,
    })
  })

  it.for([
    [() => readBackupLine(['site']), 'needs a folder for the backups'],
    [() => readBackupLine(['a', 'b', '--to=c']), 'takes one folder'],
    [() => readBackupLine(['--to=c', '--keep=0']), "--keep cannot be '0'"],
    [() => readBackupLine(['--too=c']), "has no option '--too'"],
    [() => readRestoreLine([], null), 'needs the folder of a backup'],
    [() => readRestoreLine(['b', '--until=2026-02-28T12:30:00Z'], null), '--until needs the archive'],
    [() => readRestoreLine(['b', '--until=2026-02-28T12:30:00'], 'w'), 'a time with its zone'],
    [() => readRestoreLine(['b', '--until=2026-13-28T12:30:00Z'], 'w'), 'a time with its zone'],
    [() => readRestoreLine(['b', '--wal='], null), 'needs a value'],
  ] as const)('%s is refused', ([read, told]) => {
    expect(read).toThrow(told)
  })
})
