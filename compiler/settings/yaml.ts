/** Reads YAML and says what is wrong with it. */
import { duplicateYamlKey } from '../diagnostics/codes/duplicate-yaml-key.ts'
import { unquotedLiquid } from '../diagnostics/codes/unquoted-liquid.ts'
import { yamlSyntax } from '../diagnostics/codes/yaml-syntax.ts'
import { readYaml, type YamlNode } from '../source/yaml.ts'
import type { Reporter } from './setting.ts'

/** The tree of a YAML text that stands at `offset` of `file`; null for an empty one, and for one with a syntax error. */
export function parseYaml(text: string, file: string, offset: number, report: Reporter): YamlNode | null {
  const { tree, problems } = readYaml(text, file, offset)
  for (const problem of problems) {
    if (problem.kind === 'syntax') report.add(yamlSyntax(problem.span, problem.message))
    else if (problem.kind === 'bare-liquid') report.add(unquotedLiquid(problem.span, problem.text))
    else report.add(duplicateYamlKey(problem.span, problem.key, problem.first))
  }
  return tree
}
