/** Emits all modules of a site: templates, operations, the fingerprint and the manifest. */
import type { ServedAssets } from '../../core/model/asset.ts'
import type { Memo } from '../../core/model/memo.ts'
import type { Module } from '../../core/model/module.ts'
import type { CodeLanguage } from '../../core/model/printed.ts'
import type { Steps } from '../../core/model/steps.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { RUNTIME_NAMES } from '../../language/types/runtime.generated.ts'
import type { EmitContext } from './context.ts'
import type { Coverage } from './coverage.ts'
import { type EmitInput, emitContext } from './emit.ts'
import { emitFingerprint, fingerprintOf } from './fingerprint.ts'
import { rememberedManifest } from './manifest.ts'
import { emitOperation } from './operation.ts'
import { emitSteps } from './templates.ts'

/** The analysed site, and the language whose tags and filters it uses. */
type EmittedSite = Pick<EmitInput, 'site' | 'operations' | 'outlines' | 'facts' | 'tags' | 'filters'>

interface EmitOptions {
  /** The language of the printed modules; TypeScript by default. */
  readonly printAs?: CodeLanguage
  /** The assets whose URLs contain a stamp. Other assets are served unchanged. */
  readonly assets?: ServedAssets
}

export interface EmittedModules {
  readonly modules: readonly Module[]
  /** Statistics about how much of the emitted code uses static types. */
  readonly coverage: () => Coverage
}

const NO_ASSETS: ServedAssets = new Map()
const RUNTIME: ReadonlySet<string> = new Set(RUNTIME_NAMES)

export function* emitSite(
  { site, operations, outlines, facts, tags, filters }: EmittedSite,
  files: readonly SourceFile[],
  { assets = NO_ASSETS, printAs = 'typescript' }: EmitOptions,
  memo: Memo,
): Steps<EmittedModules> {
  const input = { site, operations, outlines, facts, tags, filters, runtimeNames: RUNTIME, assets, printAs }
  const templates = yield* emitSteps(emitContext(input, memo), memo)
  const { context } = templates
  const modules = [
    ...templates.modules,
    ...emitOperationModules(context, memo),
    emitFingerprint(context, fingerprintOf(files)),
    rememberedManifest(context, templates.callState, memo),
  ]
  return { modules, coverage: templates.coverage }
}

function emitOperationModules(context: EmitContext, memo: Memo): readonly Module[] {
  const { operations, operationName } = context
  return memo.once('emit operations', '', [operations.storedOperations, operationName], () =>
    [...operations.storedOperations].map(([name, operation]) =>
      memo.once('emit operation', name, [operation, operationName(name)], () =>
        emitOperation(context, name, operation),
      ),
    ),
  )
}
