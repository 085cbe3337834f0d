/** What the playground of the reference does with a template: the script of its page has this as `Ingot`. */
import { compile } from '../../compile.ts'
import { printModule } from '../../phases/emit/emit.ts'
import { createEngine } from './engine.ts'
import type { EngineDiagnostic } from './diagnostic.ts'
import type { EngineOptions } from './options.ts'
import { setupOf } from './setup.ts'
import { filesFromTexts, strayPartial } from '../../core/source/from-texts.ts'

/** What stands in the fields of the page. */
export interface Played {
  readonly template: string
  /** An object, as JSON. */
  readonly data: string
  readonly dialect: NonNullable<EngineOptions['dialect']>
  readonly syntax: NonNullable<EngineOptions['syntax']>
}

export interface Result {
  readonly output: string | null
  /** Why there is no output. */
  readonly error: string | null
  readonly diagnostics: readonly EngineDiagnostic[]
  readonly typescript: string
}

/** Bounds that no page is kept waiting by. */
const LIMITS = { time: 1000 }

/** Compiles and renders, never throws. */
export async function play({ template, data, dialect, syntax }: Played): Promise<Result> {
  const options = { dialect, syntax, limits: LIMITS } as const
  let diagnostics: readonly EngineDiagnostic[] = []
  let typescript = ''
  try {
    const engine = createEngine({ ...options, files: { template } })
    diagnostics = engine.diagnostics
    typescript = emitted(template, options)
    return { output: await engine.render('template', dataIn(data)), error: null, diagnostics, typescript }
  } catch (error) {
    return { output: null, error: error instanceof Error ? error.message : String(error), diagnostics, typescript }
  }
}

/** @throws Error for what is no object */
function dataIn(text: string): Record<string, unknown> {
  let data: unknown
  try {
    data = text.trim() === '' ? {} : JSON.parse(text)
  } catch (error) {
    throw new Error(`The data are no JSON: ${error instanceof Error ? error.message : ''}`)
  }
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { ...data }
  throw new Error('The data are a JSON object: the variables of the template by their names.')
}

function emitted(template: string, options: EngineOptions): string {
  const setup = setupOf(options).compile
  const files = setup.dialect === 'platform' ? filesFromTexts({ template }, true) : [strayPartial('template', template)]
  const { modules } = compile(files, { ...setup, printAs: 'typescript' })
  const module = modules.find(({ source }) => source === 'template')
  return module === undefined ? '' : printModule(module).text
}
