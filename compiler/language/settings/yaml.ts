/** Parses YAML and reports its errors. */
import { duplicateYamlKey } from '../../core/diagnostics/codes/settings/duplicate-yaml-key.ts'
import { unquotedLiquid } from '../../core/diagnostics/codes/settings/unquoted-liquid.ts'
import { yamlScalar } from '../../core/diagnostics/codes/settings/yaml-scalar.ts'
import { yamlSyntax } from '../../core/diagnostics/codes/settings/yaml-syntax.ts'
import type { Change, Fix } from '../../core/diagnostics/diagnostic.ts'
import { findYamlFix, isReadable } from '../../core/source/yaml-fixes.ts'
import type { Span } from '../../core/source/span.ts'
import { type DuplicateKey, readYaml, type YamlNode, type YamlProblem } from '../../core/source/yaml.ts'
import type { Reporter } from './setting.ts'

/** Parses a YAML text that starts at `offset` in `file`. Returns null if it is empty or has a syntax error. */
export function parseYaml(text: string, file: string, offset: number, report: Reporter): YamlNode | null {
  const { tree, problems } = readYaml(text, file, offset)
  for (const problem of problems) {
    if (problem.kind === 'syntax') {
      const fix = findYamlFix(text, problem.span.start - offset)
      report.add(
        fix === null
          ? yamlSyntax(problem.span, problem.message, replaceTabs(text, file, offset), problem.expected)
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
      report.add(yamlScalar(problem.span, problem.text, problem.read, problem.writtenText, problem.other))
    if (problem.kind === 'duplicate-key')
      report.add(
        duplicateYamlKey(problem.span, problem.key, problem.firstSpan, addDashBefore(problem, problems, text, offset)),
      )
  }
  return tree
}

/**
 * Returns the fix that adds a missing list dash before the second of two equal keys, if the first one begins a list entry; otherwise
 * null.
 */
function addDashBefore(
  { span, firstSpan }: DuplicateKey,
  problems: readonly YamlProblem[],
  text: string,
  offset: number,
): Change | null {
  const textBefore = ({ start }: Span) => text.slice(text.lastIndexOf('\n', start - offset - 1) + 1, start - offset)
  const dash = /^ *(- +)$/.exec(textBefore(firstSpan))?.[1]
  if (dash === undefined || textBefore(span) !== ' '.repeat(textBefore(firstSpan).length)) return null
  const edit = { span: { ...span, start: span.start - dash.length, end: span.start }, text: dash }
  // A single key may be duplicated by mistake. Several duplicated keys are another entry.
  const isOtherEntry = problems.some(
    (each) =>
      each.kind === 'duplicate-key' &&
      each.span.start > span.end &&
      each.firstSpan.start > firstSpan.end &&
      each.firstSpan.end < span.start,
  )
  return { edits: [edit], safe: isOtherEntry }
}

/** Returns a fix that replaces tabs in the indentation with spaces; null if there are none or if the result is still not valid. */
function replaceTabs(text: string, file: string, offset: number): Fix | null {
  const tabs = [...text.matchAll(/^ *\t[ \t]*/gm)]
  if (tabs.length === 0 || !isReadable(text.replace(/^ *\t[ \t]*/gm, tabsToSpaces))) return null
  const edits = tabs.map(({ 0: indent, index }) => ({
    span: { file, start: offset + index, end: offset + index + indent.length },
    text: tabsToSpaces(indent),
  }))
  return { hint: 'Write two spaces for each tab.', change: { edits } }
}

function tabsToSpaces(indent: string): string {
  return indent.replaceAll('\t', '  ')
}
