/** `ingot explain CODE`: describes a diagnostic, with a wrong and a correct example. */
import type { Example } from '../core/diagnostics/diagnostic.ts'
import * as registry from '../pipeline/diagnostics.ts'
import { findNearest } from '../core/diagnostics/suggest.ts'

/** Returns the names of all diagnostics. */
export function codes(): readonly string[] {
  return Object.values(registry).map((each) => each.code)
}

export function explain(code: string): number {
  const known = new Map(Object.values(registry).map((each) => [each.code, each]))
  const found = known.get(code)
  if (found === undefined) {
    const similarName = findNearest(code, known.keys())
    process.stderr.write(
      `There is no diagnostic '${code}'${similarName === null ? ': `ingot check` prints the names' : `: did you mean '${similarName}'?`}\n`,
    )
    return 2
  }
  const { severity, check, examples } = found
  process.stdout.write(
    [
      `${code} (${severity})`,
      `Suppressed by the name ${code} or ${check}: {% # platformos-check-disable ${code} %}`,
      '',
      'Wrong:',
      formatExample(examples.wrong),
      '',
      'Right:',
      formatExample(examples.right),
      '',
    ].join('\n'),
  )
  return 0
}

function formatExample(example: Example): string {
  const files = typeof example === 'string' ? { '': example } : example
  return Object.entries(files)
    .map(
      ([path, text]) =>
        `${path === '' ? '' : `  ${path}\n`}${text
          .trimEnd()
          .split('\n')
          .map((line) => `    ${line}`)
          .join('\n')}`,
    )
    .join('\n')
}
