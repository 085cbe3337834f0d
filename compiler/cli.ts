/** The compiler's commands. Exit codes: 0 clean, 1 errors in the site, 2 the command could not run. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MissingPackage } from '../runtime/page/optional-package.ts'
import { singleArgument } from './commands/arguments.ts'
import { check } from './commands/check/command.ts'
import { UsageError } from './core/usage-error.ts'
import { errorCode } from './core/source/error-code.ts'

/** The path of the `ingot` command, relative to dist/. */
const BIN = '../server/bin.mjs'

/** Returns the names of all diagnostics. */
export async function codes(): Promise<readonly string[]> {
  return (await import('./commands/explain.ts')).codes()
}

export async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv
  try {
    switch (command) {
      case 'check':
        return await check(rest)
      case 'build':
        return await (await import('./commands/build.ts')).build(rest)
      case 'init':
        return await (await import('./commands/init.ts')).init(rest)
      case 'explain':
        return (await import('./commands/explain.ts')).explain(singleArgument(rest, 'explain', 'CODE'))
      case 'docs':
        // Loaded lazily, because only this command needs the texts of the reference.
        return await (await import('./commands/docs.ts')).docs(rest)
      case 'watch':
        return await (await import('./commands/watch.ts')).watch(resolve(singleArgument(rest, 'watch', 'DIR')))
      case 'routes':
        return await (await import('./commands/routes.ts')).routes(rest)
      case 'generate':
        return await (await import('./commands/generate.ts')).generate(rest)
      case 'format':
        return await (await import('./commands/format.ts')).format(rest)
      case 'lsp':
        return await (await import('./commands/lsp.ts')).lsp()
      case 'mcp':
        return await (await import('./commands/mcp.ts')).mcp(rest, fileURLToPath(new URL(BIN, import.meta.url)))
      case 'service':
        return await (await import('./commands/service.ts')).service()
      default:
        throw new UsageError(`The compiler has no command '${command}': see \`ingot --help\`.`)
    }
  } catch (error) {
    return reportFailure(error, command ?? '')
  }
}

/** Reports in one sentence why a command could not run. An unexpected error is a bug and is shown with its stack. */
function reportFailure(error: unknown, command: string): number {
  const code = errorCode(error)
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : 'A file'
  if (error instanceof UsageError || error instanceof MissingPackage) process.stderr.write(`${message}\n`)
  else if (code !== null && SYSTEM_ERRORS[code] !== undefined)
    process.stderr.write(`'${path}' ${SYSTEM_ERRORS[code]}.\n`)
  else if (code?.startsWith('ERR_PARSE_ARGS'))
    process.stderr.write(`${message.split('. ')[0]}: see \`ingot help ${command}\`.\n`)
  else process.stderr.write(`This is a bug in Ingot, please report it:\n${stack ?? message}\n`)
  return 2
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'cannot be read or written: change its permissions',
  EPERM: 'cannot be read or written: change its permissions',
  ENOSPC: 'cannot be written because the disk is full: free some space',
  EROFS: 'cannot be written because the disk is read-only: set another folder with --out',
  EBUSY: 'cannot be replaced because it is in use (a mount, for example): set another folder with --out',
  ENOTDIR: 'is not a folder: give a folder',
  EISDIR: 'is a folder: give a file',
  ENOENT: 'does not exist: check the path',
  ELOOP: 'is a link to itself: remove it',
}
