// Runs commands of the product in one process, one after another. `command-hosts.ts` starts it and sends the commands. A started process with
// loaded bundles runs a command in a fraction of the time that a new process needs.
//
// Each command has its own arguments, folder, environment variables and file mode. As for a command that was started by itself, there is no
// terminal and no IPC channel: commands arrive as lines of JSON at the file descriptor 3.
import { createReadStream } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/** Signals and events for which commands add listeners. */
const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit', 'unhandledRejection', 'uncaughtException']

const { stackTraceLimit } = Error
const startUmask = process.umask()
let runs = 0

// A command lowers the priority of its process for ever.
os.setPriority = () => undefined
syncBuiltinESMExports()

/**
 * Runs a command to its end.
 * @param {import('./command-hosts.ts').HostedCommand} command
 * @returns {Promise<number>} the exit code
 */
async function run({ bin, args, cwd, env }) {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.argv = [process.execPath, bin, ...args]
  const release = rememberListeners()
  try {
    // Another URL for each run, because the script runs when it is imported.
    await import(`${pathToFileURL(bin).href}?${++runs}`)
    return Number(process.exitCode ?? 0)
  } finally {
    release()
    process.exitCode = undefined
    process.umask(startUmask)
    process.chdir('/')
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Returns a function that removes the listeners that were added since. Listeners for the end of the process are called first. */
function rememberListeners() {
  /** @type {{ emitter: NodeJS.EventEmitter, event: string }[]} */
  const emitters = [
    ...EVENTS.map((event) => ({ emitter: process, event })),
    ...[process.stdout, process.stderr].map((emitter) => ({ emitter, event: 'error' })),
  ]
  const known = emitters.map(({ emitter, event }) => emitter.rawListeners(event))
  return () => {
    for (const [at, { emitter, event }] of emitters.entries()) {
      for (const listener of emitter.rawListeners(event)) {
        if (known[at]?.includes(listener)) continue
        if (event === 'exit') listener.call(process, 0)
        emitter.removeListener(event, /** @type {() => void} */ (listener))
      }
    }
  }
}

const lines = createInterface({ input: createReadStream('', { fd: 3 }) })
lines.on('line', async (line) => {
  /** @type {import('./command-hosts.ts').HostedCommand} */
  const command = JSON.parse(line)
  const code = await run(command)
  process.stdout.write(command.end)
  process.stderr.write(`\0${code}${command.end}`)
})
lines.on('close', () => process.exit())
