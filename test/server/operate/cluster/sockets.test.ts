/** Tests the sockets of the supervisor: while no worker is ready, a limited number of connections wait. */
import { rmSync, writeFileSync } from 'node:fs'
import { lookup } from 'node:dns/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Supervisor } from '../../../../server/operate/cluster/model.ts'
import { supervise } from '../../../../server/operate/cluster/supervisor.ts'
import { folder } from '../../../support/server/site.ts'

/** A worker that is ready as soon as the file `go` exists. It responds with its process id. */
const WORKER = `
import { createServer } from 'node:http'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
const server = createServer((request, response) => response.end(String(process.pid)))
process.on('message', (message, sent) => {
  if (message.type === 'stop') process.exit(0)
  if (message.type === 'visitor' && sent instanceof Socket) server.emit('connection', sent)
  if (message.type !== 'socket') return
  const listens = message.at === 0 ? server : createServer((...given) => server.emit('request', ...given))
  listens.listen(sent, () => {
    process.send({ type: 'socket', at: message.at }, sent)
    if (message.at === message.count - 1) process.send({ type: 'ready', port: server.address().port, news: null })
  })
})
process.on('disconnect', () => process.exit(0))
setInterval(() => process.send({ type: 'beat' }), 500)
process.send({ type: 'hello' })
while (!existsSync('GO')) await sleep(20)
process.send({ type: 'prepared' })
`

/** Number of workers. The pause before a restart grows with each worker that has died, so only one is used. */
const COUNT = 1

const running: Supervisor[] = []
const others: Server[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop(false)))
  for (const other of others.splice(0)) other.close()
})

interface Started {
  readonly supervisor: Supervisor
  /** The file that lets the workers start. */
  readonly go: string
  /** The lines that the supervisor has logged. */
  readonly lines: string[]
}

function started(listen: { host: string; port: number; waiting?: number }): Started {
  const home = folder({})
  const go = join(home, 'go')
  const exec = join(home, 'worker.mjs')
  writeFileSync(exec, WORKER.replace('GO', go))
  const lines: string[] = []
  const write = (_fields: object, line: string): void => void lines.push(line)
  const group = { name: 'web', exec, count: COUNT, begin: () => [], stopTime: 1_000 }
  const log = { warn: write, error: write }
  const supervisor = supervise({ groups: [group], listen, log, grace: 1_000, silence: 60_000 })
  running.push(supervisor)
  return { supervisor, go, lines }
}

async function portOf(supervisor: Supervisor): Promise<number> {
  const { port } = await supervisor.ready
  if (port === null) throw new Error('it does not listen')
  return port
}

async function allServe(supervisor: Supervisor): Promise<void> {
  await expect.poll(() => supervisor.pids().length, { timeout: 30_000 }).toBe(COUNT)
}

async function killAll(supervisor: Supervisor): Promise<readonly number[]> {
  const killed = supervisor.pids()
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  await expect.poll(() => supervisor.pids().filter((pid) => killed.includes(pid)).length).toBe(0)
  return killed
}

/** Returns everything that is received on a new connection, or the code of the error. */
function visit(port: number, host = '127.0.0.1'): Promise<string> {
  return new Promise((done) => {
    let text = ''
    const socket = connect(port, host, () => socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))
    socket.on('data', (data) => {
      text += String(data)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      text = String(code)
    })
    socket.once('close', () => done(text))
  })
}

/** Starts a server on a free port. */
async function listening(): Promise<{ readonly other: Server; readonly port: number }> {
  const other = createServer()
  const port = await new Promise<number>((done) => {
    other.listen(0, '127.0.0.1', () => done((other.address() as { port: number }).port))
  })
  return { other, port }
}

const OK = /^HTTP\/1\.1 200 OK[^]*\r\n\r\n\d+$/
const UNAVAILABLE = /^HTTP\/1\.1 503 [^]*\r\nRetry-After: \d+\r\n/

test('when all workers die, again and again, connections wait up to the bound, further ones get 503, and none is refused', async () => {
  const { supervisor, go, lines } = started({ host: '127.0.0.1', port: 0, waiting: 3 })
  writeFileSync(go, '')
  const port = await portOf(supervisor)
  for (let time = 1; time <= 3; time++) {
    await allServe(supervisor)
    expect(await visit(port)).toMatch(OK)
    rmSync(go)
    const killed = await killAll(supervisor)
    const visits = Array.from({ length: 10 }, () => visit(port))
    await expect.poll(() => lines.filter((line) => line.startsWith('No worker is ready')).length).toBe(time)
    writeFileSync(go, '')
    const answers = await Promise.all(visits)
    expect(answers.filter((answer) => UNAVAILABLE.test(answer))).toHaveLength(7)
    const answered = answers.filter((answer) => OK.test(answer))
    expect(answered).toHaveLength(3)
    for (const answer of answered) expect(killed).not.toContain(Number(answer.split('\r\n\r\n')[1]))
  }
  // The new workers accept connections again.
  await allServe(supervisor)
  const many = await Promise.all(Array.from({ length: 20 }, () => visit(port)))
  expect(many.filter((answer) => !OK.test(answer))).toEqual([])
})

test('a server that starts does not listen before its first worker is prepared', async () => {
  const { other, port } = await listening()
  await new Promise((done) => other.close(done))
  const { supervisor, go } = started({ host: '127.0.0.1', port })
  expect(await visit(port)).toBe('ECONNREFUSED')
  writeFileSync(go, '')
  expect(await portOf(supervisor)).toBe(port)
  expect(await visit(port)).toMatch(OK)
})

test('localhost stands for all of its addresses, also after every worker was killed', async () => {
  const { supervisor, go } = started({ host: 'localhost', port: 0 })
  writeFileSync(go, '')
  const port = await portOf(supervisor)
  const addresses = new Set((await lookup('localhost', { all: true })).map(({ address }) => address))
  for (const host of addresses) expect(await visit(port, host)).toMatch(OK)
  await killAll(supervisor)
  for (const host of addresses) expect(await visit(port, host)).toMatch(OK)
})

test('a port in use ends the start with a sentence', async () => {
  const { other, port } = await listening()
  others.push(other)
  const { supervisor, go } = started({ host: '127.0.0.1', port })
  writeFileSync(go, '')
  await expect(supervisor.ready).rejects.toThrow(`Port ${port} is in use already`)
})

test('after a stop nobody listens, and connections that wait for a worker are answered', async () => {
  const { supervisor, go, lines } = started({ host: '127.0.0.1', port: 0, waiting: 1 })
  writeFileSync(go, '')
  const port = await portOf(supervisor)
  rmSync(go)
  await killAll(supervisor)
  const waits = visit(port)
  const last = visit(port)
  // The second connection exceeds the limit.
  await expect.poll(() => lines.length).toBeGreaterThan(1)
  await supervisor.stop(false)
  expect(await waits).toMatch(UNAVAILABLE)
  expect(await last).toMatch(UNAVAILABLE)
  expect(await visit(port)).toBe('ECONNREFUSED')
})
