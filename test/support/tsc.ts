/** Runs the TypeScript compiler in a folder. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** Garbage collection would take a quarter of the time, and most programs fit into memory without it. It begins at this size. */
const MEMORY = { GOGC: 'off', GOMEMLIMIT: '1500MiB' }

/** Returns the lines that the compiler prints: none if there are no errors. @throws Error if it fails without a line */
export async function tsc(folder: string, project = 'tsconfig.json'): Promise<readonly string[]> {
  const checker = spawn(process.execPath, [compiler, '-p', project, '--checkers', '1'], {
    cwd: folder,
    // A package manager's variables would change how packages are found.
    env: { PATH: process.env['PATH'], ...MEMORY },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    checker.on('error', reject)
    checker.on('close', resolve)
  })
  const lines = (await text(checker.stdout)).split('\n').filter((line) => line !== '')
  const status = await ended
  if (status !== 0 && lines.length === 0) throw new Error(`tsc ended with ${status}, and said nothing`)
  return lines
}
