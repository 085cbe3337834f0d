/** Templates in block texts of YAML, whose lines stand further right in the file: their places there. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Template } from '../model/unit.ts'
import type { Span } from '../source/span.ts'

/** Where a part of the text stands in the file, by its offsets in the text. */
export type SpanMapper = (start: number, end: number) => Span

/** The template with the places of the file in all its nodes. */
export function relocated(template: Template, placeOf: SpanMapper): Template {
  return moved(template, placeOf, new Map()) as Template
}

/** The diagnostic at the file's place, with all that it leads to. */
export function relocatedDiagnostic(diagnostic: Diagnostic, placeOf: SpanMapper): Diagnostic {
  return moved(diagnostic, placeOf, new Map()) as Diagnostic
}

/** A part of the tree that stands in two places stays one. */
function moved(value: unknown, placeOf: SpanMapper, known: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const before = known.get(value)
  if (before !== undefined) return before
  if (Array.isArray(value)) {
    const list: unknown[] = []
    known.set(value, list)
    for (const item of value) list.push(moved(item, placeOf, known))
    return list
  }
  if (isSpan(value)) {
    const span = placeOf(value.start, value.end)
    known.set(value, span)
    return span
  }
  const copy: Record<string, unknown> = Object.create(Object.getPrototypeOf(value) as object | null)
  known.set(value, copy)
  for (const [key, inner] of Object.entries(value)) copy[key] = moved(inner, placeOf, known)
  return copy
}

function isSpan(value: object): value is Span {
  return 'file' in value && 'start' in value && 'end' in value && typeof value.start === 'number'
}
