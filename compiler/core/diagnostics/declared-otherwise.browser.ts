/** In a browser templates are no whole site, in which a name would be written elsewhere. */
import type { Diagnostic } from './diagnostic.ts'

export function toldAtDeclarations(all: readonly Diagnostic[]): readonly Diagnostic[] {
  return all
}
