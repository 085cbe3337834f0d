/** Kills all processes of a server and its database repeatedly while sixteen writers write. */
import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { product, type Server } from '../../../support/product.ts'

const ROUNDS = 3
const WRITERS = 16
/** Rows that are acknowledged in each round before the kill. */
const EACH = 60
/** Milliseconds between two writes of a writer. More writes would only cause more jobs, for which the test has to wait at the end. */
const PAUSE = 50
/** The pause while the test waits for jobs, which have the lowest priority. */
const SLOW_PAUSE = 500

const ingot = product()
const home = mkdtempSync(join(tmpdir(), 'ingot-killed-'))
const data = join(home, 'data')
let site = ''
let last: Server | null = null

beforeAll(async () => {
  chmodSync(home, 0o755)
  const post = (slug: string, body: string): string => `---\nslug: ${slug}\nmethod: post\n---\n${body}`
  site = ingot.folder({
    'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n    type: string\n',
    'app/graphql/add.graphql': `mutation add($text: String!) {
  record_create(record: { table: "note", properties: [{ name: "text", value: $text }] }) { id }
}
`,
    'app/graphql/all.graphql': `query all($page: Int!) {
  records(page: $page, per_page: 1000, filter: { table: { value: "note" } }) { results { text: property(name: "text") } }
}
`,
    // Jobs take some milliseconds, so that some of them are running at every moment.
    'app/views/partials/remember.liquid':
      "{%- assign sum = 0 -%}\n{%- for i in (1..900) -%}{%- for j in (1..900) -%}{%- assign sum = sum | plus: j -%}{%- endfor -%}{%- endfor -%}\n{%- assign said = 'job-' | append: n -%}\n{%- graphql added = 'add', text: said -%}\n",
    'app/views/pages/write.liquid': post(
      'write',
      "{%- assign said = 'row-' | append: context.params.n -%}\n{%- graphql added = 'add', text: said -%}\n{%- background job = 'remember', n: context.params.n -%}\n{{ job }}",
    ),
    'app/views/pages/all.liquid':
      '---\nslug: all\n---\n{%- assign page = context.params.page | to_positive_integer: 1 -%}\n{%- graphql all = "all", page: page -%}\n{%- for one in all.records.results %}{{ one.text }} {% endfor -%}',
  })
  expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
})

afterAll(async () => {
  await last?.stop()
  await ingot.clean()
  rmSync(home, { recursive: true, force: true })
})

async function start(): Promise<Server> {
  // Sets the most permissive umask, which the programs inherit, because users may have any umask.
  const before = process.umask(0)
  try {
    return await startOnce()
  } finally {
    process.umask(before)
  }
}

function startOnce(): Promise<Server> {
  const env = { DATABASE_URL: '', INGOT_DATA: data, INGOT_JOB_THREADS: '2', INGOT_JOB_SILENCE: '3' }
  return ingot.serve(['serve', site], { env })
}

/** Returns a process and all of its descendants, as the system lists them. */
function familyOf(pid: number): readonly number[] {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const parents = rows.map((row) => row.trim().split(/\s+/).map(Number))
  const family = [pid]
  for (const member of family) for (const [child = 0, parent] of parents) if (parent === member) family.push(child)
  return family
}

function killEverything(server: Server): void {
  const [postmaster] = readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')
  const family = new Set([...familyOf(server.child.pid ?? 0), ...familyOf(Number(postmaster))])
  for (const pid of family) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended together with the process that was killed before.
    }
  }
}

/** Ids of the queued jobs, by the numbers of the rows that were acknowledged with them. */
const acknowledged = new Map<number, string>()
let next = 0
let pause = PAUSE

/** Writes until the server has ended. */
async function write(url: string): Promise<void> {
  for (;;) {
    const n = next++
    try {
      const reply = await fetch(`${url}/write`, { method: 'POST', body: new URLSearchParams({ n: String(n) }) })
      const job = (await reply.text()).trim()
      if (reply.status === 200 && /^\d+$/.test(job)) acknowledged.set(n, job)
      await sleep(pause)
    } catch {
      return
    }
  }
}

