/** Compiles again after a change: what did not change is neither read, bound nor emitted a second time. */
import { compile } from '../compile.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Module } from '../model/module.ts'
import type { SourceFile } from '../source/file.ts'

export class IncrementalCompiler {
  compile(files: readonly SourceFile[], assetsUpdated: number): { readonly modules: readonly Module[]; readonly diagnostics: readonly Diagnostic[] } {
    return compile(files, { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false, assetsUpdated })
  }
}
