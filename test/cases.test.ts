/** Runs every `fixtures/cases/**` case: a sentence, a template, and what must come of it. */
import { describe, expect, it } from 'vitest'
import { compile } from '../compiler/compile.ts'
import { moduleText } from '../compiler/emit/emit.ts'
import { createEngine, type Engine, LiquidError } from '../compiler/engine.ts'
import { type Case, readCases, sourceFiles } from './case-file.ts'

const cases = readCases()
const areas = [...new Set(cases.map(({ name }) => name.split('/')[0] ?? ''))]

for (const area of areas) {
  describe(area, () => {
    for (const each of cases.filter(({ name }) => name.startsWith(`${area}/`)))
      it(`${each.name}: ${each.sentence}`, () => run(each))
  })
}

async function run(each: Case): Promise<void> {
  const engines = (each.outputs.length === 0 ? (['html'] as const) : each.outputs.map(({ format }) => format)).map(
    (format) => createEngine({ files: each.files, format, ...each.options }),
  )
  const [engine] = engines
  if (engine === undefined) return
  const found = engine.diagnostics.map(
    ({ file, code, line, column }) => `${code} ${file === each.main ? '' : `${file}:`}${line}:${column}`,
  )
  if (each.diagnostics === null) expect(engine.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  else expect(found).toEqual(each.diagnostics)
  for (const [at, { format, text }] of each.outputs.entries()) {
    expect(await engines[at]?.render(each.main, each.data())).toBe(text)
    await expectElsewhere(each, format, text)
  }
  if (each.error !== null) await expect(failure(engine, each)).resolves.toBe(each.error)
  if (each.emitted.length > 0) expectEmitted(each)
}

/** What prints without an error prints the same in the other error mode, and as bytes. */
async function expectElsewhere(each: Case, format: Case['outputs'][number]['format'], text: string): Promise<void> {
  const options = { files: each.files, format, ...each.options }
  if (each.options.errors === undefined) {
    const errors = each.options.dialect === 'liquid' ? 'raise' : 'inline'
    if (!text.includes('Liquid error'))
      expect(await createEngine({ ...options, errors }).render(each.main, each.data()), `errors ${errors}`).toBe(text)
  }
  const engine = createEngine(options)
  const buffer = new Uint8Array(4096)
  try {
    const length = engine.renderInto(buffer, each.main, each.data())
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer.subarray(0, length)), 'as bytes').toBe(text)
  } catch (error) {
    // What reaches a port can only be rendered asynchronously.
    if (!(error instanceof Error && error.message.includes('suspends'))) throw error
  }
}

/** `file:line message` of what rendering throws. */
async function failure(engine: Engine, each: Case): Promise<string> {
  try {
    return `nothing was thrown, printed: ${await engine.render(each.main, each.data())}`
  } catch (error) {
    if (!(error instanceof LiquidError)) throw error
    return `${error.file}:${error.line} ${error.message}`
  }
}

function expectEmitted(each: Case): void {
  const dialect = each.options.dialect ?? 'platform'
  const { modules } = compile(sourceFiles(each.files, dialect), {
    dialect,
    syntax: each.options.syntax ?? 'lax',
    raise: each.options.errors !== 'inline',
    keepGoing: true,
    openEntries: true,
    format: dialect === 'liquid' ? 'plain' : 'html',
  })
  const module = modules.find(({ source }) => source === each.main)
  const text = module === undefined ? '' : moduleText(module).text
  for (const part of each.emitted) expect(text).toContain(part)
}
