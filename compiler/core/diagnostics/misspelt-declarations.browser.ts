/** In a browser, templates are not a whole site, so no declarations are searched. */
import type { Diagnostic } from './diagnostic.ts'

export function moveToDeclarations(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics
}
