// Saves what the benchmarks print for the page of the reference about performance: `npm run bench -- --write`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

/** The file that the page is generated from, relative to the project's folder. */
const FIGURES = 'compiler/tools/docs/figures.generated.json'

/** Returns the state of the machine before a benchmark begins. */
export function machine() {
  const [first] = cpus()
  return {
    processor: first?.model.replace(/\s+/g, ' ').trim() || process.arch,
    cores: cpus().length,
    node: process.versions.node,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}

/**
 * Replaces the saved tables of one benchmark with the new ones.
 * @param {string} root the project's folder
 * @param {string} name name of the benchmark
 * @param {string} source path of the benchmark's source, whose first comment describes it
 * @param {ReturnType<typeof machine>} before
 * @param {string} printed path of the file with the printed tables, one line of JSON each
 */
export function keepFigures(root, name, source, before, printed) {
  if (!existsSync(printed)) return
  const path = `${root}/${FIGURES}`
  /** @type {{ name: string }[]} */
  const known = JSON.parse(readFileSync(path, 'utf8'))
  const [, comment = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(source, 'utf8')) ?? []
  const description = comment
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
  const tables = readFileSync(printed, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const fresh = { name, description, day: new Date().toISOString().slice(0, 10), machine: before, tables }
  const all = [...known.filter((each) => each.name !== name), fresh]
  all.sort((one, other) => (one.name < other.name ? -1 : 1))
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`)
}
