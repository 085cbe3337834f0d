/** `ingot data export|import|update|clean URL|ENV`: the data of a site on another server. */
import { createInterface } from 'node:readline/promises'
import { readCommandLine } from '../core/command-line.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { createClient } from '../tools/remote/client.ts'
import { type DataArguments, runData } from '../tools/remote/data.ts'
import { terminal } from '../tools/remote/output.ts'
import { findServer, meansServer } from '../tools/remote/target.ts'

const OPTIONS = {
  export: { switches: ['raw-ids'], values: ['format', 'out'] },
  import: { switches: ['raw-ids'], values: [] },
  update: { switches: [], values: [] },
  clean: { switches: ['include-schema'], values: ['confirm'] },
} as const

/**
 * Runs the command where its line means a server.
 * @param rest the arguments after `data`
 * @returns the exit code: 0 only when it is done; null for a command that works with the site of a folder
 * @throws StartError
 */
export async function remoteDataCommand(
  rest: readonly string[],
  settings: Settings,
  version: string,
): Promise<number | null> {
  const [verb = '', word = ''] = rest
  if (!Object.hasOwn(OPTIONS, verb)) return null
  const options = { dir: '.', remote: settings.remote }
  // The other commands are known for folders too.
  const isRemote = verb === 'update' || verb === 'clean' || (isWord(word) && (await meansServer(word, options)))
  if (!isRemote) return null
  const line = readDataLine(verb as keyof typeof OPTIONS, rest.slice(1))
  const server = await findServer(line.server, options)
  return runData(line, createClient(server, version), terminal(), askUser)
}

function isWord(text: string): boolean {
  return text !== '' && !text.startsWith('-')
}

/**
 * Parses the arguments after `ingot data VERB`.
 * @throws StartError
 */
export function readDataLine(verb: keyof typeof OPTIONS, rest: readonly string[]): DataArguments {
  const line = readCommandLine(`ingot data ${verb}`, rest, OPTIONS[verb])
  const [server = null, file, extra] = line.words
  const most = verb === 'import' || verb === 'update' ? extra : file
  if (most !== undefined) throw new StartError(`\`ingot data ${verb}\` takes no '${most}' beside the server.`)
  if (verb === 'clean') return { verb, server, schema: line.has('include-schema'), confirmation: line.value('confirm') }
  if (verb === 'export') {
    const format = line.value('format') ?? 'json'
    if (format !== 'json' && format !== 'csv')
      throw new StartError(`There is no format '${format}': there are json and csv.`)
    const csv = format === 'csv'
    const out = line.value('out') ?? (csv ? 'data.zip' : '-')
    if (csv && out === '-') throw new StartError('CSV comes as an archive: give a file, --out=data.zip.')
    return { verb, server, out, csv, rawIds: line.has('raw-ids') }
  }
  if (file === undefined)
    throw new StartError(`\`ingot data ${verb}\` needs a server and a file: ingot data ${verb} staging data.json`)
  return verb === 'update' ? { verb, server, file } : { verb, server, file, rawIds: line.has('raw-ids') }
}

async function askUser(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Whoever ends the input, or interrupts, has not answered.
  const none = new Promise<null>((done) => lines.once('close', () => done(null)))
  try {
    const answer = await Promise.race([lines.question(question).catch(() => null), none])
    if (answer === null) process.stderr.write('\n')
    return answer ?? ''
  } finally {
    lines.close()
  }
}
