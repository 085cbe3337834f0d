/**
 * Measures an editor on a large site: the language server as a process, for many copies of the demo and a partial that 500 pages call.
 * Measures the time until the open file is diagnosed, until a completion arrives, and until the whole site is diagnosed; the time after a
 * keystroke; and the memory at the end.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node'
import { type Client, clientOver } from '../compiler/tools/service/client.ts'
import { manyDemos } from './many-demos.ts'
import { median } from './measure.ts'
import { bin } from './serving.ts'
import { printTable } from './table.ts'

const LIQUID_FILES = 2_700
const CALLERS = 500
const KEYSTROKES = 100
/** Milliseconds between two keystrokes. */
const PAUSE = 150
/** Milliseconds until the server has released the memory that it no longer needs. */
const UNTIL_RESTED = 7_000

const SHARED = 'app/views/partials/bench/shared.liquid'
const OPEN = 'app/views/pages/bench/open.liquid'
const WRONG = 'app/views/pages/zz_wrong.liquid'
const WRONG_TEXT = "---\nslug: zz\n---\n{% render 'bench/shared', title: 'x', wrong: 1 %}\n"
const shared = (more: string) =>
  `{% doc %}\n  @param {string} title - of the page\n${more}{% enddoc %}\n<h2>{{ title }}</h2>\n`
const open = (more: string) => `---\nslug: bench/open\n---\n{% render 'bench/shared', title: 'x' %}\n${more}\n`

const root = mkdtempSync(join(tmpdir(), 'ingot-editor-'))
try {
  await report()
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function report(): Promise<void> {
  const files = await manyDemos(LIQUID_FILES - CALLERS)
  for (const { path, text } of files) write(path, text)
  for (let n = 0; n < CALLERS; n++)
    write(
      `app/views/pages/bench/p${n}.liquid`,
      `---\nslug: bench/p${n}\n---\n<p>{{ context.params.a }}</p>\n{% render 'bench/shared', title: 'page ${n}' %}\n`,
    )
  write(SHARED, shared(''))
  write(OPEN, open(''))
  write(WRONG, WRONG_TEXT)
  await withServer(measured)
  // A check caches its findings, as an editor does when it is idle.
  spawnSync(process.execPath, [bin, 'check', root], { stdio: 'ignore' })
  await withServer(measuredAgain)
}

async function withServer(act: (child: ChildProcess, started: number) => Promise<void>): Promise<void> {
  const started = performance.now()
  const child = spawn(process.execPath, [bin, 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    await act(child, started)
  } finally {
    child.kill('SIGKILL')
  }
}

/**
 * Measures the time until an opened file is diagnosed, if an earlier process has already checked the site. The file is the same as on disk.
 */
async function measuredAgain(child: ChildProcess, started: number): Promise<void> {
  const client = await clientOf(child)
  client.open(WRONG, WRONG_TEXT)
  await client.diagnostics(WRONG, (found) => found.length > 0)
  const first = performance.now() - started
  await client.end()
  console.log(
    `start to the first diagnostics of a site that an earlier process has seen: ${first.toFixed(0)} ms (goal: 500 ms)`,
  )
}

function clientOf({ stdin, stdout }: ChildProcess): Promise<Client> {
  return clientOver(root, createProtocolConnection(new StreamMessageReader(stdout!), new StreamMessageWriter(stdin!)))
}

async function measured(child: ChildProcess, started: number): Promise<void> {
  const since = (): number => performance.now() - started
  const client = await clientOf(child)
  client.open(OPEN, open('{{ 1 | upcas }}'))
  await client.diagnostics(OPEN, (found) => found.length > 0)
  const first = since()
  const completing = performance.now()
  await complete(client, OPEN, 4, 8)
  const firstCompletion = performance.now() - completing
  await client.diagnostics(WRONG, (found) => found.length > 0)
  const whole = since()
  const keys: number[] = []
  const completions: number[] = []
  for (let n = 0; n < KEYSTROKES; n++) {
    keys.push(await keystroke(client, OPEN, open(`{{ ${n} | upcas${n} }}`), `upcas${n}`))
    const begun = performance.now()
    await complete(client, OPEN, 4, 8)
    completions.push(performance.now() - begun)
    await sleep(PAUSE)
  }
  client.open(SHARED, shared(''))
  const signature: number[] = []
  for (let n = 0; n < KEYSTROKES / 2; n++) {
    const text = `${shared(`  @param {string} more${n} - more\n`)}{{ more${n} | wrong${n} }}\n`
    signature.push(await keystroke(client, SHARED, text, `wrong${n}`))
    await sleep(PAUSE)
  }
  const memory = memoryOf(child)
  await sleep(UNTIL_RESTED)
  const rested = memoryOf(child)
  await client.end()
  console.log(`${LIQUID_FILES} Liquid files, the language server as a process`)
  const row = (what: string, times: readonly number[], bar: string) => [
    what,
    `${median(times).toFixed(0)} ms`,
    `${p99(times).toFixed(0)} ms`,
    `${Math.max(...times).toFixed(0)} ms`,
    bar,
  ]
  printTable(
    ['what', 'median', 'p99', 'at worst', 'goal'],
    [
      row('start to the first diagnostics of the open file', [first], '1,500 ms'),
      row('a completion right after it', [firstCompletion], '100 ms'),
      row('start to all of the site', [whole], '6,000 ms'),
      row(`a keystroke to its diagnostics, of ${KEYSTROKES}`, keys, '50 ms'),
      row(`a change of the parameters of a partial with ${CALLERS} callers`, signature, '50 ms'),
      row('a completion', completions, '20 ms'),
    ],
  )
  console.log(
    `memory after the last keystroke: ${memory.toFixed(0)} MB; ${UNTIL_RESTED / 1000} s later: ${rested.toFixed(0)} MB (goal: 250 MB)`,
  )
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1]!
}

/** Returns the milliseconds until the diagnostic that mentions `name` arrives after the text was changed. */
async function keystroke(client: Client, path: string, text: string, name: string): Promise<number> {
  const begun = performance.now()
  client.change(path, text)
  await client.diagnostics(path, (found) => found.some(({ message }) => JSON.stringify(message).includes(name)))
  return performance.now() - begun
}

async function complete(client: Client, path: string, line: number, character: number): Promise<void> {
  const found: unknown = await client.connection.sendRequest('textDocument/completion', {
    textDocument: { uri: client.uri(path) },
    position: { line, character },
  })
  if (found === null) throw new Error('nothing was offered')
}

function memoryOf({ pid = 0 }: ChildProcess): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

function write(path: string, text: string): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
