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

/** 16 hexadecimal digits: the same for the same files in any order, others when a template, query or translation changed. */
export function fingerprintOf(files: readonly SourceFile[], memo: Memo): string {
  const lines = files
    .filter(({ kind }) => !APART.has(kind))
    .map(({ path, kind, text }) => {
      const digest = memo.once('digest', path, [text], () => createHash('sha256').update(text).digest('hex'))
      return `${path}\0${kind}\0${digest}`
    })
  const all = createHash('sha256').update(lines.toSorted().join('\n'))
  return all.digest('hex').slice(0, 16)
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
