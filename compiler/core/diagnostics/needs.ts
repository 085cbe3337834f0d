/** What templates would need to run without a complaint: the names that are not there, counted, with their places. */
import type { Diagnostic } from './diagnostic.ts'
import { type LineRange, lineRangeFinder, type TextOf } from './line-range.ts'
import { keysOf } from '../source/records.ts'

/** Codes of names that are not there, by what lacks them. */
const KINDS = {
  tags: ['unknown-tag'],
  filters: ['unknown-filter'],
  partials: ['missing-partial', 'missing-dynamic-partial'],
  variables: ['undefined-variable', 'unknown-property'],
} as const

export type NeedKind = keyof typeof KINDS

export interface Need {
  readonly name: string
  readonly count: number
  readonly hint: string | null
  readonly places: readonly (LineRange & { readonly file: string })[]
}

export type Needs = Readonly<Record<NeedKind, readonly Need[]>>

/** Most frequent names first. */
export function needsOf(diagnostics: readonly Diagnostic[], textOf: TextOf): Needs {
  const lineRangeOf = lineRangeFinder(textOf)
  const of = (kind: NeedKind): readonly Need[] => {
    const codes: readonly string[] = KINDS[kind]
    const names = new Map<string, Diagnostic[]>()
    for (const each of diagnostics) {
      if (!codes.includes(each.code)) continue
      const name = nameAt(each, textOf(each.span.file) ?? '')
      const known = names.get(name)
      if (known === undefined) names.set(name, [each])
      else known.push(each)
    }
    return [...names]
      .map(([name, all]) => ({
        name,
        count: all.length,
        hint: all[0]?.hint ?? null,
        places: all.map(({ span }) => ({ file: span.file, ...lineRangeOf(span) })),
      }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  }
  return { tags: of('tags'), filters: of('filters'), partials: of('partials'), variables: of('variables') }
}

/** As it is written; a property with what it is read of. */
function nameAt({ code, span }: Diagnostic, text: string): string {
  const written = text.slice(span.start, span.end).replace(/^(['"])(.*)\1$/, '$2')
  if (code !== 'unknown-property') return written
  const owner = /[\w.[\]'"-]*$/.exec(text.slice(Math.max(0, span.start - 100), span.start))?.[0] ?? ''
  return owner + written
}

/** Places that a line shows at most. */
const MOST_PLACES = 3

const HEADINGS: Readonly<Record<NeedKind, string>> = {
  tags: 'Tags that are not there',
  filters: 'Filters that are not there',
  partials: 'Files that are called and are not there',
  variables: 'Variables that no data have',
}

/** The needs as text; one sentence where there are none. */
export function printNeeds(needs: Needs): string {
  const kinds = keysOf(KINDS).filter((kind) => needs[kind].length > 0)
  if (kinds.length === 0) return 'Every tag, filter, file and variable is there.\n'
  return kinds.map((kind) => `${HEADINGS[kind]}:\n${needs[kind].map(printNeed).join('')}`).join('\n')
}

function printNeed({ name, count, hint, places }: Need): string {
  const shown = places.slice(0, MOST_PLACES).map(({ file, line, column }) => `${file}:${line}:${column}`)
  const more = count - shown.length
  const others = more > 0 ? ` and ${more} more` : ''
  const times = count === 1 ? '' : ` (${count} times)`
  return `  ${name}${times}  ${shown.join(', ')}${others}\n${hint === null ? '' : `    ${hint}\n`}`
}
