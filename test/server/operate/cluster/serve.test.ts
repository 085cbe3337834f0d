/** Tests `ingot serve` as a program with several processes: one may hang, die, or be replaced without failed requests. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get as request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { builtFolder as builtOf, bundle } from '../../../support/server/served-bundle.ts'
import { folder } from '../../../support/server/site.ts'

let ingot: Programs

beforeAll(async () => {
  ingot = await programs()
})

afterAll(() => ingot.clean())

const PAGES = {
  '/': '() => "home"',
  pid: '() => String(process.pid)',
  work: '(r) => { r.services.clock.now(); const end = performance.now() + 5; while (performance.now() < end); return String(process.pid) }',
  // Blocks the process until the file that it creates is removed.
  block: `() => {
    const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs')
    writeFileSync(process.env.BLOCKED, '')
    while (existsSync(process.env.BLOCKED)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    return 'blocked'
  }`,
  hang: '() => { for (;;); }',
  die: '() => { setTimeout(() => { throw new Error("outside of any request") }); return "dying" }',
  slow: '() => new Promise((done) => setTimeout(() => done("slow"), 1000))',
  fault: '() => { throw new LiquidFault("inside") }',
}

const built = (): string => builtOf(PAGES)

/** Sends a request on a new connection. A kept connection would send the next request to the same process. */
function ask(port: number, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
}

async function get(port: number, path: string): Promise<string> {
  return (await ask(port, path)).text()
}

/** Returns the ids of the two serving processes. Sends concurrent requests until both have responded. */
async function pids(port: number): Promise<Set<string>> {
  for (let i = 0; i < 100; i++) {
    const found = new Set(await Promise.all(Array.from({ length: 16 }, () => get(port, '/pid'))))
    if (found.size === 2) return found
    await sleep(50)
  }
  throw new Error('one process answers alone')
}

describe('serving', () => {
  const site = built()
  const file = join(site, 'blocked')
  /** One program for all of these tests. The last test stops it. */
  let program: Program
  let port = 0

  beforeAll(async () => {
    program = ingot.start(['serve', site], { BLOCKED: file, INGOT_WORKERS: '2' })
    port = await program.port()
    // The port is reported when the first process serves. This waits for the second one.
    await pids(port)
  })

  test('two processes answer, and a fault of the runtime that they share is known', async () => {
    const home = await ask(port, '/')
    expect(await home.text()).toBe('home')
    // In production, and without configured host names.
    expect(home.headers.get('x-robots-tag')).toBe('noindex, nofollow')
    const fault = await ask(port, '/fault')
    expect(fault.status).toBe(500)
    await fault.text()
    await program.waitForOutput('"msg":"GET /fault: inside"')
  })

  test('while a page keeps one process busy the other answers', async () => {
    let blocked = true
    const block = get(port, '/block').then((text) => {
      blocked = false
      return text
    })
    await expect.poll(() => existsSync(file)).toBe(true)
    for (let i = 0; i < 20; i++) expect(await get(port, '/')).toBe('home')
    expect(blocked).toBe(true)
    rmSync(file)
    expect(await block).toBe('blocked')
  })

  test('connections that all lie at one process are shared with another that has time', async () => {
    const [one, other] = [...(await pids(port))].map(Number) as [number, number]
    const agent = new Agent({ keepAlive: true, maxSockets: 12 })
    const worked = (): Promise<number> =>
      new Promise((done, failed) => {
        request(`http://127.0.0.1:${port}/work`, { agent }, (reply) => {
          let text = ''
          reply.on('data', (data) => (text += String(data))).once('end', () => done(Number(text)))
        }).once('error', failed)
      })
    const all = (): Promise<number[]> => Promise.all(Array.from({ length: 12 }, worked))
    process.kill(other, 'SIGSTOP')
    expect(new Set(await all())).toEqual(new Set([one]))
    process.kill(other, 'SIGCONT')
    let by: number[] = []
    for (let round = 0; round < 200 && by.filter((pid) => pid === other).length < 3; round++) by = await all()
    expect(by.filter((pid) => pid === other).length).toBeGreaterThanOrEqual(3)
    agent.destroy()
  })

  test('a process that is killed is replaced', async () => {
    const [one] = await pids(port)
    process.kill(Number(one), 'SIGKILL')
    await program.waitForOutput('SIGKILL')
    const after = await pids(port)
    expect(after).not.toContain(one)
  })

  test('an error outside of any request ends its process only', async () => {
    await pids(port)
    expect(await get(port, '/die')).toBe('dying')
    await program.waitForOutput('outside of any request')
    expect(await get(port, '/')).toBe('home')
    await pids(port)
  })

  test('a hang-up loads the new build without losing a request', async () => {
    let going = true
    const seen: string[] = []
    // Sends requests on kept and on new connections during the whole test.
    const visitor = async (headers: Record<string, string>): Promise<void> => {
      while (going) seen.push(await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text())
    }
    const visitors = [visitor({}), visitor({}), visitor({ connection: 'close' })]
    await sleep(300)
    writeFileSync(join(site, '.ingot/site.mjs'), bundle({ ...PAGES, '/': '() => "new home"' }))
    program.child.kill('SIGHUP')
    await program.waitForOutput('reloaded')
    await sleep(100)
    going = false
    await Promise.all(visitors)
    expect(new Set(seen)).toEqual(new Set(['home', 'new home']))
    expect(await get(port, '/')).toBe('new home')
  })

  test('a build that does not load leaves the old one', async () => {
    // Waits for both processes, because a process that is still starting would load the new build.
    await pids(port)
    writeFileSync(join(site, '.ingot/site.mjs'), 'throw new Error("broken")')
    program.child.kill('SIGHUP')
    await program.waitForOutput('the old one stays')
    await pids(port)
    expect(await get(port, '/')).toBe('new home')
  })

  test('an open request finishes before the end', async () => {
    const slow = get(port, '/slow')
    await sleep(200)
    program.child.kill('SIGTERM')
    expect(await slow).toBe('slow')
    expect(await program.exitCode).toBe(0)
    expect(program.output()).toContain('"msg":"stopped the server"')
  })

  test('a second key ends it at once, and says what that means', async () => {
    const program = ingot.start(['serve', built()], { INGOT_ENV: 'development' })
    const port = await program.port()
    const hung = get(port, '/hang').catch(() => 'cut off')
    await sleep(200)
    program.child.kill('SIGINT')
    await program.waitForOutput('press Ctrl-C again to end at once')
    // The signals of one key may be this far apart.
    const repeat = setInterval(() => program.child.kill('SIGINT'), 50)
    expect(await program.exitCode).toBe(1)
    clearInterval(repeat)
    expect(await hung).toBe('cut off')
    expect(program.output()).toContain('ended at once: open requests and jobs were cut off')
  })
})

