/** Tests threads that hang, run out of memory, throw or die: each ends alone, and the pool keeps its size. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, type JobPool } from '../../../../server/operate/jobs/threads/pool.ts'
import type { RecordedRequest } from '../../../../server/operate/observe/recorded-request.ts'

const THREAD = `
import { threadId, workerData } from 'node:worker_threads'
const acts = {
  well: () => ({ kind: 'done', thread: threadId, given: workerData.start }),
  loop: () => { for (;;); },
  sleep: (ms) => new Promise((done) => setTimeout(() => done({ kind: 'done' }), Number(ms))),
  list: () => { const all = []; for (;;) all.push(new Array(100).fill(0.5)) },
  text: () => { const all = []; for (;;) all.push(Buffer.alloc(10_000, 'x').toString('latin1')) },
  array: () => { const all = []; for (;;) all.push(new Array(1_000_000).fill(all.length)) },
  throw: () => { throw new TypeError('thrown') },
  late: () => { setTimeout(() => { throw new Error('outside of any job') }, 5); return new Promise(() => undefined) },
  exit: () => process.exit(3),
  abort: () => { process.reallyExit(4) },
  recurse: () => { const down = (n) => down(n + 1) + 1; return down(0) },
}
export async function run({ task: { payload }, slot: { index, call } }) {
  workerData.slots[4 * index + 1] = Date.now()
  workerData.slots[4 * index] = call
  const [act, more] = payload.split(':')
  return acts[act](more)
}
`

let folder: string
let pool: JobPool

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-pool-'))
  writeFileSync(join(folder, 'thread.mjs'), THREAD)
  pool = createPool({ file: join(folder, 'thread.mjs'), start: { site: 7 }, threads: 2, memory: 16 })
})
afterAll(async () => {
  await pool.destroy()
  rmSync(folder, { recursive: true })
})

const never = new AbortController().signal

function act(payload: string, seconds = 120, signal = never): ReturnType<JobPool['run']> {
  return pool.run({ kind: 'job', id: '1', payload, seconds }, signal, seconds)
}

it.each([
  ['list', 'memory', /16 MB/],
  ['text', 'memory', /16 MB/],
  ['array', 'memory', /16 MB/],
  ['throw', 'crash', /thrown/],
  ['late', 'crash', /outside of any job/],
  ['exit', 'crash', /code: 3/],
  ['abort', 'crash', /code: 4/],
  ['recurse', 'crash', /call stack/],
] as const)('%s ends with the reason %s, and the pool keeps its size', async (what, reason, message) => {
  const beside = act('sleep:300')
  expect(await act(what)).toMatchObject({
    kind: 'failed',
    failure: { reason, message: expect.stringMatching(message) },
  })
  expect(await beside).toMatchObject({ kind: 'done' })
  expect(await Promise.all([act('well'), act('well')])).toMatchObject([{ kind: 'done' }, { kind: 'done' }])
  expect(pool.size()).toBe(2)
})

it('a busy loop is ended at its limit', async () => {
  expect(await act('loop', 0.2)).toMatchObject({ kind: 'failed', failure: { reason: 'timeout' } })
  expect(await act('well')).toMatchObject({ kind: 'done', given: { site: 7 } })
  expect(pool.size()).toBe(2)
})

it('a job whose thread is ended has a record where jobs are recorded', async () => {
  const records: RecordedRequest[] = []
  const recording = createPool({
    ...{ file: join(folder, 'thread.mjs'), start: null, threads: 1, memory: 16, lazy: true },
    onRecorded: (record) => records.push(record),
  })
  await recording.run({ kind: 'job', id: '9', attempt: 2, payload: 'loop', seconds: 0.2 }, never, 0.2)
  await recording.run({ kind: 'job', id: '10', payload: 'well', seconds: 5 }, never, 5)
  await recording.destroy()
  expect(records).toMatchObject([
    {
      summary: {
        ...{ kind: 'job', id: expect.stringMatching(/^job-9-2-/), job: { id: '9', attempt: 2, outcome: 'failed' } },
        ...{ error: 'it took more than 0.2 seconds', milliseconds: expect.any(Number) },
      },
    },
  ])
  expect(records[0]?.summary.milliseconds).toBeGreaterThan(200)
})

it('what is cut off from outside is told apart from what failed', async () => {
  const cut = new AbortController()
  const loop = act('loop', 20, cut.signal)
  await sleep(100)
  cut.abort()
  expect(await loop).toEqual({ kind: 'ended' })
  expect(await act('well', 1, cut.signal)).toEqual({ kind: 'ended' })
})

it('a drained pool finishes what it has', async () => {
  const other = createPool({ file: join(folder, 'thread.mjs'), start: null, threads: 1, memory: 16, lazy: true })
  expect(other.size()).toBe(0)
  const call = { kind: 'job', id: '1', payload: 'sleep:200', seconds: 5 } as const
  const first = other.run(call, never, 5)
  const second = other.run(call, never, 5)
  await other.drain()
  expect(await Promise.all([first, second])).toEqual([{ kind: 'done' }, { kind: 'done' }])
  expect(other.size()).toBe(0)
  // Later calls are answered at once.
  expect(await other.run(call, never, 5)).toEqual({ kind: 'ended' })
})
