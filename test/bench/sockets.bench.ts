/**
 * Measures WebSockets: the time from a message to its subscribers, with many sockets on one process, and on several; lost and repeated
 * messages; and the memory of a connection.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { withCluster } from './cluster.ts'
import { bin, build, started, write } from './serving.ts'
import { printTable } from './table.ts'

const ROOMS = 10
/** Messages a second of all sockets together, and the seconds for which they are sent. */
const RATE = 100
const SECONDS = 10

const SITE = {
  'app/views/pages/index.liquid': '---\nlayout: ""\n---\n{{ context.authenticity_token }}',
  'app/views/partials/channels/chat/subscribed.liquid': 'true',
  'app/views/partials/channels/chat/receive.liquid': '{% if context.params.text == blank %}false{% endif %}',
}

interface Socket {
  readonly socket: WebSocket
  readonly room: number
  readonly received: number[]
}

interface Figures {
  readonly times: readonly number[]
  readonly lost: number
  readonly repeated: number
}

await withCluster('64MB', async (url, home) => {
  const site = join(home, 'site')
  await write(site, SITE)
  build(site)
  const rows: string[][] = []
  for (const [workers, count] of [
    [1, 1_000],
    [3, 1_000],
  ] as const) {
    const { times, lost, repeated } = await withServer(url, site, workers, async (address) => {
      const sockets = await connect(address, count)
      const figures = await send(sockets)
      for (const { socket } of sockets) socket.terminate()
      return figures
    })
    const share = (of: number): string => `${(times[Math.floor(times.length * of)] ?? 0).toFixed(1)} ms`
    rows.push([
      `${count} on ${workers}`,
      share(0.5),
      share(0.99),
      share(1 - 1 / times.length),
      `${lost}`,
      `${repeated}`,
    ])
  }
  console.log(`sockets: ${ROOMS} rooms, ${RATE} messages a second (bar: p99 at most 50 ms, nothing lost or repeated)`)
  printTable(['sockets on processes', 'p50', 'p99', 'largest', 'lost', 'repeated'], rows)
  const memory = await withServer(url, site, 1, async (address, pid) => {
    const few = await connect(address, 1_000)
    await sleep(5_000)
    const before = residentMemory(pid)
    const more = await connect(address, 4_000)
    await sleep(5_000)
    const after = residentMemory(pid)
    for (const { socket } of [...few, ...more]) socket.terminate()
    return (after - before) / 4_000
  })
  console.log('memory of a connection (bar: at most 40 kB)')
  printTable(['resident, 5,000 minus 1,000 sockets'], [[`${memory.toFixed(1)} kB`]])
})

async function withServer<Result>(
  url: string,
  site: string,
  workers: number,
  measure: (address: string, pid: number) => Promise<Result>,
): Promise<Result> {
  const env = {
    DATABASE_URL: url,
    INGOT_WORKERS: String(workers),
    INGOT_JOB_THREADS: '0',
    INGOT_LOG: 'warn',
    INGOT_ENV: 'production',
  }
  const server = await started([bin, 'serve', site], env, '/')
  try {
    return await measure(server.url, workerOf(server.pid))
  } finally {
    await server.stop()
  }
}

/** Opens sockets, and waits until each has subscribed to its room. */
async function connect(address: string, count: number): Promise<readonly Socket[]> {
  const page = await fetch(address)
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const token = (await page.text()).trim()
  const sockets: Socket[] = []
  const confirmed: Promise<void>[] = []
  for (let at = 0; at < count; at++) {
    const url = `${address.replace('http', 'ws')}/websocket?authenticity_token=${token}`
    const socket = new WebSocket(url, 'actioncable-v1-json', { headers: { cookie } })
    const one: Socket = { socket, room: at % ROOMS, received: [] }
    sockets.push(one)
    confirmed.push(subscribed(one))
    if (at % 50 === 49) await Promise.all(confirmed.splice(0))
  }
  await Promise.all(confirmed)
  return sockets
}

function identifierOf(room: number): string {
  return JSON.stringify({ channel: 'chat', room_id: room })
}

function subscribed({ socket, room }: Socket): Promise<void> {
  return new Promise((done, fail) => {
    socket.on('error', fail)
    socket.on('open', () => socket.send(JSON.stringify({ command: 'subscribe', identifier: identifierOf(room) })))
    socket.on('message', (data) => {
      if (String(data).includes('"confirm_subscription"')) done()
    })
  })
}

/** Sends messages in turns, and measures when they arrive. */
async function send(sockets: readonly Socket[]): Promise<Figures> {
  const times: number[] = []
  for (const { socket, received } of sockets)
    socket.on('message', (data) => {
      const { message } = JSON.parse(String(data)) as { message?: { n: number; at: number } }
      if (message === undefined || typeof message !== 'object') return
      received.push(message.n)
      times.push(performance.now() - message.at)
    })
  const sent = new Array<number>(ROOMS).fill(0)
  const start = performance.now()
  for (let n = 0; n < RATE * SECONDS; ) {
    for (const due = ((performance.now() - start) / 1_000) * RATE; n < due; n++) {
      const { socket, room } = sockets[n % sockets.length]!
      const data = JSON.stringify({ n, at: performance.now(), text: 'hello' })
      socket.send(JSON.stringify({ command: 'message', identifier: identifierOf(room), data }))
      sent[room]!++
    }
    await sleep(2)
  }
  await sleep(2_000)
  let lost = 0
  let repeated = 0
  for (const { room, received } of sockets) {
    const different = new Set(received).size
    lost += sent[room]! - different
    repeated += received.length - different
  }
  return { times: times.toSorted((a, b) => a - b), lost, repeated }
}

/** Returns the process with the most open files below the server: the one that answers requests. */
function workerOf(server: number): number {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number)
  return children[0] ?? server
}

/** Returns the resident memory of a process in kB. */
function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}
