/** Converts the answers of the checks to diagnostics of the site. */
import { customCheck } from '../../core/diagnostics/codes/site/custom-check.ts'
import {
  type CustomCheckFailure,
  customCheckFailed,
  type CustomCheckPlace,
} from '../../core/diagnostics/codes/site/custom-check-failed.ts'
import { missingSetting } from '../../core/diagnostics/codes/settings/missing-setting.ts'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import { unknownSetting } from '../../core/diagnostics/codes/settings/unknown-setting.ts'
import { compareByPlace, type Diagnostic, type Severity } from '../../core/diagnostics/diagnostic.ts'
import { applySuppressions } from '../../core/diagnostics/suppress.ts'
import type { Span } from '../../core/source/span.ts'
import type { Configuration } from './configuration.ts'
import type { Answer, CheckRequest, RunningPlace, TextEdits } from './messages.ts'
import { PARSER } from './process/parser.ts'
import type { RunResult } from './run.ts'

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']

type Request = Pick<CheckRequest, 'files' | 'visited'>

/**
 * Returns the diagnostics of a run, sorted by file and position. Comments suppress findings by the code of the check, and what the
 * settings themselves cause by the codes of these diagnostics.
 * @param seconds the time limit, for messages
 */
export function toDiagnostics(
  { answers, endings }: RunResult,
  request: Request,
  configuration: Configuration,
  seconds: number,
): readonly Diagnostic[] {
  const findings = answers.flatMap((answer) => (answer.kind === 'finding' ? findingOf(answer, request) : []))
  // Each process of a run loads the modules, and reports the same about them.
  const known = new Set<string>()
  const setup = answers.flatMap((answer) => {
    const key = JSON.stringify(answer)
    if (known.has(key)) return []
    known.add(key)
    return failureOf(answer, configuration)
  })
  const ended = endings.map(({ place, reason }) => {
    if (place === null)
      return customCheckFailed(configuration.start, { kind: 'not-started', reason: reason ?? 'no time' })
    const names = namesOf(place, request, configuration)
    const failure: CustomCheckFailure =
      reason === null ? { kind: 'late', place: names, seconds } : { kind: 'ended', place: names, reason }
    return customCheckFailed(placeOf(names.check, place.module, configuration), failure)
  })
  const failures = [...configuration.diagnostics, ...setup, ...thrown(answers, request, configuration), ...ended]
  const { start, text } = configuration
  const shown = applySuppressions(failures, (file) => (file === start.file ? text : undefined))
  return [...unsuppressed(findings, request), ...shown].toSorted(compareByPlace)
}

function findingOf(finding: Extract<Answer, { kind: 'finding' }>, { files }: Request): readonly Diagnostic[] {
  const file = files[finding.file]?.path
  if (file === undefined) return []
  const { check, message, start, end, edits, suggestion } = finding
  const toEdits = (all: TextEdits) => all.map(({ start, end, text }) => ({ span: { file, start, end }, text }))
  const change =
    edits !== null && edits.length > 0
      ? { change: { edits: toEdits(edits), safe: true } }
      : suggestion !== null && suggestion.edits.length > 0
        ? { change: { edits: toEdits(suggestion.edits), safe: false } }
        : {}
  const severity = SEVERITIES[finding.severity] ?? 'error'
  return [
    { ...customCheck({ file, start, end }, check, message, suggestion?.message ?? null), ...change, check, severity },
  ]
}

/** Returns the findings that no comment suppresses. A suppressed error of the author's own check is not kept as a warning. */
function unsuppressed(findings: readonly Diagnostic[], { files }: Request): readonly Diagnostic[] {
  const texts = new Map(files.map(({ path, text }) => [path, text ?? undefined]))
  const areLeft = (check?: string): readonly boolean[] => {
    const warnings = findings.map((each): Diagnostic => ({ ...each, severity: 'warning', check: check ?? each.check }))
    const left = new Set(applySuppressions(warnings, (file) => texts.get(file)))
    return warnings.map((each) => left.has(each))
  }
  // By the name of the check, and by the one that all custom checks share.
  const [byOwnName, byCommonName] = [areLeft(), areLeft(customCheck.check)]
  return findings.filter((_, at) => byOwnName[at] === true && byCommonName[at] === true)
}

