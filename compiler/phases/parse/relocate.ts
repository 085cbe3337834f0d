/** Moves templates of block texts in YAML to their spans in the file, where their lines are indented. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Template } from '../../core/model/unit.ts'
import type { Span } from '../../core/source/span.ts'

/** The span in the file of a part of the text, by its offsets in the text. */
export type SpanMapper = (start: number, end: number) => Span

/** The template with the places of the file in all its nodes. */
export function relocated(template: Template, spanInFile: SpanMapper): Template {
  return relocatedCopy(template, spanInFile)
}

/** The diagnostic at the file's place, with all that it leads to. Its change is one of another text. */
export function relocatedDiagnostic({ change: _, ...diagnostic }: Diagnostic, spanInFile: SpanMapper): Diagnostic {
  return relocatedCopy(diagnostic, spanInFile)
}

/** The diagnostic of a text whose own places are not known: what could be changed is not known either. */
export function withoutChange({ change: _, ...diagnostic }: Diagnostic): Diagnostic {
  return diagnostic
}

function relocatedCopy<Value>(value: Value, spanInFile: SpanMapper): Value {
  // The copy has the same structure; only its spans differ.
  return relocateValue(value, spanInFile, new Map()) as Value
}

/** A value that several nodes share is copied once. */
function relocateValue(value: unknown, spanInFile: SpanMapper, known: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const before = known.get(value)
  if (before !== undefined) return before
  if (Array.isArray(value)) {
    const list: unknown[] = []
    known.set(value, list)
    for (const item of value) list.push(relocateValue(item, spanInFile, known))
    return list
  }
  if (isSpan(value)) {
    const span = spanInFile(value.start, value.end)
    known.set(value, span)
    return span
  }
  const copy: Record<string, unknown> = Object.create(Object.getPrototypeOf(value))
  known.set(value, copy)
  for (const [key, inner] of Object.entries(value)) copy[key] = relocateValue(inner, spanInFile, known)
  return copy
}

function isSpan(value: object): value is Span {
  return 'file' in value && 'start' in value && 'end' in value && typeof value.start === 'number'
}
