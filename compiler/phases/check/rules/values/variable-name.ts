/** `variable-name`: a variable name that is not in snake_case. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { Walk } from '../../walk/walk.ts'

const SNAKE_CASE = /^[a-z0-9_]+$/

/** Reports the variables of a template whose names are not in snake_case. */
export function checkVariableNames(walk: Walk): void {
  if (!walk.platform) return
  for (const [name, span] of walk.reads.namedAt) if (!SNAKE_CASE.test(name)) walk.report(variableName(span, name))
}

export const variableName = message(
  'variable-name',
  'info',
  'VariableName',
  (name: string) => {
    const snakeCaseName = name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toLowerCase()
    return {
      text: `The name ${quote(name)} is not in snake_case.`,
      hint: `Write \`${snakeCaseName}\`.`,
      change: { edits: [{ target: 'file', part: name, every: true, text: snakeCaseName }] },
    }
  },
  {
    wrong: '{% assign myName = 1 %}{{ myName }}',
    right: '{% assign my_name = 1 %}{{ my_name }}',
  },
)