async function texts(url: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (let page = 1; ; page++) {
    const found = (await (await fetch(`${url}/all?page=${page}`)).text()).split(' ').filter(Boolean)
    for (const text of found) counts.set(text, (counts.get(text) ?? 0) + 1)
    if (found.length === 0) return counts
  }
}

/** Returns the number of jobs that have written their result. */
async function done(url: string): Promise<number> {
  return [...(await texts(url)).keys()].filter((text) => text.startsWith('job-')).length
}

/** Returns the number of runs of each finished job that may have run several times, by job id. */
async function records(): Promise<ReadonlyMap<string, number>> {
  const line = ['jobs', 'list', site, '--state', 'done', '--limit', '10000', '--json']
  const { code, out } = await ingot.run(line, { env: { DATABASE_URL: '', INGOT_DATA: data } })
  expect(code).toBe(0)
  const rows = z.array(z.object({ id: z.string(), runs: z.number() })).parse(JSON.parse(out))
  return new Map(rows.map(({ id, runs }) => [id, runs]))
}

/** Returns the files of uploads that are running or were interrupted. */
function incoming(): readonly string[] {
  const entries = readdirSync(join(data, 'incoming'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Sends only half of a file. */
function sendHalf(url: string): void {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const head = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n'
  const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="half"\r\n\r\n'
  socket.write(`POST /write HTTP/1.1\r\nHost: a\r\n${head}${part}${'x'.repeat(100_000)}`)
}

/** Returns the files and folders in the data folder to which other users have any access, with their modes. */
function openToOthers(): readonly string[] {
  return readdirSync(data, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    // A server may remove a file during the check.
    const facts = lstatSync(join(data, path), { throwIfNoEntry: false })
    return facts === undefined || (facts.mode & 0o77) === 0 ? [] : [`${(facts.mode & 0o777).toString(8)} ${path}`]
  })
}

test('nothing that was acknowledged is lost, no job is, and one that may have run twice is told', async () => {
  let doneBefore = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const server = await start()
    const before = acknowledged.size
    const writers = Array.from({ length: WRITERS }, () => write(server.url))
    await expect.poll(() => acknowledged.size - before, { timeout: 180_000, interval: 20 }).toBeGreaterThan(EACH)
    pause = SLOW_PAUSE
    // Jobs are running by now, so some of them are running when the processes are killed.
    await expect.poll(() => done(server.url), { timeout: 180_000, interval: 100 }).toBeGreaterThan(doneBefore)
    doneBefore = await done(server.url)
    pause = PAUSE
    const written = acknowledged.size
    await expect
      .poll(() => acknowledged.size - written, { timeout: 180_000, interval: 20 })
      .toBeGreaterThan(2 * WRITERS)
    sendHalf(server.url)
    await expect.poll(() => incoming().length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0)
    expect(openToOthers()).toEqual([])
    killEverything(server)
    await Promise.all(writers)
  }
  // Restores the permissions of an earlier version, with which other users could access the contents of the folder.
  for (const name of readdirSync(data)) if (name !== 'postgres') chmodSync(join(data, name), 0o755)
  const server = await start()
  last = server
  expect(openToOthers()).toEqual([])
  // The uploads of all rounds were interrupted.
  await expect.poll(incoming, { timeout: 60_000, interval: 20 }).toEqual([])
  let seen = await texts(server.url)
  const missing = (prefix: string): readonly number[] =>
    [...acknowledged.keys()].filter((n) => !seen.has(`${prefix}-${n}`))
  expect(missing('row')).toEqual([])
  const undone = async (): Promise<number> => {
    seen = await texts(server.url)
    return missing('job').length
  }
  await expect.poll(undone, { timeout: 300_000, interval: 250 }).toBe(0)
  const returned = await records()
  expect(returned.size).toBeGreaterThan(0)
  const twice = [...acknowledged].filter(([n]) => (seen.get(`job-${n}`) ?? 0) > 1)
  expect(twice.filter(([n, job]) => (returned.get(job) ?? 0) < (seen.get(`job-${n}`) ?? 0))).toEqual([])
  expect([...seen].filter(([text, count]) => text.startsWith('row-') && count > 1)).toEqual([])
}, 600_000)
