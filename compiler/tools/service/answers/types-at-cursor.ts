/** Finds the types at the cursor of a template. It inserts a marker name at the cursor and runs the checker on that text. */
import type { Observer } from '../../../phases/check/check.ts'
import type { Accessor, Expression } from '../../../core/tree/ast.ts'
import type { Type } from '../../../core/model/type.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { Workspace } from '../workspace.ts'
import type { Markup } from './cursor.ts'

/** A marker name that no author writes. */
const CURSOR_MARKER = 'ingot_is_asked_here'

interface TypesAtCursor {
  /** The type of the value before the dot. */
  readonly owner: Type | null
  /** The type of the value that is piped into the filter. */
  readonly piped: Type | null
  /** The types of all variables in scope. */
  readonly names: ReadonlyMap<string, Type>
}

/** Returns the types known at the cursor of a template. @param prefix a text between what is before the word and the word */
export function inferTypesAtCursor(workspace: Workspace, file: SourceFile, cursor: Markup, prefix = ''): TypesAtCursor {
  const { word, end, closed, tag } = cursor
  const sign = tag === null ? ' }}' : ' %}'
  const rest = file.text.slice(word.end, end)
  const written = prefix + (cursor.at === 'filter' ? `default: ${CURSOR_MARKER} ` : `${CURSOR_MARKER} `)
  const close = closed ? '' : sign
  const text = `${file.text.slice(0, word.start)}${written}${closed ? rest : ''}${close}${closed ? file.text.slice(end) : file.text.slice(word.end)}`
  let owner: Type | null = null
  let piped: Type | null = null
  let names: ReadonlyMap<string, Type> = new Map()
  const observer: Observer = {
    value(expression: Expression, type: Type, all) {
      if (expression.kind === 'filtered' && expression.filters.some(({ positional }) => positional.some(isMarker)))
        piped = type
      if (isMarker(expression) || (expression.kind === 'lookup' && expression.path.some(isMarkerPart))) names = all()
    },
    visitAccessor(accessor: Accessor, element: Type) {
      if (isMarkerPart(accessor)) owner = element
    },
    set() {},
  }
  workspace.analyzeText({ ...file, text }, observer)
  return { owner, piped, names }
}

function isMarker(expression: Expression): boolean {
  return expression.kind === 'lookup' && expression.name?.name === CURSOR_MARKER
}

function isMarkerPart(accessor: Accessor): boolean {
  return accessor.kind === 'key' && accessor.name === CURSOR_MARKER
}
