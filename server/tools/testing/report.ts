/** Formats test results: as text with diffs, and as JUnit XML. */
import type picocolors from 'picocolors'
import { escapeControls } from '../../core/services/log.ts'
import type { TestFailure, TestResult } from './model.ts'

type Colors = ReturnType<typeof picocolors.createColors>

/** Maximum number of printed lines of a text or a diff. */
const MAX_LINES = 60

/** Formats one test with its failures. */
export function formatResult({ test, failures, assertions, milliseconds }: TestResult, colors: Colors): string {
  const time = colors.dim(`${Math.round(milliseconds)} ms`)
  if (failures.length === 0) {
    const note = assertions === 0 ? colors.yellow('no assertion') : colors.dim(formatCount(assertions, 'assertion'))
    return `${colors.green('✓')} ${test.name}  ${note}  ${time}\n`
  }
  const rows = failures.flatMap((failure) => failureLines(failure, colors))
  return `${[`${colors.red('✗')} ${test.name}  ${time}`, ...rows].join('\n')}\n`
}

function failureLines({ subject, message, place, values }: TestFailure, colors: Colors): readonly string[] {
  const at = place === null ? [] : [`    ${colors.cyan(`${place.file}:${place.line}`)}`]
  const what = subject === '' ? message : values === null ? `${subject}: ${message}` : subject
  const words = escapeControls(what).split('\n').slice(0, MAX_LINES)
  const diffRows = values === null ? [] : diffLines(values.expected, values.got, colors)
  return [...at, ...[...words, ...diffRows].map((line) => `      ${line}`)]
}

/** Formats the expected and the actual value, line by line. */
function diffLines(expected: string, got: string, colors: Colors): readonly string[] {
  const [before, after] = [escapeControls(expected).split('\n'), escapeControls(got).split('\n')]
  if (before.length === 1 && after.length === 1)
    return [colors.green(`- expected  ${before[0]}`), colors.red(`+ got       ${after[0]}`)]
  const rows = diff(before, after).map(({ sign, line }) =>
    sign === '-' ? colors.green(`- ${line}`) : sign === '+' ? colors.red(`+ ${line}`) : colors.dim(`  ${line}`),
  )
  const rest = rows.length - MAX_LINES
  return [
    `${colors.green('- expected')}  ${colors.red('+ got')}`,
    ...rows.slice(0, MAX_LINES),
    ...(rest > 0 ? [colors.dim(`… ${rest} more lines`)] : []),
  ]
}

/** A line of a comparison. @internal Exported for tests. */
export interface DiffLine {
  readonly sign: '-' | '+' | ' '
  readonly line: string
}

/** Maximum table size of a comparison. Longer texts are printed one after the other. */
const MAX_CELLS = 4_000_000

/** Returns the shortest edit between two lists of lines. @internal Exported for tests. */
export function diff(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const all = (sign: DiffLine['sign'], lines: readonly string[]): readonly DiffLine[] =>
    lines.map((line) => ({ sign, line }))
  if (before.length * after.length > MAX_CELLS) return [...all('-', before), ...all('+', after)]
  const width = after.length + 1
  // Length of the longest common subsequence from each position on.
  const common = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i * width + j] =
        before[i] === after[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0)
  const rows: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      rows.push({ sign: ' ', line: before[i] ?? '' })
      i++
      j++
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
      rows.push({ sign: '-', line: before[i++] ?? '' })
    else rows.push({ sign: '+', line: after[j++] ?? '' })
  }
  return [...rows, ...all('-', before.slice(i)), ...all('+', after.slice(j))]
}

/** Formats the summary line. */
export function formatSummary(results: readonly TestResult[], milliseconds: number, colors: Colors): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length
  const assertions = results.reduce((sum, each) => sum + each.assertions, 0)
  const verdict = failed === 0 ? colors.green('all passed') : colors.red(`${failed} failed`)
  return `${formatCount(results.length, 'test')}, ${formatCount(assertions, 'assertion')}: ${verdict} (${(milliseconds / 1000).toFixed(1)} s)\n`
}

function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** Formats the results as JUnit XML. */
export function formatJunit(results: readonly TestResult[], milliseconds: number): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length
  const cases = results.map(({ test, failures, milliseconds: time }) => {
    const head = `<testcase name="${xml(test.name)}" classname="${xml(test.file)}" file="${xml(test.file)}" time="${seconds(time)}"`
    return failures.length === 0
      ? `    ${head}/>`
      : `    ${head}>\n${failures.map(junitFailure).join('\n')}\n    </testcase>`
  })
  const counts = `tests="${results.length}" failures="${failed}" errors="0" time="${seconds(milliseconds)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite name="ingot test" ${counts}>
${cases.join('\n')}
  </testsuite>
</testsuites>
`
}

function junitFailure({ subject, message, place, values }: TestFailure): string {
  const words = [
    ...(place === null ? [] : [`${place.file}:${place.line}`]),
    subject === '' ? message : `${subject}: ${message}`,
    ...(values === null ? [] : [`expected: ${values.expected}`, `got: ${values.got}`]),
  ].join('\n')
  return `      <failure message="${xml(message.split('\n')[0] ?? '')}">${xml(words)}</failure>`
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for XML, which does not allow control characters. */
function xml(text: string): string {
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '?').replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)
}
