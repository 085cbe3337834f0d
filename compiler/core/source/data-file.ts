/** A file of data, JSON or YAML: the values that templates are given. */
import { readFile, stat } from 'node:fs/promises'
import { lineStarts, position } from './file.ts'
import { readYaml, toValue } from './yaml.ts'
import { isRecord } from './records.ts'

/** Bytes of the largest file that is read. */
const LARGEST = 16 * 1024 * 1024

/** What is wrong with a file of data, in a sentence. */
export class DataFileError extends Error {}

/** The values by their names. @throws DataFileError where the file has none @throws Error of the file system */
export async function readData(path: string): Promise<Readonly<Record<string, unknown>>> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new DataFileError(`There is no file '${path}': give a file of JSON or YAML.`)
    throw Object.assign(error, { path })
  })
  if (!info.isFile()) throw new DataFileError(`'${path}' is no file: give a file of JSON or YAML.`)
  if (info.size > LARGEST) throw new DataFileError(`'${path}' is larger than 16 MB: give a part of the data.`)
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  const value = path.endsWith('.json') ? fromJson(path, text) : fromYaml(path, text)
  if (!isRecord(value))
    throw new DataFileError(`'${path}' holds no names: write one object, whose keys are the variables.`)
  return value
}

function fromJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // It shows the text around the place.
    throw new DataFileError(`'${path}' is no JSON: ${error.message.replace(/\s+/g, ' ')}.`)
  }
}

function fromYaml(path: string, text: string): unknown {
  const { tree, problems } = readYaml(text, path, 0)
  const problem = problems.find(({ kind }) => kind === 'syntax' || kind === 'bare-liquid')
  if (tree === null && problem !== undefined) {
    const what = problem.kind === 'syntax' ? problem.message : 'Liquid stands without quotes'
    throw new DataFileError(`'${path}'${placeIn(text, problem.span.start)}: this is no YAML, ${what}; mend it.`)
  }
  return toValue(tree)
}

function placeIn(text: string, offset: number): string {
  const { line, column } = position(lineStarts(text), offset)
  return `, line ${line}, column ${column}`
}
