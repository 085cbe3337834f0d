/** `ingot docs`: serves the reference of the language, or writes it into a folder. */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { referenceFiles, writtenFiles } from '../tools/docs/reference.ts'
import { referenceServer } from '../tools/docs/serve.ts'
import { isReplaceable, writeReference } from '../tools/docs/write.ts'
import { errorCode } from '../core/source/error-code.ts'

/** Differs from the default port of `ingot dev`. */
const PORT = 3030

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use: choose another one with --port',
  EACCES: 'may not be opened by this user: choose one above 1023 with --port',
  EADDRNOTAVAIL: 'is not an address of this machine: choose another --host',
  ENOTFOUND: 'is unknown: choose another --host',
}

/**
 * Runs the command. The server runs until a signal ends it.
 * @param args arguments after `docs`
 * @returns the exit code
 * @throws Error of the argument parser, or of the file system
 */
export async function docs(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { out: { type: 'string' }, port: { type: 'string' }, host: { type: 'string', default: 'localhost' } },
  })
  if (values.out !== undefined) return write(values.out)
  const named = process.env['PORT'] === '' ? undefined : process.env['PORT']
  const port = Number(values.port ?? named ?? PORT)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return refuse(
      `The ${values.port === undefined ? 'variable PORT' : 'option --port'} needs a number from 0 to 65535.`,
    )
  }
  return serve(values.host, port)
}

async function write(dir: string): Promise<number> {
  if (!(await isReplaceable(dir))) {
    return refuse(`'${dir}' holds other files: give --out a new or empty folder, or one of an earlier \`ingot docs\`.`)
  }
  const files = await writtenFiles()
  await writeReference(dir, files)
  process.stdout.write(`Wrote ${files.size} files into ${dir}: open ${dir}/index.html.\n`)
  return 0
}

async function serve(host: string, port: number): Promise<number> {
  const server = referenceServer(await referenceFiles())
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = errorCode(error) ?? ''
    const message = error instanceof Error ? error.message : String(error)
    const problem = code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' ? `The host '${host}'` : `Port ${port}`
    return refuse(
      LISTEN_ERRORS[code] === undefined
        ? `The reference cannot be served: ${message}.`
        : `${problem} ${LISTEN_ERRORS[code]}.`,
    )
  }
  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  process.stdout.write(`The reference is at http://${host.includes(':') ? `[${host}]` : host}:${boundPort}\n`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  server.close()
  server.closeAllConnections()
  return 0
}

function refuse(sentence: string): number {
  process.stderr.write(`${sentence}\n`)
  return 2
}
