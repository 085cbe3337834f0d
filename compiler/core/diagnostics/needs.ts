/** Collects the names that templates use but that do not exist, with counts and places. */
import type { Diagnostic } from './diagnostic.ts'
import { type LineRange, lineRangeFinder, type FileTextLookup } from './line-range.ts'
import { keysOf } from '../source/records.ts'
import { groupBy } from '../source/groups.ts'

/** The codes that report missing names, by kind. */
const KINDS = {
  tags: ['unknown-tag'],
  filters: ['unknown-filter'],
  partials: ['missing-partial', 'missing-dynamic-partial'],
  variables: ['undefined-variable', 'unknown-property'],
} as const

type NeedKind = keyof typeof KINDS

interface Need {
  readonly name: string
  readonly count: number
  readonly hint: string | null
  readonly places: readonly (LineRange & { readonly file: string })[]
}

export type Needs = Readonly<Record<NeedKind, readonly Need[]>>

/** Returns the missing names of each kind, most frequent first. */
export function collectNeeds(diagnostics: readonly Diagnostic[], findText: FileTextLookup): Needs {
  const lineRangeOf = lineRangeFinder(findText)
  const collectKind = (kind: NeedKind): readonly Need[] => {
    const codes: readonly string[] = KINDS[kind]
    const names = groupBy(
      diagnostics.filter(({ code }) => codes.includes(code)),
      (diagnostic) => writtenName(diagnostic, findText(diagnostic.span.file) ?? ''),
    )
    return [...names]
      .map(([name, diagnostics]) => ({
        name,
        count: diagnostics.length,
        hint: diagnostics[0]?.hint ?? null,
        places: diagnostics.map(({ span }) => ({ file: span.file, ...lineRangeOf(span) })),
      }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  }
  return {
    tags: collectKind('tags'),
    filters: collectKind('filters'),
    partials: collectKind('partials'),
    variables: collectKind('variables'),
  }
}

/** Returns the name as written. A property includes the value that it is read from. */
function writtenName({ code, span }: Diagnostic, text: string): string {
  const writtenText = text.slice(span.start, span.end).replace(/^(['"])(.*)\1$/, '$2')
  if (code !== 'unknown-property') return writtenText
  const owner = /[\w.[\]'"-]*$/.exec(text.slice(Math.max(0, span.start - 100), span.start))?.[0] ?? ''
  return owner + writtenText
}

/** Maximum number of places to print for one name. */
const MAX_PLACES = 3

const HEADINGS: Readonly<Record<NeedKind, string>> = {
  tags: 'Missing tags',
  filters: 'Missing filters',
  partials: 'Missing partials',
  variables: 'Missing variables',
}

/** Formats the missing names as text; one sentence if there are none. */
export function printNeeds(needs: Needs): string {
  const kinds = keysOf(KINDS).filter((kind) => needs[kind].length > 0)
  if (kinds.length === 0) return 'No tags, filters, partials or variables are missing.\n'
  return kinds.map((kind) => `${HEADINGS[kind]}:\n${needs[kind].map(printNeed).join('')}`).join('\n')
}

function printNeed({ name, count, hint, places }: Need): string {
  const placeTexts = places.slice(0, MAX_PLACES).map(({ file, line, column }) => `${file}:${line}:${column}`)
  const unlistedCount = count - placeTexts.length
  const others = unlistedCount > 0 ? ` and ${unlistedCount} more` : ''
  const times = count === 1 ? '' : ` (${count} times)`
  return `  ${name}${times}  ${placeTexts.join(', ')}${others}\n${hint === null ? '' : `    ${hint}\n`}`
}
