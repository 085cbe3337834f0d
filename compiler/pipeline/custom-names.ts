/**
 * Names of the checks that the author of a site wrote. Only `ingot check` runs these, so no other program can say that a comment which
 * suppresses one is useless.
 */
import type { SourceFile } from '../core/source/file.ts'
import { lintConfigOf } from '../phases/parse/parse.ts'
import * as codes from './diagnostics.ts'

/** Codes of what only these checks report. */
const CUSTOM: ReadonlySet<string> = new Set([codes.customCheck.code, codes.customCheckFailed.code])

let ownNames: ReadonlySet<string> | null = null

/**
 * Returns a function that tells whether a comment may name one of the author's checks. The empty text stands for a comment that suppresses
 * every check.
 */
export function customNames(files: readonly SourceFile[]): (name: string) => boolean {
  const settings = files.find(({ kind }) => kind === 'lint_config')
  if (settings === undefined) return () => false
  ownNames ??= new Set(Object.values(codes).flatMap(({ code, check }) => (CUSTOM.has(code) ? [] : [code, check])))
  const own = ownNames
  const isCustom = (name: string): boolean => !own.has(name)
  const named = [...(lintConfigOf(files)?.checks.keys() ?? [])]
  // The settings name a module with checks, or a file with further settings.
  const hasModules = /\brequire\b|\.ya?ml\b/.test(settings.text)
  return hasModules || named.some(isCustom) ? isCustom : () => false
}
