/** `ingot data export|import|update|clean URL|ENV`: the data of a site on another server. */
import { createInterface } from 'node:readline/promises'
import { readCommandLine } from '../core/command-line.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { createClient } from '../tools/remote/client.ts'
import { type DataArguments, runData } from '../tools/remote/data.ts'
import { createTerminalOutput } from '../tools/remote/output.ts'
import { findServer, meansServer } from '../tools/remote/target.ts'

const OPTIONS = {
  export: { switches: ['raw-ids'], values: ['format', 'out'] },
  import: { switches: ['raw-ids'], values: [] },
  update: { switches: [], values: [] },
  clean: { switches: ['include-schema'], values: ['confirm'] },
} as const
const VERBS = ['export', 'import', 'update', 'clean'] as const

/**
 * Runs the command if its arguments name a server.
 * @param args the arguments after `data`
 * @returns the exit code: 1 when it failed; null when the arguments name a folder instead
 * @throws StartError
 */
export async function remoteDataCommand(
  args: readonly string[],
  settings: Settings,
  version: string,
): Promise<number | null> {
  const [first, word = ''] = args
  const verb = VERBS.find((each) => each === first)
  if (verb === undefined) return null
  const options = { dir: '.', remote: settings.remote }
  // `export` and `import` also exist for folders.
  const isRemote = verb === 'update' || verb === 'clean' || (isWord(word) && (await meansServer(word, options)))
  if (!isRemote) return null
  const line = readDataLine(verb, args.slice(1))
  const server = await findServer(line.server, options)
  return runData(line, createClient(server, version), createTerminalOutput(), askUser)
}

function isWord(text: string): boolean {
  return text !== '' && !text.startsWith('-')
}

/**
 * Parses the arguments after `ingot data VERB`.
 * @throws StartError
 * @internal Exported for tests.
 */
export function readDataLine(verb: keyof typeof OPTIONS, args: readonly string[]): DataArguments {
  const line = readCommandLine(`ingot data ${verb}`, args, OPTIONS[verb])
  const [server = null, file, extraArgument] = line.words
  const unexpected = verb === 'import' || verb === 'update' ? extraArgument : file
  if (unexpected !== undefined)
    throw new StartError(
      `\`ingot data ${verb}\` does not take '${unexpected}' after the server${verb === 'import' || verb === 'update' ? ' and the file' : ''}.`,
    )
  if (verb === 'clean') return { verb, server, schema: line.has('include-schema'), confirmation: line.value('confirm') }
  if (verb === 'export') {
    const format = line.value('format') ?? 'json'
    if (format !== 'json' && format !== 'csv') throw new StartError(`There is no format '${format}': give json or csv.`)
    const csv = format === 'csv'
    const out = line.value('out') ?? (csv ? 'data.zip' : '-')
    if (csv && out === '-') throw new StartError('CSV is exported as an archive: name a file with --out=data.zip.')
    return { verb, server, out, csv, rawIds: line.has('raw-ids') }
  }
  if (file === undefined)
    throw new StartError(`\`ingot data ${verb}\` needs a server and a file: ingot data ${verb} staging data.json`)
  return verb === 'update' ? { verb, server, file } : { verb, server, file, rawIds: line.has('raw-ids') }
}

/** Asks the user on the terminal; returns null when standard input is not a terminal. */
async function askUser(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Ending the input, or interrupting, counts as no answer.
  const closed = new Promise<null>((resolve) => lines.once('close', () => resolve(null)))
  try {
    const answer = await Promise.race([lines.question(question).catch(() => null), closed])
    if (answer === null) process.stderr.write('\n')
    return answer ?? ''
  } finally {
    lines.close()
  }
}
