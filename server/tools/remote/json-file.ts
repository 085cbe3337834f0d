/** Reads JSON files that users write. Errors contain their location. */
import { readFile } from 'node:fs/promises'
import type * as z from 'zod'
import { errorCodeOf } from '../../core/error-code.ts'
import { StartError } from '../../core/start-error.ts'

/** Maximum size of a file in bytes. */
const MAX_FILE_BYTES = 1_048_576

/**
 * Reads a JSON file; returns null when it is missing.
 * @param displayName name of the file for messages
 * @throws StartError when it cannot be read, or is invalid
 */
export async function readJsonFile<T>(path: string, displayName: string, form: z.ZodType<T>): Promise<T | null> {
  const text = await readText(path, displayName)
  return text === null ? null : parseJson(text, displayName, form)
}

/** Parses JSON and checks its form. @throws StartError when it is invalid */
function parseJson<T>(text: string, displayName: string, form: z.ZodType<T>): T {
  let value: unknown
  try {
    // Some editors begin a file with a byte order mark.
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new StartError(`'${displayName}' is not valid JSON${formatPlace(text, error)}.`)
  }
  const read = form.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = (issue?.path ?? []).map(String).join('.')
  throw new StartError(
    `'${displayName}' is invalid: ${path === '' ? '' : `${path}: `}${issue?.message ?? 'it has an unexpected format'}.`,
  )
}

async function readText(path: string, displayName: string): Promise<string | null> {
  try {
    const bytes = await readFile(path)
    if (bytes.length > MAX_FILE_BYTES) throw new StartError(`'${displayName}' has more than ${MAX_FILE_BYTES} bytes.`)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof StartError) throw error
    if (error instanceof TypeError) throw new StartError(`'${displayName}' is not UTF-8 text.`)
    if (errorCodeOf(error) === 'ENOENT') return null
    throw new StartError(`'${displayName}' cannot be read (${error instanceof Error ? error.message : String(error)}).`)
  }
}

/** Formats the location of a syntax error, such as ` (line 3, column 5)`; empty when the engine does not report it. */
function formatPlace(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const [, position] = /at position (\d+)/.exec(message) ?? []
  // Errors about an unexpected end have no position.
  const at = position === undefined ? (/end of JSON/.test(message) ? text.length : null) : Number(position)
  if (at === null) return ''
  const lines = text.slice(0, at).split('\n')
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`
}
