/** Runs commands of the product in processes that are already started, without the cost of a new process for each command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { type Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** A command that a host runs. */
export interface HostedCommand {
  /** Path of the command's script. */
  readonly bin: string
  readonly args: readonly string[]
  readonly cwd: string
  /** All environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** A text that the host prints after the output of the command. On the standard error, a zero character and the exit code are before it. */
  readonly end: string
}

export interface HostedResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Hosts of this process. The machine has few cores, so more commands would not end earlier. */
const MAX_HOSTS = 2
/** The file descriptor at which a host reads commands. */
const COMMANDS = 3

const PROGRAM = fileURLToPath(new URL('command-host.mjs', import.meta.url))

interface Host {
  readonly child: ChildProcess
  /** Resolves with the exit code of the host itself, which only ends before its commands do if one of them ends it. */
  readonly exit: Promise<number | null>
}

const idle: Host[] = []
const waiting: ((host: Host) => void)[] = []
let started = 0

/** Runs a command to its end. A third command waits for one of the others. */
export async function runHosted(command: Omit<HostedCommand, 'end'>): Promise<HostedResult> {
  const host = await takeHost()
  const { stdout, stderr, stdio } = host.child
  const end = `\0${randomUUID()}\0`
  const printed = Promise.all([readUntil(stdout, end), readUntil(stderr, end)])
  const commands = stdio[COMMANDS]
  if (commands instanceof Writable) commands.write(`${JSON.stringify({ ...command, end })}\n`)
  const [out, errors] = await printed
  const isAlive = out.isWhole && errors.isWhole
  release(host, isAlive)
  if (!isAlive) return { code: await host.exit, out: out.text, err: errors.text }
  const at = errors.text.lastIndexOf('\0')
  return { code: Number(errors.text.slice(at + 1)), out: out.text, err: errors.text.slice(0, at) }
}

function takeHost(): Host | Promise<Host> {
  const free = idle.pop()
  if (free !== undefined) return free
  if (started < MAX_HOSTS) return startHost()
  return new Promise((done) => waiting.push(done))
}

function release(host: Host, isAlive: boolean): void {
  if (!isAlive) started--
  const next = waiting.shift()
  if (next !== undefined) next(isAlive ? host : startHost())
  else if (isAlive) idle.push(host)
}

/** The host ends with this process, because its pipe of commands closes. It does not keep this process alive. */
function startHost(): Host {
  started++
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  child.stdout?.setEncoding('utf8')
  child.stderr?.setEncoding('utf8')
  child.unref()
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref()
  return { child, exit: new Promise((done) => child.once('exit', (code) => done(code))) }
}

/** Returns what the stream prints before the end of the command. `isWhole` is false if the stream closes before. */
function readUntil(
  stream: Readable | null,
  end: string,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  return new Promise((done) => {
    let text = ''
    const finish = (isWhole: boolean): void => {
      stream?.off('data', add).off('close', close)
      done({ text, isWhole })
    }
    const close = (): void => finish(false)
    const add = (part: string): void => {
      text += part
      if (!text.endsWith(end)) return
      text = text.slice(0, -end.length)
      finish(true)
    }
    stream?.on('data', add).on('close', close)
  })
}
