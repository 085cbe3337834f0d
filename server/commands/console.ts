/** `ingot console`: runs Liquid and GraphQL against the site's own data, line by line, with a history and completion. */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { readCommandLine } from '../core/command-line.ts'
import { StartError } from '../core/start-error.ts'
import { ConsoleSession, type TerminalOutput } from '../tools/terminal/console-session.ts'
import type { Workbench } from '../tools/terminal/workbench.ts'

/** Maximum number of history lines in memory. */
const HISTORY = 1_000

const GREETING = `Liquid, or GraphQL that begins with \`query\`, \`mutation\` or \`{\`. A single value is printed as JSON. Variables are kept.
Press Tab to complete. Type .help for help, .exit (or Ctrl+D) to quit.
`
/** Parses the arguments after `ingot console`. @returns the folder of the site @throws StartError */
export function readConsoleLine(args: readonly string[]): string {
  const [dir = '.', extraArgument] = readCommandLine('ingot console', args, { switches: [], values: [] }).words
  if (extraArgument !== undefined)
    throw new StartError(`\`ingot console\` takes one folder, not '${dir}' and '${extraArgument}'.`)
  return dir
}

/**
 * Runs the command until its input ends.
 * @param historyFile file that keeps the typed lines
 */
export async function runConsole(workbench: Workbench, historyFile: string, output: TerminalOutput): Promise<number> {
  const session = new ConsoleSession(workbench, output)
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  const lines = createInterface({
    input: process.stdin,
    ...(isTerminal && { output: process.stdout, history: readHistory(historyFile), historySize: HISTORY }),
    terminal: isTerminal,
    completer: (line: string, done: (error: Error | null, completions: [string[], string]) => void) => {
      session.complete(line).then(
        ([labels, word]) => done(null, [[...labels], word]),
        () => done(null, [[], line]),
      )
    },
  })
  const prompt = (): void => {
    if (!isTerminal) return
    lines.setPrompt(session.isOpen ? '   ... ' : 'ingot> ')
    lines.prompt()
  }
  if (isTerminal) output.out(GREETING)
  lines.on('SIGINT', () => {
    if (session.isOpen || lines.line !== '') {
      session.abandon()
      process.stdout.write('\n')
      lines.write(null, { ctrl: true, name: 'u' })
      prompt()
    } else lines.close()
  })
  prompt()
  for await (const line of lines) {
    if (isTerminal && line.trim() !== '') appendHistory(historyFile, line)
    const isContinuing = await session.runLine(line).catch((error: unknown) => {
      output.print(`${error instanceof Error ? error.message : String(error)}\n`)
      return true
    })
    if (!isContinuing) break
    prompt()
  }
  lines.close()
  return 0
}

function readHistory(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').slice(-HISTORY).toReversed()
  } catch {
    return []
  }
}

function appendHistory(file: string, line: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
  } catch {
    // The console also works without a history.
  }
}
