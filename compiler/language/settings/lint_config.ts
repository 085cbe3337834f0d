/** Settings of the linter in `.platformos-check.yml`: which checks run, for which files, and with which severity. */
import * as z from 'zod'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import type { Severity } from '../../core/diagnostics/diagnostic.ts'
import { type CheckConfig, type LintConfig, NO_LINT_CONFIG } from '../../core/diagnostics/suppress.ts'
import { joinWithOr } from '../../core/diagnostics/words.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { toValue, type YamlNode } from '../../core/source/yaml.ts'
import type { Reporter } from './setting.ts'

/** The severities of the linter, including numbers and older names. */
export const SEVERITIES: Readonly<Record<string, Severity>> = {
  0: 'error',
  1: 'warning',
  2: 'info',
  error: 'error',
  warning: 'warning',
  info: 'info',
  suggestion: 'info',
  style: 'info',
}

/** The keys that are not names of checks. */
export const FILE_SETTINGS: ReadonlySet<string> = new Set([
  'extends',
  'ignore',
  'require',
  'root',
  'include_categories',
  'exclude_categories',
])

const patterns = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat())
const check = z.looseObject({
  enabled: z.boolean().nullish(),
  severity: z
    .enum(Object.keys(SEVERITIES))
    .or(z.literal([0, 1, 2]))
    .nullish(),
  ignore: patterns.nullish(),
})

/** Reads the configuration. Invalid entries are reported and ignored. */
export function lintConfig(file: SourceFile, tree: YamlNode | null, report: Reporter): LintConfig {
  if (tree?.kind !== 'map') return NO_LINT_CONFIG
  let base: LintConfig['base'] = 'all'
  let ignore: readonly string[] = []
  const checks = new Map<string, CheckConfig>()
  const reportWrong = (key: string, node: YamlNode, expected: string) =>
    report.add(settingValue(node.span, key, expected, file.text.slice(node.span.start, node.span.end)))
  for (const { key, value } of tree.entries) {
    const plainValue = toValue(value)
    if (key === 'extends') {
      const parsed = patterns.safeParse(plainValue)
      if (!parsed.success) reportWrong(key, value, 'the name of a set of checks')
      else if (parsed.data.includes('platformos-check:nothing')) base = 'none'
    } else if (key === 'ignore') {
      const parsed = patterns.safeParse(plainValue ?? [])
      if (parsed.success) ignore = parsed.data
      else reportWrong(key, value, 'a list of patterns')
    } else if (!FILE_SETTINGS.has(key)) {
      const parsed = check.safeParse(plainValue ?? {})
      if (!parsed.success) {
        reportWrong(
          key,
          value,
          `\`enabled\`, \`severity\` (${joinWithOr(Object.keys(SEVERITIES).slice(3, 6))}) and \`ignore\``,
        )
        continue
      }
      const { enabled, severity, ignore: paths } = parsed.data
      checks.set(key, { enabled: enabled ?? true, severity: SEVERITIES[severity ?? ''] ?? null, ignore: paths ?? [] })
    }
  }
  return { base, ignore, checks }
}
