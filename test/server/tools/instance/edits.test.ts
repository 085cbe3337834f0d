/** Tests changes of single files of a served site: all processes serve them without a separate release. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const INDEX = 'views/pages/index.liquid'
const TAIL = 'views/partials/tail.liquid'
const PAGE = "{% render 'tail' %}"
const SITE: Readonly<Record<string, string>> = {
  [`app/${INDEX}`]: PAGE,
  [`app/${TAIL}`]: 'first',
  'app/views/pages/slow.liquid': "before {% graphql rows = 'rows' %}{% render 'tail' %}",
  'app/graphql/rows.graphql': 'query rows { records(per_page: 1) { results { id } } }',
  'app/views/pages/data.liquid': `---\nlayout: ''\n---\n{{ 'title' | t }} {% graphql s = 'said' %}{{ s.constants.results[0].name }}`,
  'app/graphql/said.graphql': 'query said { constants { results { name } } }',
  'app/translations/en.yml': 'en:\n  title: one\n',
  'app/views/pages/work.liquid':
    "---\nslug: work\n---\n{% background source_name: 'work', delay: 0 %}{% log 'job one' %}{% render 'did' %}{% endbackground %}",
  'app/views/partials/did.liquid': "{% log 'did one' %}",
}

let ground: InstanceSetup
let instance: Instance

beforeAll(async () => {
  ground = await openInstanceSetup()
  instance = await ground.open('edits', { INGOT_JOB_THREADS: '2', INGOT_WORKERS: '2' })
  expect(await instance.deploy(siteZip(SITE))).toMatchObject({ status: 'success' })
})

afterAll(() => ground.clean())

interface Served {
  readonly release: string
  readonly revision: number
}

/** Returns the content of the file that names the served release. */
function served(name = 'edits'): Served {
  return JSON.parse(readFileSync(join(ground.home, `data-${name}`, 'releases', 'current'), 'utf8')) as Served
}

/** Returns the ids of the server's processes that run a program. */
function processes(program: string): readonly number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
  const own = new Set([String(instance.server.child.pid)])
  // Parents are usually listed before their children, but process ids can start again from the beginning. Therefore, this runs several
  // times.
  for (let round = 0; round < 3; round++)
    for (const [, pid = '', parent = ''] of rows) if (own.has(parent)) own.add(pid)
  return rows.flatMap(([, pid = '', , args = '']) => (own.has(pid) && args.includes(program) ? [Number(pid)] : []))
}

/** Returns the texts that many concurrent visitors receive, each on a new connection. */
async function shown(path: string): Promise<readonly string[]> {
  const texts = Array.from({ length: 12 }, async () => {
    const answer = await fetch(instance.url + path, { headers: { connection: 'close' } })
    return (await answer.text()).trim()
  })
  return [...new Set(await Promise.all(texts))]
}

/** Returns the ids of the serving processes after all of them have responded. The port stays open as long as one of them serves. */
async function serving(): Promise<readonly number[]> {
  const answered = async (): Promise<readonly number[]> => {
    // A connection may break while a process starts, so only responses count.
    await shown('/').catch(() => null)
    return processes('/worker.mjs').filter((pid) => instance.server.output().includes(`"pid":${pid},"id":`))
  }
  await expect.poll(answered).toHaveLength(2)
  return processes('/worker.mjs')
}

async function synced(path: string, text: string | null): Promise<void> {
  expect(await instance.sync(path, text), `${path}: ${text}`).toMatchObject({ status: 200 })
}

