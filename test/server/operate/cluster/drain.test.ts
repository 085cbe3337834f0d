/** Tests processes that stop by a signal, or are killed, under continuous requests: every accepted request gets a response. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { builtFolder } from '../../../support/server/served-bundle.ts'

let ingot: Programs

beforeAll(async () => {
  ingot = await programs()
})

afterAll(() => ingot.clean())

const PAGES = {
  pid: '() => String(process.pid)',
  // A page that takes some time to compute, so that connections wait in the kernel.
  work: '(r) => { r.services.clock.now(); const end = performance.now() + 3; while (performance.now() < end); return String(process.pid) }',
  slow: '() => new Promise((done) => setTimeout(() => done("pid " + process.pid), 400))',
  begun:
    '() => { process.stderr.write("begun by " + process.pid + "\\n"); return new Promise((done) => setTimeout(() => done("late"), 1500)) }',
}

/** How a request on a new connection ended. `lost`: the server had accepted the connection but sent no response. */
type Outcome = 'answered' | 'refused' | 'lost'

function visit(port: number, path: string): Promise<{ outcome: Outcome; text: string }> {
  return new Promise((done) => {
    let connected = false
    let text = ''
    const socket = connect(port, '127.0.0.1', () => {
      connected = true
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    })
    socket.on('data', (data) => {
      text += data.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.once('close', () => {
      const complete = /^HTTP\/1.1 200[^]*\r\n\r\n[^]+$/.test(text)
      done({ outcome: complete ? 'answered' : connected ? 'lost' : 'refused', text })
    })
  })
}

interface Crowd {
  /** The number of outcomes so far, by kind. */
  readonly seen: Record<Outcome, number>
  readonly texts: string[]
  /** Stops after the current visits. */
  leave(): Promise<void>
}

/** Starts `size` visitors who send requests continuously, until their connections are refused. */
function crowd(port: number, size: number, path: string): Crowd {
  const seen: Record<Outcome, number> = { answered: 0, refused: 0, lost: 0 }
  const texts: string[] = []
  let going = true
  const round = async (): Promise<void> => {
    while (going && seen.refused === 0) {
      const all = await Promise.all(Array.from({ length: size }, () => visit(port, path)))
      for (const { outcome, text } of all) {
        seen[outcome]++
        texts.push(text)
      }
    }
  }
  const ended = round()
  return {
    seen,
    texts,
    leave: () => {
      going = false
      return ended
    },
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5)
}

async function started(variables: Record<string, string> = {}): Promise<{ program: Program; port: number }> {
  const program = ingot.start(['serve', builtFolder(PAGES)], { INGOT_WORKERS: '2', ...variables })
  const port = await program.port()
  const pids = new Set<string>()
  while (pids.size < 2)
    for (const { text } of await Promise.all(Array.from({ length: 8 }, () => visit(port, '/pid'))))
      pids.add(text.split('\r\n\r\n')[1] ?? '')
  return { program, port }
}

const answeredAtOnce = async (visitors: Crowd): Promise<void> => until(() => visitors.seen.answered >= 80)

describe('a server whose processes come and go', () => {
  let program: Program
  let port = 0

  beforeAll(async () => {
    ;({ program, port } = await started())
  })

  test('of one process that is stopped by a signal nothing is lost, and another takes its place', async () => {
    const visitors = crowd(port, 40, '/work')
    await answeredAtOnce(visitors)
    const one = Number(visitors.texts[0]?.split('\r\n\r\n')[1])
    process.kill(one, 'SIGTERM')
    await program.waitForOutput(`worker ${one} ended`)
    await visitors.leave()
    expect(visitors.seen).toMatchObject({ refused: 0, lost: 0 })
  })

  test('a reload loses no request of forty a moment', async () => {
    const visitors = crowd(port, 40, '/work')
    await answeredAtOnce(visitors)
    program.child.kill('SIGHUP')
    await program.waitForOutput('reloaded')
    await visitors.leave()
    expect(visitors.seen).toMatchObject({ refused: 0, lost: 0 })
  })

  test('a process that is killed under sixteen writers loses only what it was answering', async () => {
    const [first] = await Promise.all([visit(port, '/pid')])
    const killed = Number(first.text.split('\r\n\r\n')[1])
    const visitors = Array.from({ length: 16 }, () => crowd(port, 1, '/slow'))
    await until(() => visitors.every(({ seen }) => seen.answered >= 1))
    process.kill(killed, 'SIGKILL')
    await program.waitForOutput(`worker ${killed} ended`)
    const before = visitors.map(({ seen }) => seen.answered)
    await until(() => visitors.every(({ seen }, at) => seen.answered > (before[at] ?? 0) + 1))
    await Promise.all(visitors.map((one) => one.leave()))
    const lost = visitors.map(({ seen }) => seen.lost)
    // At most the request that each visitor had sent.
    expect(Math.max(...lost)).toBeLessThanOrEqual(1)
    expect(visitors.every(({ seen }) => seen.refused === 0)).toBe(true)
  })

  test('of all processes that are killed at once no new connection is refused, and those that come meanwhile are answered', async () => {
    const texts = new Set<string>()
    while (texts.size < 2) texts.add(pidIn((await visit(port, '/pid')).text))
    const killed = [...texts].map(Number)
    const visits: ReturnType<typeof visit>[] = []
    // About two hundred visits per second.
    const coming = setInterval(() => visits.push(visit(port, '/pid')), 5)
    await until(() => visits.length > 20)
    for (const pid of killed) process.kill(pid, 'SIGKILL')
    const before = visits.length
    for (const pid of killed) await program.waitForOutput(`worker ${pid} ended (SIGKILL)`)
    await until(() => visits.length > before + 20)
    // This request arrived while no process was running.
    expect(killed).not.toContain(Number(pidIn((await visits.at(-1)!).text)))
    clearInterval(coming)
    const all = await Promise.all(visits)
    expect(all.filter(({ outcome }) => outcome === 'refused')).toEqual([])
    // Requests that arrived before the processes were killed may be lost.
    const after = all.slice(before + 20)
    expect(after.map(({ outcome }) => outcome)).toEqual(after.map(() => 'answered'))
    while (texts.size < 4) texts.add(pidIn((await visit(port, '/pid')).text))
  })

  // A service manager signals every process of the group.
  test('a stop by a service manager answers every connection that the kernel had accepted, forty a moment', async () => {
    const visitors = crowd(port, 40, '/work')
    await answeredAtOnce(visitors)
    const workers = new Set(visitors.texts.map((text) => Number(pidIn(text))))
    for (const pid of workers) process.kill(pid, 'SIGTERM')
    program.child.kill('SIGTERM')
    expect(await program.exitCode).toBe(0)
    await visitors.leave()
    expect(visitors.seen.lost).toBe(0)
  })
})

function pidIn(text: string): string {
  return text.split('\r\n\r\n')[1] ?? ''
}

describe('a server that has just begun', () => {
  test('answers every connection that the kernel had accepted when it is stopped, forty a moment', async () => {
    const { program, port } = await started()
    const visitors = crowd(port, 40, '/work')
    await answeredAtOnce(visitors)
    program.child.kill('SIGTERM')
    expect(await program.exitCode).toBe(0)
    await until(() => visitors.seen.refused > 0)
    await visitors.leave()
    expect(visitors.seen.lost).toBe(0)
  })

  test('answers what it is answering when the one that watches is killed', async () => {
    const { program, port } = await started()
    const open = Array.from({ length: 8 }, () => visit(port, '/begun'))
    await until(() => program.output().split('begun by').length > 8)
    program.child.kill('SIGKILL')
    const outcomes = (await Promise.all(open)).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(outcomes.map(() => 'answered'))
    await until(() => program.child.signalCode !== null)
    const again = ingot.start(['serve', builtFolder(PAGES), '--port', String(port)])
    expect(await again.port()).toBe(port)
  })
})
