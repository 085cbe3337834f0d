/** Reads YAML and says what is wrong with it. */
import { duplicateYamlKey } from '../../core/diagnostics/codes/settings/duplicate-yaml-key.ts'
import { unquotedLiquid } from '../../core/diagnostics/codes/settings/unquoted-liquid.ts'
import { yamlScalar } from '../../core/diagnostics/codes/settings/yaml-scalar.ts'
import { yamlSyntax } from '../../core/diagnostics/codes/settings/yaml-syntax.ts'
import type { Change, Fix } from '../../core/diagnostics/diagnostic.ts'
import { findYamlFix, isReadable } from '../../core/source/yaml-fixes.ts'
import type { Span } from '../../core/source/span.ts'
import { type DuplicateKey, readYaml, type YamlNode, type YamlProblem } from '../../core/source/yaml.ts'
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
    if (problem.kind === 'other-scalar')
      report.add(yamlScalar(problem.span, problem.text, problem.read, problem.written, problem.other))
    if (problem.kind === 'duplicate-key')
      report.add(
        duplicateYamlKey(problem.span, problem.key, problem.first, dashBefore(problem, problems, text, offset)),
      )
  }
  return tree
}

/** The dash that the second of two keys lacks, where the first one begins an entry of a list; null where none does. */
function dashBefore(
  { span, first }: DuplicateKey,
  problems: readonly YamlProblem[],
  text: string,
  offset: number,
): Change | null {
  const before = ({ start }: Span) => text.slice(text.lastIndexOf('\n', start - offset - 1) + 1, start - offset)
  const dash = /^ *(- +)$/.exec(before(first))?.[1]
  if (dash === undefined || before(span) !== ' '.repeat(before(first).length)) return null
  const edit = { span: { ...span, start: span.start - dash.length, end: span.start }, text: dash }
  // One key may be there twice by itself, others with it are another entry.
  const isSure = problems.some(
    (each) =>
      each.kind === 'duplicate-key' &&
      each.span.start > span.end &&
      each.first.start > first.end &&
      each.first.end < span.start,
  )
  return { edits: [edit], safe: isSure }
}

/** Spaces in the place of the tabs that indent lines, where the text can be read so; null where no line has one, or that is not all. */
function withSpaces(text: string, file: string, offset: number): Fix | null {
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
