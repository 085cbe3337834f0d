/** Renders a template for the reference's playground. The page's script exposes this module as `Ingot`. */
import { Memory } from '../../core/model/memo.ts'
import { runSteps } from '../../core/model/steps.ts'
import { compile } from '../../pipeline/compile.ts'
import { printModule } from '../../phases/emit/emit.ts'
import { engineOn } from './engine.ts'
import type { LibraryHost } from './host.ts'
import type { EngineDiagnostic } from './diagnostic.ts'
import type { EngineOptions } from './options.ts'
import { resolveSetup } from './setup.ts'
import { filesFromTexts, strayPartial } from '../../core/source/from-texts.ts'

/** The contents of the page's fields. */
export interface PlaygroundInput {
  readonly template: string
  /** A JSON object. */
  readonly data: string
  readonly dialect: NonNullable<EngineOptions['dialect']>
  readonly syntax: NonNullable<EngineOptions['syntax']>
}

export interface PlaygroundResult {
  readonly output: string | null
  /** The reason if there is no output. */
  readonly error: string | null
  readonly diagnostics: readonly EngineDiagnostic[]
  readonly typescript: string
}

/** Short limits, so that the page is not blocked. */
const LIMITS = { time: 1000 }

/** Compiles and renders. Never throws. */
export async function playOn(
  host: LibraryHost,
  { template, data, dialect, syntax }: PlaygroundInput,
): Promise<PlaygroundResult> {
  const options = { dialect, syntax, limits: LIMITS } as const
  let diagnostics: readonly EngineDiagnostic[] = []
  let typescript = ''
  try {
    const engine = engineOn(host, { ...options, files: { template } })
    diagnostics = engine.diagnostics
    typescript = emitTypeScript(host, template, options)
    return { output: await engine.render('template', parseData(data)), error: null, diagnostics, typescript }
  } catch (error) {
    return { output: null, error: error instanceof Error ? error.message : String(error), diagnostics, typescript }
  }
}

/** Parses the variables of the template. @throws Error if the text is not a JSON object */
function parseData(text: string): Record<string, unknown> {
  let data: unknown
  try {
    data = text.trim() === '' ? {} : JSON.parse(text)
  } catch (error) {
    throw new Error(`The data are not valid JSON: ${error instanceof Error ? error.message : ''}`)
  }
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { ...data }
  throw new Error('The data must be a JSON object: the variables of the template by name.')
}

function emitTypeScript(host: LibraryHost, template: string, options: EngineOptions): string {
  const setup = resolveSetup(host, options).compile
  const files = setup.dialect === 'platform' ? filesFromTexts({ template }, true) : [strayPartial('template', template)]
  const { modules } = compile(files, { ...setup, printAs: 'typescript' }, host.features, new Memory(1), runSteps)
  const module = modules.find(({ source }) => source === 'template')
  return module === undefined ? '' : printModule(module).text
}
