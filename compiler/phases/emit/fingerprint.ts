/** Computes a fingerprint of all files that the responses of a site depend on. */
import { createHash } from 'node:crypto'
import { give, NOWHERE, type Statement, string, typeNamed } from '../../core/model/code.ts'
import type { Memo } from '../../core/model/memo.ts'
import type { Module } from '../../core/model/module.ts'
import type { FileKind, SourceFile } from '../../core/source/file.ts'
import type { EmitContext } from './context.ts'
import { print } from './print.ts'

/** Kinds of files that are not an input of page responses: assets are requested separately, and tables change with their rows. */
const EXCLUDED_KINDS: ReadonlySet<FileKind> = new Set([
  'asset',
  'lint_config',
  'table',
  'user_schema',
  'user_profile_schema',
  'activity_handler',
])

/** A list of files with the line of each included file; null for an excluded file. */
interface Lines {
  readonly files: readonly SourceFile[]
  readonly lines: readonly (string | null)[]
  /** The indexes of the included files, sorted by line. */
  readonly order: readonly number[]
}

/**
 * Returns the fingerprint: 16 hexadecimal digits. They do not depend on the order of the files, and change if a template, query or
 * translation changes.
 */
export function fingerprintOf(files: readonly SourceFile[], memo: Memo): string {
  const last = memo.once('lines of files', '', [], (): { cached: Lines } => ({
    cached: { files: [], lines: [], order: [] },
  }))
  const { cached: previous } = last
  let isSameOrder = files.length === previous.files.length
  const lines = files.map((file, at) => {
    const before = previous.files[at]
    const line = previous.lines[at]
    if (file === before && line !== undefined) return line
    // The order depends only on the beginning of each line, which consists of the path and the kind.
    if (file.path !== before?.path || file.kind !== before.kind) isSameOrder = false
    return lineOf(file, memo)
  })
  last.cached = { files, lines, order: isSameOrder ? previous.order : orderOf(lines) }
  const sorted = last.cached.order.map((at) => lines[at])
  return createHash('sha256').update(sorted.join('\n')).digest('hex').slice(0, 16)
}

function orderOf(lines: readonly (string | null)[]): readonly number[] {
  const counted = lines.flatMap((line, at) => (line === null ? [] : [{ line, at }]))
  return counted.toSorted((a, b) => (a.line < b.line ? -1 : a.line > b.line ? 1 : 0)).map(({ at }) => at)
}

function lineOf({ path, kind, text }: SourceFile, memo: Memo): string | null {
  if (EXCLUDED_KINDS.has(kind)) return null
  const digest = memo.once('digest', path, [text], () => createHash('sha256').update(text).digest('hex'))
  return `${path}\0${kind}\0${digest}`
}

/** The name of the emitted function that returns the fingerprint. */
export const FINGERPRINT = 'siteFingerprint'
export const FINGERPRINT_MODULE = 'fingerprint.ts'

/** Emits a separate module, so that a changed template does not change the whole manifest. */
export function emitFingerprint({ printAs }: EmitContext, fingerprint: string): Module {
  const body: Statement = {
    kind: 'function',
    name: FINGERPRINT,
    async: false,
    parameters: [],
    result: typeNamed('string'),
    body: [give(string(fingerprint))],
    exported: true,
    span: NOWHERE,
  }
  return { path: FINGERPRINT_MODULE, source: null, imports: [], exports: [FINGERPRINT], body: print([body], printAs) }
}