test('templates, queries, routes and translations are served in place, by all processes', async () => {
  const before = served()
  await synced(TAIL, 'second')
  expect(await shown('/')).toEqual(['second'])
  await synced(INDEX, "---\nslug: /\n---\n{% render 'tail' %} page")
  expect(await shown('/')).toEqual(['second page'])
  await synced('views/partials/more/new.liquid', "new {% render 'tail' %}")
  await synced(INDEX, "{% render 'more/new' %}")
  expect(await shown('/')).toEqual(['new second'])
  await synced('translations/en.yml', 'en:\n  title: two\n')
  expect((await shown('/data'))[0]).toMatch(/^two/)
  await synced('views/pages/elsewhere.liquid', '---\nslug: else/where\n---\nelsewhere')
  expect(await shown('/else/where')).toEqual(['elsewhere'])
  await synced('views/pages/elsewhere.liquid', null)
  expect((await fetch(`${instance.url}/else/where`)).status).toBe(404)
  await synced('views/layouts/application.liquid', '<main>{{ content_for_layout }}</main>')
  expect(await shown('/')).toEqual(['<main>new second</main>'])
  await synced('views/layouts/application.liquid', null)
  await synced(INDEX, PAGE)
  expect(served().release).toBe(before.release)
  expect(served().revision).toBeGreaterThan(before.revision)
})

test('a request under way ends with the templates that it began with', async () => {
  await synced(TAIL, 'old')
  const { sql } = ground.ingot.database
  let unlock = (): void => undefined
  let holding: Promise<unknown> = Promise.resolve()
  await new Promise<void>((locked) => {
    holding = sql.begin(async (transaction) => {
      await transaction`lock table ingot.records in access exclusive mode`
      locked()
      await new Promise<void>((done) => {
        unlock = done
      })
    })
  })
  const waiting = instance.text('/slow')
  await expect
    .poll(async () => (await sql`select from pg_stat_activity where wait_event_type = 'Lock'`).length, {
      timeout: 60_000,
    })
    .toBeGreaterThan(0)
  await synced(TAIL, 'new')
  expect(await shown('/')).toEqual(['new'])
  unlock()
  await holding
  expect((await waiting).trim()).toBe('before old')
  expect((await instance.text('/slow')).trim()).toBe('before new')
})

test('a file that is broken changes nothing, and others go on being served', async () => {
  await synced(TAIL, 'whole')
  expect(await instance.sync(TAIL, '{% if %}')).toMatchObject({ status: 422 })
  expect(await instance.sync(TAIL, "{{ 'x' | no_such_filter }}")).toMatchObject({ status: 422 })
  expect(await shown('/')).toEqual(['whole'])
  // The partials of a page may arrive after the page.
  await synced('views/pages/early.liquid', "{% render 'tail' %} {% render 'not_yet' %}")
  await synced('views/partials/not_yet.liquid', 'there')
  expect(await shown('/early')).toEqual(['whole there'])
})

test('an edit that a process cannot load is refused, and all serve what they did', async () => {
  await synced(TAIL, 'sound')
  const before = served()
  const { sql } = ground.ingot.database
  await sql.unsafe(`
    create function ingot.spoil() returns trigger language plpgsql as $$
    begin new.script := '((factories) => { throw new Error("spoilt") })'; return new; end $$;
    create trigger spoil before insert on ingot.edited_modules for each row execute function ingot.spoil()`)
  try {
    const { status, body } = await instance.sync(TAIL, 'spoilt')
    expect({ status, text: JSON.stringify(body) }).toEqual({
      status: 422,
      text: expect.stringContaining('spoilt') as string,
    })
    expect(await shown('/')).toEqual(['sound'])
  } finally {
    await sql.unsafe('drop trigger spoil on ingot.edited_modules; drop function ingot.spoil')
  }
  expect(served()).toMatchObject({ release: before.release, revision: before.revision })
  await synced(TAIL, 'mended')
  expect(await shown('/')).toEqual(['mended'])
})

test('jobs run with what was synced', async () => {
  const { sql } = ground.ingot.database
  const logged = async (message: string) => (await sql`select from ingot.logs where message = ${message}`).length
  await instance.text('/work')
  await expect.poll(() => logged('did one')).toBe(1)
  await synced('views/partials/did.liquid', "{% log 'did two' %}")
  await instance.text('/work')
  await expect.poll(() => logged('did two')).toBe(1)
  expect(await logged('did one')).toBe(1)
})

