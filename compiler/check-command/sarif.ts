/** SARIF of what was found, with the texts of all diagnostics: loaded where it is asked for. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import * as codes from '../diagnostics/index.ts'
import type { TextOf } from '../diagnostics/line-range.ts'
import { printSarif } from '../diagnostics/sarif.ts'
import { VERSION } from '../emit/manifest.ts'

export function sarif(diagnostics: readonly Diagnostic[], texts: TextOf): string {
  return printSarif(diagnostics, { texts, codes: Object.values(codes), version: VERSION })
}