/** Returns what an answer says about a module or about the settings of a check. */
function failureOf(answer: Answer, configuration: Configuration): readonly Diagnostic[] {
  switch (answer.kind) {
    case 'refused': {
      const { name: module, isPackage } = configuration.modules[answer.module] ?? { name: '', isPackage: false }
      const { problem, reason } = answer
      const failure: CustomCheckFailure =
        problem === 'missing-module'
          ? { kind: problem, module, isPackage }
          : problem === 'no-checks'
            ? { kind: problem, module, found: reason }
            : { kind: problem, module, reason }
      return [customCheckFailed(placeOf(null, answer.module, configuration), failure)]
    }
    case 'no-check': {
      const { module, number, reason } = answer
      const name = configuration.modules[module]?.name ?? ''
      return [
        customCheckFailed(placeOf(null, module, configuration), { kind: 'no-check', module: name, number, reason }),
      ]
    }
    case 'no-parser': {
      const module = configuration.modules[answer.module]?.name ?? ''
      return [
        customCheckFailed(placeOf(null, answer.module, configuration), { kind: 'no-parser', module, parser: PARSER }),
      ]
    }
    case 'loaded': {
      const { enabled, all: checks, module } = answer
      const isNamed = checks.some((check) => configuration.settings.has(check))
      if (enabled.length > 0 || checks.length === 0 || isNamed) return []
      const { name = '' } = configuration.modules[module] ?? {}
      const failure = customCheckFailed(placeOf(null, module, configuration), {
        kind: 'none-enabled',
        module: name,
        checks,
      })
      return [{ ...failure, severity: 'info' }]
    }
    case 'setting':
      return [settingProblem(answer, configuration)]
    default:
      return []
  }
}

function settingProblem(
  { check, key, problem, expected }: Extract<Answer, { kind: 'setting' }>,
  configuration: Configuration,
): Diagnostic {
  const place = configuration.places.get(check)
  const written = place?.values.get(key)
  const span = place?.span ?? configuration.start
  switch (problem) {
    case 'unknown':
      return unknownSetting(written?.key ?? span, written?.name ?? key, `check \`${check}\``, expected)
    case 'missing':
      return missingSetting(span, key, `check \`${check}\``)
    case 'type':
      return settingValue(
        written?.value ?? span,
        written?.name ?? key,
        expected[0] ?? 'another value',
        written?.text ?? '',
      )
  }
}

/** Returns one diagnostic for each check and reason, however many files it fails in. */
function thrown(answers: readonly Answer[], { files }: Request, configuration: Configuration): readonly Diagnostic[] {
  const byCheck = new Map<string, { readonly check: string; readonly reason: string; readonly files: string[] }>()
  for (const answer of answers) {
    if (answer.kind !== 'thrown') continue
    const { check, reason } = answer
    const path = files[answer.file]?.path ?? ''
    const group = byCheck.get(check)
    if (group === undefined) byCheck.set(check, { check, reason, files: [path] })
    else if (!group.files.includes(path)) group.files.push(path)
  }
  return [...byCheck.values()].map((group) =>
    customCheckFailed(placeOf(group.check, null, configuration), { kind: 'thrown', ...group }),
  )
}

function namesOf(place: RunningPlace, { files, visited }: Request, { modules }: Configuration): CustomCheckPlace {
  const file = place.file === null ? undefined : files[visited[place.file] ?? -1]
  return {
    check: place.code,
    file: file?.path ?? null,
    module: place.module === null ? null : (modules[place.module]?.name ?? null),
  }
}

/** Returns where the settings name a check, or its module. */
function placeOf(check: string | null, module: number | null, { places, modules, start }: Configuration): Span {
  const named = check === null ? undefined : places.get(check)
  return named?.span ?? modules[module ?? -1]?.span ?? start
}
