/** Prints documents that try to read what is not theirs, or to use up the machine. Each is refused or bounded, and the next one prints. */
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnswerResource, Resource } from '../../../../server/core/print/model.ts'
import { pdfText, readPdf } from '../../../support/pdf.ts'
import { chromium, skipReason, testPrinter, type TestPrinter } from './printers.ts'

const SECRET = 'TOPSECRET'
const BEFORE = '<p>before</p>'

let own: Server
let udp: UdpSocket
let port: number
let udpPort: number
let folder: string
let fileUrl: string
/** For documents that may run out of time, and for all others: a slow machine needs seconds for a normal document. */
let impatient: TestPrinter
let patient: TestPrinter
/** What has reached the own network, which must stay empty. */
const reached: string[] = []
/** Paths that documents have requested from their site. */
const requested: string[] = []

const found = (contentType: string, body: string, headers: Record<string, string> = {}, status = 200): Resource => ({
  status,
  headers: { 'content-type': contentType, ...headers },
  body: Buffer.from(body),
})

/** Answers as the site does: it has a style sheet, some redirects, and a style sheet that never ends. */
const site: AnswerResource = async ({ url }) => {
  const { host, pathname } = new URL(url)
  if (host !== 'site.test') return null
  requested.push(pathname)
  if (pathname === '/ok.css') return found('text/css', 'p { color: red }')
  if (pathname === '/to-file') return found('text/html', '', { location: fileUrl }, 302)
  if (pathname === '/to-own') return found('text/html', '', { location: `http://127.0.0.1:${port}/` }, 302)
  if (pathname === '/frame') return found('text/html', `<p>frame</p><iframe src="http://127.0.0.1:${port}/"></iframe>`)
  if (pathname === '/worker.js') return found('text/javascript', `fetch('http://127.0.0.1:${port}/worker')`)
  if (pathname === '/sw.js') return found('text/javascript', `fetch('http://127.0.0.1:${port}/sw')`)
  // The document is printed when this request has ended, so a script can do something before.
  if (pathname === '/slow') return sleep(1_500).then(() => found('text/plain', 'slow'))
  if (pathname === '/endless.css') return new Promise(() => undefined)
  return found('text/html', 'not found', {}, 404)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-hostile-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'secret.txt')
  writeFileSync(file, SECRET, { mode: 0o644 })
  fileUrl = pathToFileURL(file).href
  own = createServer((request, response) => {
    reached.push(`http ${request.headers.host}${request.url}`)
    response.setHeader('access-control-allow-origin', '*').end(`<p>${SECRET}</p>`)
  })
  own.on('upgrade', (request, socket) => {
    reached.push(`websocket ${request.url}`)
    socket.destroy()
  })
  await new Promise<void>((done) => own.listen(0, done))
  port = (own.address() as AddressInfo).port
  udp = createSocket('udp4')
  udp.on('message', () => reached.push('udp'))
  await new Promise<void>((done) => udp.bind(0, '0.0.0.0', done))
  udpPort = udp.address().port
  impatient = testPrinter({ seconds: 8 })
  patient = testPrinter()
})
afterAll(async () => {
  impatient?.printer.close()
  patient?.printer.close()
  await new Promise((done) => own.close(done))
  udp.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Shows the result of a script in the document. The document waits for it for more than a second. */
const script = (body: string): string =>
  `${BEFORE}<p id=out>waiting</p><script type=module>
    fetch('/slow'); const show = (text) => { out.textContent = 'result:' + text }
    try { ${body} } catch (error) { show('refused') }
  </script>`

interface Hostile {
  readonly name: string
  readonly html: () => string
  /** The result: `printed`, or why the document is refused. */
  readonly result?: string | readonly string[]
  /** Texts in the PDF. */
  readonly has?: readonly string[]
}

const urls = (...hosts: readonly string[]): string =>
  hosts.map((host) => `<iframe src="http://${host}:${port}/"></iframe>`).join('')

const HOSTILE: readonly Hostile[] = [
  {
    name: 'files in images, frames, styles, fonts and objects',
    html: () =>
      `${BEFORE}<img src="${fileUrl}"><iframe src="${fileUrl}"></iframe><link rel=stylesheet href="${fileUrl}"><object data="${fileUrl}"></object>
       <embed src="${fileUrl}"><style>@import "${fileUrl}"; @font-face { font-family: x; src: url("${fileUrl}") } p { background: url("${fileUrl}") }</style>`,
    has: ['before'],
  },
  {
    name: 'a file in fetch',
    html: () => script(`show(await (await fetch(${JSON.stringify(fileUrl)})).text())`),
    has: ['result:refused'],
  },
  {
    name: 'a file in XMLHttpRequest',
    html: () =>
      script(
        `const x = new XMLHttpRequest(); x.open('GET', ${JSON.stringify(fileUrl)}, false); x.send(); show(x.responseText)`,
      ),
    has: ['result:refused'],
  },
  {
    name: 'a base address of a file',
    html: () => `<base href="${fileUrl}">${BEFORE}<iframe src="secret.txt"></iframe><img src="">`,
    has: ['before'],
  },
  {
    name: 'the own network by name and address',
    html: () => `${BEFORE}${urls('127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '0.0.0.0', '10.0.0.1')}`,
    has: ['before'],
  },
  {
    name: 'the own network by other forms of addresses',
    html: () => `${BEFORE}${urls('2130706433', '017700000001', '0x7f.1', '127.1', '[::ffff:127.0.0.1]', 'localhost.')}`,
    has: ['before'],
  },
  {
    name: 'the own network in fetch, images and beacons',
    html: () =>
      script(`new Image().src = 'http://127.0.0.1:${port}/image'; navigator.sendBeacon('http://127.0.0.1:${port}/beacon', 'x')
        show(await (await fetch('http://127.0.0.1:${port}/', { mode: 'no-cors' })).text())`),
    has: ['result:refused'],
  },
  {
    name: 'hints to connect and to load in advance',
    html: () =>
      `<link rel=preconnect href="http://127.0.0.1:${port}"><link rel=dns-prefetch href="http://127.0.0.1:${port}"><link rel=prefetch href="http://127.0.0.1:${port}/p">
       <link rel=preload as=image href="http://127.0.0.1:${port}/q"><link rel=prerender href="http://127.0.0.1:${port}/r">
       <script type=speculationrules>{"prefetch":[{"urls":["http://127.0.0.1:${port}/s"]}],"prerender":[{"urls":["http://127.0.0.1:${port}/t"]}]}</script>${BEFORE}`,
    has: ['before'],
  },
  {
    name: 'a redirect of an own page to a file',
    html: () => `${BEFORE}<iframe src="/to-file"></iframe>`,
    has: ['before'],
  },
  {
    name: 'a redirect of an own page to the own network',
    html: () =>
      `${script(`show(await (await fetch('/to-own', { mode: 'no-cors' })).text())`)}<iframe src="/to-own"></iframe>`,
    has: ['result:refused'],
  },
  { name: 'a frame of an own page', html: () => `${BEFORE}<iframe src="/frame"></iframe>`, has: ['before', 'frame'] },
  { name: 'an endless script', html: () => `${BEFORE}<script>for (;;);</script>`, result: 'time' },
  {
    name: 'an endless script in a worker',
    html: () => `${BEFORE}<script>new Worker(URL.createObjectURL(new Blob(['for (;;);'])))</script>`,
    has: ['before'],
  },
  {
    name: 'an endless script before printing',
    html: () => `${BEFORE}<script>addEventListener('beforeprint', () => { for (;;); })</script>`,
    result: 'time',
  },
  {
    name: 'much memory in the heap of scripts',
    html: () => `${BEFORE}<script>const all = []; for (;;) all.push(new Array(100000).fill(Math.random()))</script>`,
    result: 'memory',
  },
  {
    name: 'much memory in buffers',
    html: () =>
      `${BEFORE}<script>const all = []; for (let i = 0; i < 500; i++) all.push(new Uint8Array(1 << 20).fill(i)); const end = Date.now() + 2000; while (Date.now() < end);</script>`,
    result: 'memory',
  },
  {
    name: 'much memory in blobs',
    html: () =>
      script(
        `const all = []; for (let i = 0; i < 2000; i++) { all.push(new Blob([new Uint8Array(1 << 20).fill(i)])); await all[i].slice(0, 1).text() }; show('done')`,
      ),
    result: ['memory', 'time', 'printed'],
  },
  {
    name: 'a document that grows without end',
    html: () => `${BEFORE}<script>for (;;) document.body.append(document.createElement('div'), 'x')</script>`,
    result: ['memory', 'time'],
  },
  {
    name: 'a document that grows while it is laid out',
    html: () =>
      `${BEFORE}<script>setInterval(() => { for (let i = 0; i < 100; i++) document.body.append(document.body.firstChild.cloneNode(true)) }, 0)</script>`,
    result: ['printed', 'time', 'memory'],
  },
  {
    name: 'other windows',
    html: () =>
      script(
        `const w = window.open('http://127.0.0.1:${port}/open'); const v = window.open('about:blank'); show(w === null && v === null ? 'none' : 'window')`,
      ),
    has: ['result:none'],
  },
  {
    name: 'a refresh',
    html: () => `<meta http-equiv=refresh content="0; url=http://127.0.0.1:${port}/refresh">${BEFORE}`,
    has: ['before'],
  },
  {
    name: 'a refresh to a file',
    html: () => `<meta http-equiv=refresh content="0; url=${fileUrl}">${BEFORE}`,
    has: ['before'],
  },
  {
    name: 'another location',
    html: () => `${BEFORE}<script>location = 'http://127.0.0.1:${port}/location'</script>`,
    has: ['before'],
  },
  {
    name: 'a form',
    html: () =>
      `${BEFORE}<form method=post action="http://127.0.0.1:${port}/form"><input name=a value=b></form><form id=g action="/form"></form><script>document.forms[0].submit(); g.submit()</script>`,
    has: ['before'],
  },
  {
    name: 'a request that changes something',
    html: () => script(`show((await fetch('/post', { method: 'POST', body: 'x' })).status)`),
    has: ['result:refused'],
  },
  {
    name: 'a WebSocket, an event stream and WebTransport',
    html: () =>
      script(`const closed = (s) => new Promise((r) => { s.onerror = () => r('closed'); s.onopen = () => r('open') })
        const a = await closed(new WebSocket('ws://127.0.0.1:${port}/ws'))
        const b = await closed(new EventSource('http://127.0.0.1:${port}/events'))
        show(a + b)`),
    has: ['result:closedclosed'],
  },
  {
    name: 'WebRTC',
    html: () =>
      script(`const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }, { urls: 'turn:127.0.0.1:${port}?transport=tcp', username: 'a', credential: 'b' }] })
        c.createDataChannel('x'); const seen = []; c.onicecandidate = (e) => { if (e.candidate) seen.push(e.candidate.candidate) }
        await c.setLocalDescription(await c.createOffer())
        const d = new RTCPeerConnection(); await d.setRemoteDescription(c.localDescription); await d.setLocalDescription(await d.createAnswer()); await c.setRemoteDescription(d.localDescription)
        await c.addIceCandidate({ candidate: 'candidate:1 1 udp 2122260223 127.0.0.1 ${udpPort} typ host', sdpMid: '0' })
        await new Promise((r) => setTimeout(r, 1000)); show('candidates' + seen.length)`),
    has: ['result:candidates0'],
  },
  {
    name: 'service workers and shared workers',
    html: () =>
      script(`let all = ''
        try { await navigator.serviceWorker.register('/sw.js'); all += 'registered' } catch { all += 'none' }
        new SharedWorker('/worker.js'); new Worker('/worker.js'); await new Promise((r) => setTimeout(r, 500)); show(all)`),
    has: ['result:none'],
  },
  {
    name: 'frames with scripts as addresses',
    html: () =>
      `${BEFORE}<iframe src="javascript:fetch('http://127.0.0.1:${port}/js');'<p>inner</p>'"></iframe><iframe src="data:text/html,<img src='http://127.0.0.1:${port}/data'>"></iframe>`,
    has: ['before'],
  },
  {
    name: 'dialogs',
    html: () =>
      script(
        `addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'x' }); alert('a'); confirm('b'); prompt('c'); window.print(); show('shown')`,
      ),
    has: ['result:shown'],
  },
  {
    name: 'endless dialogs',
    html: () => `${BEFORE}<script>for (;;) alert('again')</script>`,
    result: 'time',
  },
  {
    name: '20,000 pages',
    html: () => '<div style="break-after: page">page</div>'.repeat(20_000),
    result: ['printed', 'time', 'memory'],
  },
  {
    name: 'a page of enormous size',
    html: () => `<style>@page { size: 100000in 100000in }</style>${BEFORE}`,
    result: ['printed', 'broken', 'memory', 'time'],
  },
  {
    name: 'broken HTML',
    html: () =>
      `${BEFORE}<table><tr><div><p>after<script>if (</script><style>p {</style></table></b></i><svg><foreignObject><math>`,
    has: ['before', 'after'],
  },
  {
    name: 'deeply nested HTML',
    html: () => `${'<div>'.repeat(100_000)}deep`,
    result: ['printed', 'time', 'memory', 'broken'],
  },
  {
    name: 'a style sheet that never ends',
    html: () => `<link rel=stylesheet href="/endless.css">${BEFORE}`,
    result: 'time',
  },
  {
    name: 'thousands of requests',
    html: () =>
      script(
        `let n = 0; for (let i = 0; i < 3000; i++) fetch('/ok.css?' + i).then(() => n++, () => 0); await new Promise((r) => setTimeout(r, 800)); show('few' + (n <= 1000))`,
      ),
    has: ['result:fewtrue'],
  },
  {
    name: 'downloads',
    html: () => `${BEFORE}<a id=a download=x.txt href="data:text/plain,x"></a><script>a.click()</script>`,
    has: ['before'],
  },
]

describe.skipIf(chromium === null)(`hostile documents${skipReason}`, () => {
  it.each(HOSTILE)('$name', async ({ html, result = 'printed', has = [] }) => {
    const tested = [result].flat().includes('time') ? impatient : patient
    const printed = await tested.print(html(), site)
    const isPrinted = typeof printed !== 'string'
    const text = isPrinted ? pdfText(printed) : ''
    expect([result].flat()).toContain(isPrinted ? 'printed' : printed)
    if (isPrinted) for (const part of has) expect(text).toContain(part)
    expect(text).not.toContain(SECRET)
    const next = await tested.print('<link rel=stylesheet href="/ok.css"><p>A normal page</p>', site)
    expect(typeof next === 'string' ? next : readPdf(next).map((page) => page.text.trim())).toEqual(['A normal page'])
    expect(reached).toEqual([])
    expect(requested).not.toContain('/form')
    expect(requested).not.toContain('/post')
  })
})
