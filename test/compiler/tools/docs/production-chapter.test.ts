/** The reference's chapter about production: runs its commands in order. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { productionEntries } from '../../../../compiler/tools/docs/production.ts'
import { deployFiles } from '../../../../compiler/tools/production/files.ts'
import { ENVIRONMENT } from '../../../../runtime/data/environment.mjs'
import { builtCache, waitForExit, product, type Server } from '../../../support/product.ts'
import { isForRoot } from '../../../support/root-commands.ts'

const ingot = product()
const entries = productionEntries()
const commands = entries.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'code' ? block.lines : [])))
const unit = deployFiles({ name: 'kitchen', host: 'shop.example' })[0]?.text ?? ''

let folder: string
let env: Record<string, string>
let server: Server

beforeAll(async () => {
  folder = ingot.folder({ 'backups/.keep': '', 'wal/.keep': '' })
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'programs'))
  symlinkSync(ingot.bin, join(folder, 'programs/ingot'))
  env = {
    PATH: `${join(folder, 'programs')}:${process.env['PATH']}`,
    DATABASE_URL: '',
    INGOT_DATA: join(folder, 'data'),
    INGOT_WAL_ARCHIVE: join(folder, 'archive'),
    INGOT_METRICS_TOKEN: 'a-token-for-the-metrics',
    INGOT_HOSTS: '127.0.0.1',
    INGOT_JOB_THREADS: '0',
  }
  expect(await ingot.run(['init', 'kitchen'], { cwd: folder })).toMatchObject({ code: 0 })
})
afterAll(() => ingot.clean())

/** Runs a line in a shell. */
async function shell(line: string): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn('sh', ['-c', line], {
    cwd: folder,
    env: { ...env, XDG_CACHE_HOME: builtCache(), HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  const keep = (data: unknown): void => {
    out += String(data)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return { code: await waitForExit(child), out }
}

/** Returns a setting of the systemd unit, adapted to this test. */
function ofUnit(key: string): string {
  return new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
}

async function start(): Promise<void> {
  const [, ...args] = ofUnit('ExecStart').replace('/srv/kitchen/', '').split(' ')
  server = await ingot.serve(args, { cwd: folder, env })
}

async function home(): Promise<string> {
  return (await fetch(`${server.url}/`)).text()
}

/** Replaces a text of the menu in the next build. */
function rename(from: string, to: string): void {
  const path = join(folder, 'kitchen/app/translations/en.yml')
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
}

const said = (words: string) => expect.poll(() => server.output()).toContain(words)

/** Steps around some commands, as their page describes. */
const AROUND: Readonly<Record<string, { before?: () => Promise<string>; after?: () => Promise<void> }>> = {
  'ingot build kitchen --pack site.tgz': { after: start },
  'ingot build kitchen --pack next.tgz': {
    async before() {
      rename('What we cook today', 'Another menu')
      return ''
    },
  },
  'mv next.tgz site.tgz': {
    async after() {
      expect(await home()).not.toContain('Another menu')
      const reload = ofUnit('ExecReload').replace('$MAINPID', String(server.child.pid))
      expect(await shell(reload)).toEqual({ code: 0, out: '' })
      await said('the site was reloaded')
      expect(await home()).toContain('Another menu')
    },
  },
  'ingot release push site.tgz kitchen': {
    async before() {
      env['INGOT_RELEASES'] = 'database'
      return ''
    },
  },
  'ingot release activate $(ingot release push site.tgz kitchen) kitchen': {
    async after() {
      expect(await server.stop()).toBe(0)
      server = await ingot.serve(['serve', 'kitchen'], { cwd: folder, env })
      expect(await home()).toContain('Another menu')
    },
  },
  'ingot build kitchen --pack release.tgz': {
    async before() {
      rename('Another menu', 'The menu of a release')
      return ''
    },
  },
  'ingot release activate --dry-run $(ingot release push release.tgz kitchen) kitchen': {
    after: async () => expect(await home()).toContain('Another menu'),
  },
  'ingot release activate $(ingot release push release.tgz kitchen) kitchen': {
    after: async () => expect(await home()).toContain('The menu of a release'),
  },
  'ingot release rollback kitchen': {
    after: async () => expect(await home()).toContain('Another menu'),
  },
  'ingot release prune --keep 3 kitchen': {
    async after() {
      expect(await server.stop()).toBe(0)
      delete env['INGOT_RELEASES']
      await start()
    },
  },
  'INGOT_DATA=restored ingot restore backups kitchen': {
    after: async () => expect(existsSync(join(folder, 'restored/postgres/PG_VERSION'))).toBe(true),
  },
  'INGOT_DATA=earlier ingot restore backups kitchen --wal wal --until 2026-02-28T12:30:00Z': {
    async before() {
      const moment = new Date().toISOString()
      // A change after the backup must be in the archive too. A server archives its last data when it stops.
      expect(await shell('ingot data seed kitchen')).toMatchObject({ code: 0 })
      expect(await server.stop()).toBe(0)
      return moment
    },
    async after() {
      expect(existsSync(join(folder, 'earlier/postgres/PG_VERSION'))).toBe(true)
      await start()
    },
  },
}

describe('the commands of the chapter', () => {
  it('are for anybody, or for root', () => {
    expect(commands.filter(isForRoot).length).toBeGreaterThan(8)
    expect(commands.filter((line) => !isForRoot(line)).length).toBeGreaterThan(12)
  })

  it('run in their order', async () => {
    for (const line of commands.filter((each) => !isForRoot(each))) {
      const around = AROUND[line]
      const moment = (await around?.before?.()) ?? ''
      if (line.startsWith('ingot worker ')) {
        const worker = ingot.begin(line.split(' ').slice(1), { cwd: folder, env: { ...env, INGOT_JOB_THREADS: '1' } })
        let out = ''
        worker.stdout?.on('data', (data) => (out += String(data)))
        await expect.poll(() => out).toContain('running the jobs of')
        worker.kill('SIGTERM')
        expect(await waitForExit(worker)).toBe(0)
        continue
      }
      const here = line
        .replace('http://127.0.0.1:3000', () => server.url)
        .replace('2026-02-28T12:30:00Z', moment)
        .replace('--wal wal', '--wal archive')
      const { code, out } = await shell(here)
      expect(code, `${here}\n${out}`).toBe(0)
      await around?.after?.()
    }
    expect(Object.keys(AROUND).filter((line) => !commands.includes(line))).toEqual([])
  }, 300_000)
})

describe('the pages', () => {
  it('show the files that `ingot init --production` writes, each once', () => {
    const shown = entries.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === 'example' ? block.files.map(({ text }) => text) : [])),
    )
    for (const { name, text } of deployFiles({ name: 'kitchen', host: 'shop.example' }))
      expect(
        shown.filter((each) => each === text.trimEnd()),
        name,
      ).toHaveLength(1)
  })

  it('have every variable, with what it takes', () => {
    const rows = entries
      .find(({ name }) => name === 'Settings')
      ?.blocks.flatMap((block) => (block.kind === 'rows' ? block.rows : []))
    const groups = Object.values(ENVIRONMENT)
    expect(rows?.map(({ name }) => name)).toEqual(groups.flatMap((group) => Object.keys(group)))
    for (const row of rows ?? []) expect(row.description, row.name).toMatch(/^[A-Z`/][^]*\.$/)
  })

  it('name no variable and no metric that is not there', () => {
    const text = JSON.stringify(entries)
    const known: readonly string[] = Object.values(ENVIRONMENT).flatMap((group) => Object.keys(group))
    const named = [...text.matchAll(/\bINGOT_[A-Z\d_]+\b/g)].map(([name]) => name)
    expect([...new Set(named)].filter((name) => !known.includes(name))).toEqual([])
    const metrics = readFileSync(new URL('../../../../server/operate/observe/metrics.ts', import.meta.url), 'utf8')
    const measured = [...text.matchAll(/\bingot_\w+/g)].map(([name]) => name)
    expect([...new Set(measured)].filter((name) => !metrics.includes(`'${name}'`))).toEqual([])
    expect(measured.length).toBeGreaterThan(6)
  })
})
