/** One short text for all that the answers of a site are made of. */
import { createHash } from 'node:crypto'
import { give, NOWHERE, type Statement, string, typeNamed } from '../model/code.ts'
import type { Memo } from '../model/memo.ts'
import type { Module } from '../model/module.ts'
import type { FileKind, SourceFile } from '../source/file.ts'
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
}

/** 16 hexadecimal digits: the same for the same files in any order, others when a template, query or translation changed. */
export function fingerprintOf(files: readonly SourceFile[], memo: Memo): string {
  const last = memo.once('lines of files', '', [], (): { known: Lines } => ({ known: { files: [], lines: [] } }))
  const { known } = last
  const lines = files.map((file, at) => (file === known.files[at] ? known.lines[at]! : lineOf(file, memo)))
  last.known = { files, lines }
  const counted = lines.filter((line) => line !== null)
  return createHash('sha256').update(counted.toSorted().join('\n')).digest('hex').slice(0, 16)
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
