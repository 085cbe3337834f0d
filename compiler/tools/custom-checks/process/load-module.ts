/** Loads a module with checks, as CommonJS or as an ES module, and applies the settings to its checks. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resolve as resolveImport } from 'import-meta-resolve'
import type { Answer, CheckRequest, SourceType } from '../messages.ts'
import { applySettings } from './check-settings.ts'
import type { CheckDefinition, EnabledCheck } from './enabled-check.ts'
import { describeError } from './errors.ts'
import { loadParser, type Parser } from './parser.ts'

type ModuleReference = CheckRequest['modules'][number]
type Answers = (answer: Answer) => void

const TYPES: Readonly<Record<string, SourceType>> = { LiquidHtml: 'LiquidHtml', GraphQL: 'GraphQL', YAML: 'YAML' }

/** Returns the enabled checks of a module. What is wrong with the module is reported. */
export async function loadModule(
  reference: ModuleReference,
  module: number,
  { root, settings: allSettings }: CheckRequest,
  answer: Answers,
): Promise<readonly EnabledCheck[]> {
  const refuse = (
    problem: Extract<Answer, { kind: 'refused' }>['problem'],
    reason: string,
  ): readonly EnabledCheck[] => {
    answer({ kind: 'refused', module, problem, reason })
    return []
  }
  const path = resolveModule(reference)
  if (path === null) return refuse('missing-module', '')
  let exported: unknown
  try {
    exported = await import(pathToFileURL(path).href)
  } catch (error) {
    return refuse('module-error', describeError(error))
  }
  // The names that a CommonJS module exports are not always found, but its default is always there.
  const found = partOf(exported, 'checks') ?? partOf(partOf(exported, 'default'), 'checks')
  if (!Array.isArray(found))
    return refuse('no-checks', found === undefined ? 'it exports no such name' : `this is ${typeof found}`)
  const checks: EnabledCheck[] = []
  const codes: string[] = []
  let parser: Parser | null | undefined
  for (const [at, definition] of found.entries()) {
    const reason = problemOf(definition)
    if (reason !== null) {
      answer({ kind: 'no-check', module, number: at + 1, reason })
      continue
    }
    const { meta } = definition as CheckDefinition
    codes.push(meta.code)
    const name = [meta.code, ...namesIn(meta['aliases'])].find((each) => Object.hasOwn(allSettings, each))
    const settings = name === undefined ? undefined : allSettings[name]
    if (name === undefined || settings?.enabled !== true) continue
    const type = TYPES[String(meta['type'])] ?? null
    if (type === 'LiquidHtml') {
      if (parser === undefined) {
        try {
          parser = loadParser(path, root)
        } catch (error) {
          return refuse('module-error', describeError(error))
        }
        if (parser === null) answer({ kind: 'no-parser', module })
      }
      if (parser === null) continue
    }
    const ignored = settings.ignored.map((pattern) => new RegExp(pattern))
    checks.push({
      definition: definition as CheckDefinition,
      code: meta.code,
      module,
      type,
      severity: settings.severity ?? severityOf(meta['severity']),
      settings: applySettings(name, settings.options, meta['schema'], answer),
      ignores: (file) => ignored.some((pattern) => pattern.test(file)),
      parser: type === 'LiquidHtml' ? (parser ?? null) : null,
    })
  }
  answer({ kind: 'loaded', module, enabled: checks.map(({ code }) => code), all: codes })
  return checks
}

/** Returns the path of a module; null if there is none. */
function resolveModule({ name, folder }: ModuleReference): string | null {
  const from = join(folder, 'a.js')
  try {
    return createRequire(from).resolve(name)
  } catch {
    try {
      // A package may offer itself to `import` only.
      const path = fileURLToPath(resolveImport(name, pathToFileURL(from).href))
      return existsSync(path) ? path : null
    } catch {
      return null
    }
  }
}

/** Returns what an element of `checks` lacks; null for a check. */
function problemOf(definition: unknown): string | null {
  if (typeof definition !== 'object' || definition === null) return `is ${String(definition)}, not a check`
  if (typeof partOf(partOf(definition, 'meta'), 'code') !== 'string') return 'has no text `meta.code`'
  return typeof partOf(definition, 'create') === 'function' ? null : 'has no function `create`'
}

function severityOf(value: unknown): 0 | 1 | 2 {
  return value === 1 || value === 2 ? value : 0
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function partOf(value: unknown, name: string): unknown {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? Reflect.get(value, name)
    : undefined
}
