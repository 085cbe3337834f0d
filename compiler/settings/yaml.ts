/** Reads YAML and says what is wrong with it. */
import { duplicateYamlKey } from '../diagnostics/codes/settings/duplicate-yaml-key.ts'
import { unquotedLiquid } from '../diagnostics/codes/settings/unquoted-liquid.ts'
import { yamlScalar } from '../diagnostics/codes/settings/yaml-scalar.ts'
import { yamlSyntax } from '../diagnostics/codes/settings/yaml-syntax.ts'
import { findYamlFix } from '../source/yaml-fixes.ts'
import { readYaml, type YamlNode } from '../source/yaml.ts'
import type { Reporter } from './setting.ts'

/** The tree of a YAML text that stands at `offset` of `file`; null for an empty one, and for one with a syntax error. */
export function parseYaml(text: string, file: string, offset: number, report: Reporter): YamlNode | null {
  const { tree, problems } = readYaml(text, file, offset)
  for (const problem of problems) {
    if (problem.kind === 'syntax') {
      const fix = findYamlFix(text, problem.span.start - offset)
      report.add(
        fix === null
          ? yamlSyntax(problem.span, problem.message, null, problem.expected)
          : yamlSyntax(
              { file, start: offset + fix.start, end: offset + fix.end },
              fix.problem,
              fix.hint,
              problem.expected,
            ),
      )
    }
    if (problem.kind === 'bare-liquid') report.add(unquotedLiquid(problem.span, problem.text))
    if (problem.kind === 'other-scalar') report.add(yamlScalar(problem.span, problem.text, problem.read, problem.other))
    if (problem.kind === 'duplicate-key') report.add(duplicateYamlKey(problem.span, problem.key, problem.first))
  }
  return tree
}
