/** Reads files of JSON that people write by hand: a wrong one is told with its place. */
import { readFile } from 'node:fs/promises'
import type * as z from 'zod'
import { codeOf } from '../../core/error-code.ts'
import { StartError } from '../../core/start-error.ts'

/** Bytes of the largest such file. */
const LARGEST = 1_048_576

/**
 * What a file holds; null where there is none.
 * @param shown how messages name the file
 * @throws StartError where it cannot be read, is no JSON, or is of another form
 */
export async function readJsonFile<T>(path: string, shown: string, form: z.ZodType<T>): Promise<T | null> {
  const text = await textOf(path, shown)
  return text === null ? null : parseJson(text, shown, form)
}

/** What a text of JSON holds. @throws StartError where it is no JSON, or of another form */
export function parseJson<T>(text: string, shown: string, form: z.ZodType<T>): T {
  let value: unknown
  try {
    // A byte order mark is what some editors begin a file with.
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new StartError(`'${shown}' is not JSON${placeOf(text, error)}.`)
  }
  const read = form.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = (issue?.path ?? []).map(String).join('.')
  throw new StartError(`'${shown}' cannot be used: ${path === '' ? '' : `${path}: `}${issue?.message ?? 'wrong form'}.`)
}

async function textOf(path: string, shown: string): Promise<string | null> {
  try {
    const bytes = await readFile(path)
    if (bytes.length > LARGEST) throw new StartError(`'${shown}' has more than ${LARGEST} bytes.`)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof StartError) throw error
    if (error instanceof TypeError) throw new StartError(`'${shown}' is not UTF-8 text.`)
    if (codeOf(error) === 'ENOENT') return null
    throw new StartError(`'${shown}' cannot be read (${error instanceof Error ? error.message : String(error)}).`)
  }
}

/** ` (line 3, column 5)`, or nothing where the engine does not tell. */
function placeOf(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const [, position] = /at position (\d+)/.exec(message) ?? []
  // What ends too early is told without a position.
  const at = position === undefined ? (/end of JSON/.test(message) ? text.length : null) : Number(position)
  if (at === null) return ''
  const lines = text.slice(0, at).split('\n')
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`
}
