/** Runs every `fixtures/cases/**` case: a description, a template, and its expected result. */
import { describe, expect, it } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { Report } from '../../compiler/core/diagnostics/diagnostic.ts'
import { printModule } from '../../compiler/phases/emit/emit.ts'
import { createEngine, type Engine, type EngineOptions, LiquidError } from '../../compiler/tools/engine.ts'
import { BRANCHES, TAGS_BY_NAME } from '../../compiler/language/language.ts'
import type { Node } from '../../compiler/core/tree/ast.ts'
import { Memory } from '../../compiler/core/model/memo.ts'
import { parseConfig, parseFile } from '../../compiler/phases/parse/parse.ts'
import { type Case, readCases, sourceFiles } from '../support/case-file.ts'
import { CaseHost } from '../support/case-host.ts'

const cases = readCases()
const areas = [...new Set(cases.map(({ name }) => name.split('/')[0] ?? ''))]

for (const area of areas) {
  describe(area, () => {
    for (const each of cases.filter(({ name }) => name.startsWith(`${area}/`)))
      it(`${each.name}: ${each.sentence}`, () => run(each))
  })
}

describe('the language', () => {
  const names = [...TAGS_BY_NAME.keys(), ...BRANCHES.keys(), 'liquid', '#']
  const used = namesIn(cases.filter(({ outputs, error }) => outputs.length > 0 || error !== null))
  it.each([...new Set(names)].toSorted())('has a case that runs `%s`', (name) => {
    expect(used).toContain(name)
  })
})

/** Returns the names of the tags and branches in the templates of the cases. */
function namesIn(all: readonly Case[]): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind !== 'tag') continue
      names.add(node.writtenName.name)
      visit(node.body)
      for (const branch of node.branches) {
        names.add(branch.name)
        visit(branch.body)
      }
    }
  }
  for (const { files, options } of all) {
    const dialect = options.dialect ?? 'platform'
    for (const file of sourceFiles(files, dialect)) {
      const config = parseConfig([], new Report(), new Memory(1))
      const unit = parseFile(file, config, { dialect, syntax: options.syntax ?? 'lax' }, { add() {} })
      visit(unit.template?.nodes ?? [])
      // `liquid` and `#` leave no node: the statements of `liquid` replace it, and comments are dropped.
      for (const [, name = ''] of file.text.matchAll(/\{%-?\s*(liquid\b|#)/g)) names.add(name)
    }
  }
  return names
}

async function run(each: Case): Promise<void> {
  const engine = createEngine({ files: each.files, format: each.outputs[0]?.format ?? 'html', ...each.options })
  const found = engine.diagnostics.map(
    ({ file, code, line, column }) => `${code} ${file === each.main ? '' : `${file}:`}${line}:${column}`,
  )
  if (each.diagnostics === null) expect(engine.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  else expect(found).toEqual(each.diagnostics)
  for (const [at, { format, text }] of each.outputs.entries()) {
    const options = { files: each.files, format, ...each.options }
    // A case without a host uses one engine for all of its renders.
    const made = each.effects !== null ? null : at === 0 ? engine : createEngine(options)
    expect(await rendered(each, options, made)).toBe(text)
    await expectElsewhere(each, format, text, made)
  }
  if (each.error !== null) await expect(failure(each)).resolves.toBe(each.error)
  if (each.emitted.length > 0) expectEmitted(each)
}

/** Returns the variables of a render, and its host. */
function start(each: Case): { readonly data: Record<string, unknown>; readonly host: CaseHost | null } {
  const data = each.data()
  if (each.effects === null) return { data, host: null }
  const context = { language: 'en', exports: {}, ...(data['context'] as object | undefined) }
  return { data: { ...data, context }, host: new CaseHost(context, each.answers) }
}

/** Renders with the host that the case asks for. Also runs the jobs, and checks what the ports of the host received. */
async function rendered(each: Case, options: EngineOptions, made: Engine | null = null): Promise<string> {
  const { data, host } = start(each)
  if (host === null) return (made ?? createEngine(options)).render(each.main, data)
  const engine = createEngine({ ...options, services: host.services })
  try {
    return await engine.render(each.main, data)
  } finally {
    await host.runJobs(engine)
    expect(host.effects).toEqual(each.effects)
  }
}

/** Checks that output without errors is the same in the other error mode, and as bytes. */
async function expectElsewhere(
  each: Case,
  format: Case['outputs'][number]['format'],
  text: string,
  made: Engine | null,
): Promise<void> {
  const options = { files: each.files, format, ...each.options }
  if (each.options.errors === undefined) {
    const errors = each.options.dialect === 'liquid' ? 'raise' : 'inline'
    if (!text.includes('Liquid error') && each.effects?.some((line) => line.startsWith('dead ')) !== true)
      expect(await rendered(each, { ...options, errors }), `errors ${errors}`).toBe(text)
  }
  const { data, host } = start(each)
  const engine = made ?? createEngine({ ...options, ...(host !== null && { services: host.services }) })
  const buffer = new Uint8Array(4096)
  try {
    const length = engine.renderInto(buffer, each.main, data)
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer.subarray(0, length)), 'as bytes').toBe(text)
  } catch (error) {
    // A template that calls a port can be rendered only asynchronously.
    if (!(error instanceof Error && error.message.includes('suspends'))) throw error
  }
}

/** Returns the error of a render as `file:line message`. */
async function failure(each: Case): Promise<string> {
  try {
    return `nothing was thrown, printed: ${await rendered(each, { files: each.files, ...each.options })}`
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
  const text = module === undefined ? '' : printModule(module).text
  for (const part of each.emitted) expect(text).toContain(part)
}