test('a schema that is synced is served as a release, with all that was edited before', async () => {
  await synced(TAIL, 'edited')
  const { release } = served()
  await synced('schema/note.yml', 'name: note\nproperties:\n  - name: text\n')
  expect(served()).not.toMatchObject({ release })
  expect(await shown('/')).toEqual(['edited'])
  await synced(TAIL, 'edited again')
  expect(await shown('/')).toEqual(['edited again'])
})

test('a release is gone back to with its edits, and deployed again without them', async () => {
  await instance.deploy(siteZip(SITE))
  await synced(TAIL, 'of the first')
  const first = served()
  await instance.deploy(siteZip({ ...SITE, [`app/${TAIL}`]: 'of the second' }))
  expect(await shown('/')).toEqual(['of the second'])
  const back = await ground.ingot.run(['release', 'rollback', ground.home], {
    INGOT_DATA: join(ground.home, 'data-edits'),
  })
  expect(back, back.said).toMatchObject({ code: 0 })
  expect(await shown('/')).toEqual(['of the first'])
  expect(served()).toMatchObject({ release: first.release, revision: first.revision })
  await synced(INDEX, `${PAGE}!`)
  expect(await shown('/')).toEqual(['of the first!'])
  await instance.deploy(siteZip(SITE))
  expect(served()).toMatchObject({ release: first.release, revision: 0 })
  expect(await shown('/')).toEqual(['first'])
  await synced(TAIL, 'alone')
  expect(await shown('/')).toEqual(['alone'])
})

/** Returns the status of a response, or null if the connection broke before the response. */
function statusOf(answer: Promise<{ readonly status: number }>): Promise<number | null> {
  return answer.then(
    ({ status }) => status,
    () => null,
  )
}

test('whoever is killed in the midst of a sync, the old site is served or the new one, and then the new one', async () => {
  await instance.deploy(siteZip(SITE))
  let now = 'first'
  for (const program of ['bin.mjs service', 'deploy-worker.mjs', '/worker.mjs', 'job-worker.mjs', 'bin.mjs service']) {
    const next = `after ${program.replaceAll(/\W/g, ' ')} ${Math.random()}`
    // The status is null if the responding process is the one that is killed.
    const answer = statusOf(instance.sync(TAIL, next))
    await sleep(Math.random() * 150)
    const [victim] = processes(program)
    if (victim !== undefined) process.kill(victim, 'SIGKILL')
    const seen = await shown('/').catch((): string[] => [])
    for (const text of seen) expect([now, next]).toContain(text)
    const status = await answer
    if (status !== null) expect(status, program).toBe(200)
    // What nobody has answered may never have been read: whoever sent it sends it again.
    else await expect.poll(() => statusOf(instance.sync(TAIL, next))).toBe(200)
    await expect.poll(() => shown('/').catch(String), { timeout: 120_000 }).toEqual([next])
    now = next
  }
  await synced(TAIL, 'goes on')
  expect(await shown('/')).toEqual(['goes on'])
})

test('a process that starts later, and a server that is started again, serve what was synced', async () => {
  await synced(TAIL, 'kept')
  const workers = await serving()
  for (const pid of workers.slice(0, 1)) process.kill(pid, 'SIGKILL')
  await expect.poll(() => processes('/worker.mjs').length).toBe(workers.length)
  await expect.poll(() => shown('/').catch(() => instance.server.output().slice(-3000))).toEqual(['kept'])
  const answer = instance.sync(TAIL, 'kept on').catch(() => null)
  await sleep(Math.random() * 100)
  instance.server.child.kill('SIGKILL')
  await instance.server.exitCode
  await answer
  instance = await ground.again(instance, 'edits')
  const [text = ''] = await shown('/')
  expect(['kept', 'kept on']).toContain(text)
  await synced(TAIL, 'after all')
  expect(await shown('/')).toEqual(['after all'])
})
