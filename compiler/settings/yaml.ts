/** Reads YAML and says what is wrong with it. */
import { duplicateYamlKey } from '../diagnostics/codes/settings/duplicate-yaml-key.ts'
import { unquotedLiquid } from '../diagnostics/codes/settings/unquoted-liquid.ts'
import { yamlScalar } from '../diagnostics/codes/settings/yaml-scalar.ts'
import { yamlSyntax } from '../diagnostics/codes/settings/yaml-syntax.ts'
import type { Mend } from '../diagnostics/diagnostic.ts'
import { findYamlFix, isReadable } from '../source/yaml-fixes.ts'
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
          ? yamlSyntax(problem.span, problem.message, withSpaces(text, file, offset), problem.expected)
          : yamlSyntax(
              { file, start: offset + fix.start, end: offset + fix.end },
              fix.problem,
              {
                hint: fix.hint,
                change: {
                  edits: [{ span: { file, start: offset + fix.line, end: offset + fix.end }, text: fix.text }],
                },
              },
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

/** Spaces in the place of the tabs that indent lines, where the text can be read so; null where no line has one, or that is not all. */
function withSpaces(text: string, file: string, offset: number): Mend | null {
  const tabs = [...text.matchAll(/^ *\t[ \t]*/gm)]
  if (tabs.length === 0 || !isReadable(text.replace(/^ *\t[ \t]*/gm, spaced))) return null
  const edits = tabs.map(({ 0: indent, index }) => ({
    span: { file, start: offset + index, end: offset + index + indent.length },
    text: spaced(indent),
  }))
  return { hint: 'Write two spaces for each tab.', change: { edits } }
}

function spaced(indent: string): string {
  return indent.replaceAll('\t', '  ')
}
