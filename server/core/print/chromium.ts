/**
 * A Chromium process without a network. It is controlled over a pipe, so that no other program can connect to it, and it ends when the pipe
 * closes, even when this process is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { ownMark } from '../leftovers.ts'
import { PrintFailure } from './model.ts'
import { Connection } from './protocol.ts'

export interface ChromiumOptions {
  /** Path of the program. */
  readonly program: string
  /** Megabytes that the scripts of a document may use. */
  readonly memory: number
  /** Whether Chromium's own sandbox isolates documents from the machine. */
  readonly sandbox: boolean
}

export interface Chromium {
  readonly connection: Connection
  /** Whether the process runs. */
  isRunning(): boolean
  /** Calls back when the process has ended. */
  onEnd(callback: () => void): void
  /** Kills the process and its child processes. Resolves when its files are removed. */
  kill(): Promise<void>
}

/** Milliseconds. */
const START_TIMEOUT = 20_000
/** Beginning of the names of profile folders. */
export const PROFILE_PREFIX = 'ingot-print-'

/**
 * The user and group of Chromium when root starts it: an account that owns no files and runs no other programs. Chromium's sandbox does
 * not work for root.
 */
const UNPRIVILEGED = { uid: 65_533, gid: 65_533 } as const

/**
 * Arguments that leave Chromium without a network: every host name and address is unknown, also those of this machine, and every connection
 * would have to use a proxy with such a name. WebRTC may only use that proxy.
 */
const NO_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://no-network.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Names of this machine for WebRTC would be announced to the local network.
  '--disable-features=WebRtcHideLocalIpsWithMdns',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
]

/** Arguments that turn off what printing does not need. */
const PLAIN = [
  '--headless',
  '--remote-debugging-pipe',
  '--block-new-web-contents',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-gpu',
  '--disable-notifications',
  '--disable-speech-api',
  '--disable-sync',
  '--font-render-hinting=none',
  '--hide-scrollbars',
  '--metrics-recording-only',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--password-store=basic',
  '--use-mock-keychain',
]

/** What Chromium says when its sandbox cannot work. */
const NO_SANDBOX = /No usable sandbox|without --no-sandbox|Failed to move to new namespace|SUID sandbox/i

/** Variables that Chromium gets. The others may contain secrets. */
const VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'SystemRoot', 'TEMP']

/**
 * Starts Chromium.
 * @throws PrintFailure when it does not start
 */
export async function startChromium(options: ChromiumOptions): Promise<Chromium> {
  const isRoot = process.getuid?.() === 0
  try {
    return await start(options, isRoot)
  } catch (error) {
    // In some containers, even root cannot use other accounts.
    if (!isRoot || options.sandbox || !(error instanceof PrintFailure) || error.reason !== 'unavailable') throw error
    return start(options, false)
  }
}

async function start({ program, memory, sandbox }: ChromiumOptions, otherUser: boolean): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), `${PROFILE_PREFIX}${ownMark()}-`))
  // The folder of temporary files keeps what cannot be removed. The next start removes folders of ended processes.
  const remove = (): Promise<void> =>
    rm(profile, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  try {
    if (otherUser) await chown(profile, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
    const env = Object.fromEntries(VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
    const child = spawn(
      program,
      [
        ...PLAIN,
        ...NO_NETWORK,
        ...(sandbox ? [] : ['--no-sandbox']),
        `--js-flags=--max-old-space-size=${memory}`,
        `--user-data-dir=${profile}`,
      ],
      {
        // Its own process group, so that all of its processes can be killed.
        detached: process.platform !== 'win32',
        env: { ...env, HOME: profile, TMPDIR: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
        ...(otherUser && UNPRIVILEGED),
      },
    )
    return await whenStarted(child, sandbox, remove)
  } catch (error) {
    await remove()
    throw error instanceof PrintFailure ? error : startFailure(error instanceof Error ? error.message : String(error))
  }
}

/** Waits until Chromium answers. @throws PrintFailure */
async function whenStarted(child: ChildProcess, sandbox: boolean, remove: () => Promise<void>): Promise<Chromium> {
  let said = ''
  child.stderr?.on('data', (data: Buffer) => {
    if (said.length < 10_000) said += data.toString()
  })
  let isRunning = true
  const callbacks: (() => void)[] = []
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`))
  })
  const kill = async (): Promise<void> => {
    if (child.pid !== undefined) killGroup(child)
    await ended
    await remove()
  }
  // The types do not know the streams after the first three.
  const [, , , input, output] = child.stdio as unknown as [null, null, Readable, Writable, Readable]
  const connection = new Connection(input, output)
  void ended.then(() => {
    isRunning = false
    connection.close()
    for (const callback of callbacks) callback()
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`it does not answer within ${START_TIMEOUT / 1000} s`), START_TIMEOUT)
  })
  const answered = connection.browser.send('Browser.getVersion').then(
    () => null,
    () => ended,
  )
  const problem = await Promise.race([answered, ended, late])
  clearTimeout(timer)
  if (problem === null) {
    return {
      connection,
      isRunning: () => isRunning,
      onEnd: (callback) => void callbacks.push(callback),
      kill,
    }
  }
  await kill()
  if (sandbox && NO_SANDBOX.test(said))
    throw new PrintFailure(
      'Chromium cannot start its sandbox: allow user namespaces on this machine or in its container, or set INGOT_PDF_SANDBOX to off when everything that is printed can be trusted.',
      'unavailable',
    )
  throw startFailure(`${problem}${said === '' ? '' : `: ${said.trim().split('\n').at(-1)?.slice(0, 300)}`}`)
}

function startFailure(reason: string): PrintFailure {
  return new PrintFailure(
    `Chromium cannot be started (${reason}): install another one, or set INGOT_CHROMIUM to the path of its program.`,
    'unavailable',
  )
}

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The whole group has ended.
  }
}
