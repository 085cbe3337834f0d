/** Tests jobs and migrations of a site in development: they use the latest build of a replacement for the compiler. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { folder } from '../../../support/server/site.ts'
import { bundleOf, job, jobsOf, type QueueSite, queue, until } from './queue-site.ts'
import { readFileSync } from 'node:fs'

let ingot: Programs
let dir: string
let program: Program
let url: string

// A replacement for the compiler. It prints every line that is appended to a file in the site's folder.
const COMPILER = `
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
const [, dir] = process.argv.slice(2)
process.stdin.on('end', () => process.exit(0)).resume()
let said = 0
setInterval(() => {
  const lines = readFileSync(join(dir, 'messages'), 'utf8').split('\\n').slice(0, -1)
  for (const line of lines.slice(said)) console.log(line)
  said = lines.length
}, 20)
`

beforeAll(async () => {
  ingot = await programs()
  dir = folder({ messages: '', notes: '', 'compiler.mjs': COMPILER, 'app/config.yml': '' })
  program = await ingot.dev(dir, join(dir, 'compiler.mjs'), { INGOT_SILENCE: '30', INGOT_JOB_THREADS: '2' })
  url = `http://127.0.0.1:${await program.port()}`
})
afterAll(async () => {
  program.child.kill('SIGINT')
  expect(await program.exitCode).toBe(0)
  await ingot.clean()
})

function build(site: QueueSite): void {
  writeFileSync(join(dir, 'site.mjs'), bundleOf(site, join(dir, 'notes')))
  const message = { type: 'built', entry: pathToFileURL(join(dir, 'site.mjs')).href, changed: [], ms: 12 }
  appendFileSync(join(dir, 'messages'), `${JSON.stringify(message)}\n`)
}

const notes = (): readonly string[] => readFileSync(join(dir, 'notes'), 'utf8').split('\n').filter(Boolean)
const home = async (): Promise<string> => (await fetch(url, { headers: { connection: 'close' } })).text()

it('jobs run the newest build, and those in progress the one they began with', async () => {
  const { sql } = ingot.database
  const jobs = (text: string): QueueSite['jobs'] => ({
    say: `() => note("said ${text}")`,
    wait: `() => { note("begun ${text}"); return sleep(2500).then(() => note("done ${text}")) }`,
  })
  // This job is queued before a build exists.
  await queue(sql, job('say'))
  build({ jobs: jobs('one') })
  await until('the first build runs', () => notes().includes('said one'))
  await queue(sql, job('wait'))
  await until('one is in progress', () => notes().includes('begun one'))
  build({ jobs: jobs('two'), pages: { '/': '() => "second"' } })
  await until('the second build is served', async () => (await home()).includes('second'))
  await until('and its jobs are', async () => {
    await queue(sql, job('say'))
    return notes().includes('said two')
  })
  await until('the one in progress has come to its end', () => notes().includes('done one'))
  expect(notes()).not.toContain('begun two')
  await until('the queue is empty', async () => (await jobsOf(sql)).length === 0)
})

it('a migration that fails is shown, and runs when it is mended', async () => {
  const { sql } = ingot.database
  const name = '20260101000000_first'
  build({
    jobs: {},
    pages: { '/': '() => "third"' },
    migrations: { [name]: '() => { throw new LiquidFault("no such table") }' },
  })
  await program.waitForOutput(`The migration ${name} failed, and its changes were rolled back: no such table`)
  expect(await home()).toContain('second')
  build({ jobs: {}, pages: { '/': '() => "fourth"' }, migrations: { [name]: '() => { note("migrated"); return "" }' } })
  await until('the build is served', async () => (await home()).includes('fourth'))
  expect(notes()).toContain('migrated')
  expect([...(await sql`select state from ingot.site_migrations`)]).toEqual([{ state: 'done' }])
})
