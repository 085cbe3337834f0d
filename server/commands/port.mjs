// Checks whether the port of a server is free before anything is installed, built or started, and names the program that uses it. Imports
// only node: modules, because nothing may be installed yet.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename } from 'node:path'

/** The port and the host of a server without settings. */
const DEFAULTS = { port: '3000', host: 'localhost' }
/** The maximum number of following ports that are tried for the advice. */
const MAX_TRIED = 20
/** The maximum length of a command that is shown. */
const MAX_COMMAND = 60

/**
 * Returns one sentence when another program uses the port: which one, and what to do. Returns null when the port is free, or when the
 * settings are invalid, which the command reports itself.
 * @param {readonly string[]} args the arguments of the command, such as `--port 8080`
 * @param {Readonly<Record<string, string | undefined>>} env variables of the process
 * @returns {Promise<string | null>}
 */
export async function portProblem(args, env) {
  const byOption = optionOf(args, 'port')
  const port = Number(byOption ?? env['PORT'] ?? DEFAULTS.port)
  const host = optionOf(args, 'host') ?? env['HOST'] ?? DEFAULTS.host
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || (await isFree(host, port))) return null
  let other = port + 1
  while (other < port + MAX_TRIED && other < 65_535 && !(await isFree(host, other))) other++
  const holder = holderOf(port)
  const who = holder === null ? '' : ` by \`${holder.command}\` (process ${holder.pid})`
  const stop = holder === null ? 'stop the program that listens there' : `stop it with \`kill ${holder.pid}\``
  const start = env['npm_lifecycle_event'] === 'start' ? `\`PORT=${other} npm start\`` : `PORT=${other}`
  const choose = byOption === null ? start : `\`--port ${other}\``
  return `Port ${port} is in use already${who}: ${stop}, or choose another port with ${choose}.`
}

/**
 * Returns the value of an option; null without it.
 * @param {readonly string[]} args
 * @param {string} name
 */
function optionOf(args, name) {
  const at = args.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  const word = args[at]
  if (word === undefined) return null
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : (args[at + 1] ?? null)
}

/**
 * Returns false when another program listens on a port. Other problems of an address are reported by the server.
 * @param {string} host
 * @param {number} port
 */
async function isFree(host, port) {
  // A server on `localhost` listens on both of its addresses.
  for (const address of host === 'localhost' ? ['127.0.0.1', '::1'] : [host])
    if ((await listenError(address, port)) === 'EADDRINUSE') return false
  return true
}

/**
 * Listens for a moment. Resolves to the code of the error; null without one.
 * @param {string} host
 * @param {number} port
 * @returns {Promise<string | null>}
 */
function listenError(host, port) {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error) => done('code' in error ? String(error.code) : null))
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(null)))
  })
}

/**
 * Returns the process that listens on a port; null when this user may not see it. Of several processes that share the port, returns the
 * one that started the others.
 * @param {number} port
 * @returns {{ readonly pid: number, readonly command: string } | null}
 */
function holderOf(port) {
  try {
    return process.platform === 'linux' ? holderOnLinux(port) : holderByLsof(port)
  } catch {
    // The name is only a help. Without it, the sentence says less.
    return null
  }
}

/** @param {number} port */
function holderOnLinux(port) {
  const inodes = new Set()
  const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const table of ['tcp', 'tcp6'])
    for (const line of readFileSync(`/proc/net/${table}`, 'utf8').split('\n')) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      // 0A: the socket listens.
      if (local.endsWith(hex) && state === '0A') inodes.add(`socket:[${inode}]`)
    }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && holdsOneOf(name, inodes))
  const first = pids.find((pid) => !pids.includes(parentOf(pid))) ?? pids[0]
  if (first === undefined) return null
  const [program = '', ...rest] = readFileSync(`/proc/${first}/cmdline`, 'utf8').split('\0').filter(Boolean)
  return { pid: Number(first), command: shown([basename(program), ...rest].join(' ')) }
}

/**
 * @param {string} pid
 * @param {ReadonlySet<string>} inodes
 */
function holdsOneOf(pid, inodes) {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return inodes.has(readlinkSync(`/proc/${pid}/fd/${fd}`))
      } catch {
        // Closed meanwhile.
        return false
      }
    })
  } catch {
    // The process has ended, or belongs to another user.
    return false
  }
}

/** @param {string} pid */
function parentOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in parentheses, may contain spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''
}

/** @param {number} port */
function holderByLsof(port) {
  const { stdout } = spawnSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], { encoding: 'utf8' })
  const [, pid, command] = /^p(\d+)\nc(.*)$/m.exec(stdout) ?? []
  return pid === undefined || command === undefined ? null : { pid: Number(pid), command: shown(command) }
}

/** Shortens a command, and removes what could control the terminal. @param {string} command */
function shown(command) {
  const text = command.replaceAll(/[\p{Cc}\p{Cf}`]/gu, '')
  return text.length <= MAX_COMMAND ? text : `${text.slice(0, MAX_COMMAND - 1)}…`
}
