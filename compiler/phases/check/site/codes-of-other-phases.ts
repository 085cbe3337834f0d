/** Rules whose codes other phases also report. The messages are in `core/diagnostics/codes`, where these phases can import them. */
import { type CheckedSite, ofFrame } from './site-rule.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { NamedReference } from '../../../core/model/settings.ts'
import { literalText } from '../walk/literal-text.ts'
import { reservedRoute } from '../../../core/diagnostics/codes/site/reserved-route.ts'
import { responseHeaders } from '../../../core/diagnostics/codes/site/response-headers.ts'
import { suggestName } from '../../../core/diagnostics/change.ts'
import { withAbsentModule } from '../../../core/diagnostics/absent-modules.ts'
import { unknownTable } from '../../../core/diagnostics/codes/queries/unknown-table.ts'

/** Reports tables that a table belongs to and that the site does not have. The rows are stored, but belong to no declared table. */
export const checkTableNames = ofFrame((site) => {
  const tables = site.data.tables.map(({ name }) => name)
  return site.units.flatMap(({ settings }) =>
    (settings.kind === 'table' ? settings.properties : []).flatMap(({ belongsTo }) =>
      belongsTo === null || tables.includes(belongsTo.name)
        ? []
        : [withAbsentModule(site.modules, belongsTo.name, absentTable(belongsTo, tables))],
    ),
  )
})

function absentTable({ name, span }: NamedReference, tables: readonly string[]): Diagnostic {
  const reason = `The site has no table \`${name}\`.`
  return { ...unknownTable(span, reason, suggestName(name, tables) ?? null, tables, name), severity: 'warning' }
}

/** Reports pages that have an address below the path of the studio. */
export const checkStudioPath = ofFrame((site) => {
  const studio = site.config.studio
  if (studio === null) return []
  const steps = studio.path.slice(1).split('/')
  const hidden = site.pages.filter(({ settings: { route } }) =>
    steps.every((step, at) => {
      const segment = route.segments[at]
      return segment?.kind === 'static' && segment.text === step
    }),
  )
  return hidden.map(({ settings: { slugSpan, route } }) => reservedRoute(slugSpan, route.slug, studio.path))
})

/** Reports literal headers in the tag `response_headers` that are not a JSON object. */
export function checkHeaders({ siteTemplates, factsOf }: CheckedSite): readonly Diagnostic[] {
  return siteTemplates.flatMap(({ key }) =>
    (factsOf(key)?.notes ?? []).flatMap(({ note }) => {
      const text = note.kind === 'headers' ? literalText(note.value) : null
      const reason = text === null ? null : headersProblem(text)
      return note.kind === 'headers' && reason !== null ? [responseHeaders(note.value.span, reason)] : []
    }),
  )
}

function headersProblem(text: string): string | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'the text is not valid JSON'
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'the JSON is not an object'
}
