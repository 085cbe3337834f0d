/** Reads a JSON or YAML file with the data for templates. */
import { readFile, stat } from 'node:fs/promises'
import { lineStarts, position } from './file.ts'
import { readYaml, toValue } from './yaml.ts'
import { isRecord } from './records.ts'

/** Maximum size of the file in bytes. */
const MAX_BYTES = 16 * 1024 * 1024

/** Describes the problem of a data file in one sentence. */
export class DataFileError extends Error {}

/** Reads the values of a data file by name. @throws DataFileError if the file is not valid @throws Error of the file system */
export async function readData(path: string): Promise<Readonly<Record<string, unknown>>> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new DataFileError(`There is no file '${path}'. Pass the path of a JSON or YAML file.`)
    throw Object.assign(error, { path })
  })
  if (!info.isFile()) throw new DataFileError(`'${path}' is not a file. Pass the path of a JSON or YAML file.`)
  if (info.size > MAX_BYTES) throw new DataFileError(`'${path}' is larger than 16 MB. Pass only part of the data.`)
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  const value = path.endsWith('.json') ? parseJson(path, text) : parseYaml(path, text)
  if (!isRecord(value))
    throw new DataFileError(`'${path}' does not contain an object. Write one object whose keys are the variables.`)
  return value
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The message of `JSON.parse` contains the text around the error, which may have several lines.
    throw new DataFileError(`'${path}' is not valid JSON: ${error.message.replace(/\s+/g, ' ')}.`)
  }
}

function parseYaml(path: string, text: string): unknown {
  const { tree, problems } = readYaml(text, path, 0)
  const problem = problems.find(({ kind }) => kind === 'syntax' || kind === 'bare-liquid')
  if (tree === null && problem !== undefined) {
    const what = problem.kind === 'syntax' ? problem.message : 'Liquid needs quotes'
    throw new DataFileError(`'${path}'${formatPlace(text, problem.span.start)}: this is not valid YAML: ${what}.`)
  }
  return toValue(tree)
}

function formatPlace(text: string, offset: number): string {
  const { line, column } = position(lineStarts(text), offset)
  return `, line ${line}, column ${column}`
}