describe('a server of its own', () => {
  test('a process that falls silent is replaced, and all end with the one that watches them', async () => {
    const program = ingot.start(['serve', built()], { INGOT_SILENCE: '2', INGOT_WORKERS: '2' })
    const port = await program.port()
    const before = await pids(port)
    await expect(get(port, '/hang')).rejects.toThrow()
    await program.waitForOutput('does not respond and is replaced')
    const silent = Number(/worker (\d+) does not respond/.exec(program.output())?.[1])
    expect(before).toContain(String(silent))
    const after = await pids(port)
    expect(after).not.toContain(String(silent))
    program.child.kill('SIGKILL')
    await program.exitCode
    await expect(
      (async () => {
        for (let i = 0; i < 100; i++) {
          await get(port, '/')
          await sleep(50)
        }
      })(),
    ).rejects.toThrow()
  })

  test('while some of its processes still start, these do not hold it up', async () => {
    // A process that waits for a socket in vain would end only after the grace period, which is longer than the test.
    const program = ingot.start(['serve', built()], { INGOT_WORKERS: '4', INGOT_GRACE: '600' })
    await program.port()
    program.child.kill('SIGTERM')
    expect(await program.exitCode).toBe(0)
    expect(program.output()).not.toContain('EPIPE')
  })

  test('a key that reaches it twice is one signal', async () => {
    const program = ingot.start(['serve', built()])
    const port = await program.port()
    const slow = get(port, '/slow')
    await sleep(200)
    // A terminal sends the signal to all of its processes, and the parent process may forward it, so it arrives several times.
    for (let times = 0; times < 3; times++) program.child.kill('SIGINT')
    await sleep(50)
    program.child.kill('SIGINT')
    expect(await slow).toBe('slow')
    expect(await program.exitCode).toBe(0)
    expect(program.output()).toContain('"msg":"stopped the server"')
  })

  test('a second key ends it at once, and says what that means', async () => {
    const program = ingot.start(['serve', built()], { INGOT_ENV: 'development' })
    const port = await program.port()
    const hung = get(port, '/hang').catch(() => 'cut off')
    await sleep(200)
    program.child.kill('SIGINT')
    await program.waitForOutput('press Ctrl-C again to end at once')
    // The signals of one key may be this far apart.
    const repeat = setInterval(() => program.child.kill('SIGINT'), 50)
    expect(await program.exitCode).toBe(1)
    clearInterval(repeat)
    expect(await hung).toBe('cut off')
    expect(program.output()).toContain('ended at once: open requests and jobs were cut off')
  })
})

describe('bad input ends with one sentence and code 2', () => {
  const told = async (argv: string[], variables: Record<string, string> = {}): Promise<string> => {
    const program = ingot.start(argv, variables)
    expect(await program.exitCode).toBe(2)
    const lines = program.output().trim().split('\n')
    expect(lines).toHaveLength(1)
    return lines[0] ?? ''
  }

  test('a port in use', async () => {
    const other = createServer()
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const { port } = other.address() as { port: number }
    expect(await told(['serve', built(), '--port', String(port)])).toContain(`Port ${port} is in use`)
    await new Promise((done) => other.close(done))
  })

  test('a host that is not ours', async () => {
    expect(await told(['serve', built()], { HOST: '203.0.113.7' })).toContain(
      "'203.0.113.7' is not an address of this machine",
    )
  })

  test('a build that does not load', async () => {
    const dir = built()
    writeFileSync(join(dir, '.ingot/site.mjs'), 'syntax error')
    expect(await told(['serve', dir])).toContain('does not load')
  })

  test.each([
    [['serve', '/nowhere'], 'There is no folder'],
    [['serve', folder({})], 'Nothing is built'],
    [['serve', '.', '--prot', '1'], "has no option '--prot'"],
    [['serve', '.', '--port'], 'needs a value'],
    [['serve', '.', '--port', 'abc'], "PORT cannot be 'abc'"],
    [['serve', '.', '--env', 'prod'], 'development, staging or production'],
    [['serve', '.', '--workers', '0'], 'from 1 to 64'],
    [['serve', 'a', 'b'], 'takes one folder'],
    [['dev', '/nowhere'], 'There is no folder'],
    [['dev', '.', '--workers=3'], "has no option '--workers'"],
    [['fly'], "no command 'fly'"],
  ])('%j', async (argv, sentence) => {
    expect(await told(argv)).toContain(sentence)
  })

  test('a variable of the environment', async () => {
    expect(await told(['serve', '.'], { INGOT_LOG: 'loud' })).toContain("INGOT_LOG cannot be 'loud'")
  })
})
