/** Examples of codes about one file that no page uses. */
import type { DiagnosticCode } from './diagnostic.ts'

/** Returns a wrong and a right example: the texts of the file, in a site with a page. */
export function fileExamples(path: string, wrong: string, right: string): DiagnosticCode<never>['examples'] {
  const siteWith = (text: string) => ({ 'app/views/pages/index.liquid': 'x', [path]: text })
  return { wrong: siteWith(wrong), right: siteWith(right) }
}
