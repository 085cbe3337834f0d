/**
 * Names of the checks that the author of a site wrote. Only `ingot check` runs these, so no other program can say that a comment which
 * suppresses one is useless.
 */
import type { SourceFile } from '../core/source/file.ts'
import { unknownSetting } from '../core/diagnostics/codes/settings/unknown-setting.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { findTypo } from '../core/diagnostics/suggest.ts'
import { parseYaml } from '../language/settings/yaml.ts'
import { FILE_SETTINGS } from '../language/settings/lint_config.ts'
import { lintConfigOf } from '../phases/parse/parse.ts'
import * as codes from './diagnostics.ts'

/** Codes of what only these checks report. */
const CUSTOM: ReadonlySet<string> = new Set([codes.customCheck.code, codes.customCheckFailed.code])

let ownNames: ReadonlySet<string> | null = null

/** Returns the codes of the compiler's own diagnostics, and the names of their checks. */
function compilerNames(): ReadonlySet<string> {
  ownNames ??= new Set(Object.values(codes).flatMap(({ code, check }) => (CUSTOM.has(code) ? [] : [code, check])))
  return ownNames
}

/**
 * Returns a function that returns whether a comment may name one of the author's checks. The empty text means a comment that suppresses every
 * check.
 */
export function customNames(files: readonly SourceFile[]): (name: string) => boolean {
  const settings = files.find(({ kind }) => kind === 'lint_config')
  if (settings === undefined) return () => false
  const own = compilerNames()
  const isCustom = (name: string): boolean => !own.has(name)
  const named = [...(lintConfigOf(files)?.checks.keys() ?? [])]
  // The settings name a module with checks, or a file with further settings.
  const hasModules = /\brequire\b|\.ya?ml\b/.test(settings.text)
  return hasModules || named.some(isCustom) ? isCustom : () => false
}

/** The settings of a check of the compiler. */
const CHECK_SETTINGS = ['enabled', 'severity', 'ignore']
const NOUN = 'check configuration'

/** Returns the misspelled names of checks in `.platformos-check.yml`, and misspelled settings of checks. Other unknown names may be those of other checkers. */
export function misspelledChecks(files: readonly SourceFile[]): readonly Diagnostic[] {
  const file = files.find(({ kind }) => kind === 'lint_config')
  const tree = file === undefined ? null : parseYaml(file.text, file.path, 0, { add() {} })
  if (tree?.kind !== 'map') return []
  const names = [...compilerNames(), ...FILE_SETTINGS]
  return tree.entries.flatMap(({ key, keySpan, value }) => {
    if (FILE_SETTINGS.has(key)) return []
    if (!compilerNames().has(key))
      return findTypo(key, names) === null ? [] : [unknownSetting(keySpan, key, NOUN, names)]
    if (value.kind !== 'map') return []
    return value.entries
      .filter((entry) => !CHECK_SETTINGS.includes(entry.key) && findTypo(entry.key, CHECK_SETTINGS) !== null)
      .map((entry) => unknownSetting(entry.keySpan, entry.key, NOUN, CHECK_SETTINGS, key))
  })
}
