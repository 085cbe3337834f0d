/** One short text for all that the answers of a site are made of. */
import { createHash } from 'node:crypto'
import { give, NOWHERE, type Statement, string, typeNamed } from '../../core/model/code.ts'
import type { Memo } from '../../core/model/memo.ts'
import type { Module } from '../../core/model/module.ts'
import type { FileKind, SourceFile } from '../../core/source/file.ts'
import type { EmitContext } from './context.ts'
import { print } from './print.ts'

/** Kinds of files that no answer is made of: assets are asked for themselves, and tables change with their rows. */
const APART: ReadonlySet<FileKind> = new Set([
  'asset',
  'lint_config',
  'table',
  'user_schema',
  'user_profile_schema',
  'activity_handler',
])

/** A list of files with a line of each that counts, null for one that does not. */
interface Lines {
  readonly files: readonly SourceFile[]
  readonly lines: readonly (string | null)[]
  /** The places of those that count, by their lines. */
  readonly order: readonly number[]
}

/** 16 hexadecimal digits: the same for the same files in any order, others when a template, query or translation changed. */
export function fingerprintOf(files: readonly SourceFile[], memo: Memo): string {
  const last = memo.once('lines of files', '', [], (): { known: Lines } => ({
    known: { files: [], lines: [], order: [] },
  }))
  const { known } = last
  let isAlike = files.length === known.files.length
  const lines = files.map((file, at) => {
    const before = known.files[at]
    if (file === before) return known.lines[at]!
    // What a line begins with decides where it stands.
    if (file.path !== before?.path || file.kind !== before.kind) isAlike = false
    return lineOf(file, memo)
  })
  last.known = { files, lines, order: isAlike ? known.order : orderOf(lines) }
  const sorted = last.known.order.map((at) => lines[at])
  return createHash('sha256').update(sorted.join('\n')).digest('hex').slice(0, 16)
}

function orderOf(lines: readonly (string | null)[]): readonly number[] {
  const counted = lines.flatMap((line, at) => (line === null ? [] : [{ line, at }]))
  return counted.toSorted((a, b) => (a.line < b.line ? -1 : a.line > b.line ? 1 : 0)).map(({ at }) => at)
}

function lineOf({ path, kind, text }: SourceFile, memo: Memo): string | null {
  if (APART.has(kind)) return null
  const digest = memo.once('digest', path, [text], () => createHash('sha256').update(text).digest('hex'))
  return `${path}\0${kind}\0${digest}`
}

/** The function that gives it. */
export const FINGERPRINT = 'siteFingerprint'
export const FINGERPRINT_MODULE = 'fingerprint.ts'

/** A module of its own, so that a saved template does not make the whole manifest another. */
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
