/** Reads the render workloads of `fixtures/bench/workloads`: their files, data and hand-written references. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Data = Readonly<Record<string, unknown>>

export interface Workload {
  readonly name: string
  /** The texts of the templates, by path. */
  readonly files: Readonly<Record<string, string>>
  /** The path of the page to render. */
  readonly entry: string
  readonly data: Data
  /** The reference: a hand-written JavaScript function that returns the page's text. */
  readonly hand: (data: Data) => string
}

/** Pages that print. */
const PRINTING = ['product_list', 'table', 'comments', 'docs_page', 'json_api'] as const
/** Pages that compute: arithmetic through functions, conditions and dates. */
export const COMPUTING = ['invoices', 'departures', 'report', 'baskets'] as const

export const WORKLOADS = [...PRINTING, ...COMPUTING] as const

/** Reads a workload. The working directory must be the project's folder. */
export async function loadWorkload(name: string): Promise<Workload> {
  const folder = resolve('fixtures/bench/workloads', name)
  const files: Record<string, string> = {}
  for (const found of readdirSync(join(folder, 'app'), { recursive: true, withFileTypes: true })) {
    if (!found.isFile()) continue
    const path = join(found.parentPath, found.name)
    files[relative(folder, path)] = readFileSync(path, 'utf8')
  }
  const { entry, default: make } = (await import(pathToFileURL(join(folder, 'data.mjs')).href)) as {
    entry: string
    default: () => Data
  }
  const { default: hand } = (await import(pathToFileURL(join(folder, 'hand.mjs')).href)) as {
    default: (data: Data) => string
  }
  return { name, files, entry, data: make(), hand }
}
