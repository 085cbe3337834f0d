/** The names that the host passes to a template: `context`, and those of a layout, a form or a notification. */
import { attached } from '../../../core/model/attached.ts'
import type { Site } from '../../../core/model/site.ts'
import { SAFE, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { isBlock } from '../../../core/model/unit.ts'
import type { FileKind } from '../../../core/source/file.ts'
import { contextType } from '../../../language/types/context.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import { RESPONSE } from './notification-types.ts'
import type { RequestValues } from './request-values.ts'

/** Returns whether a file of this kind sees only the names that it sets itself and those that the host passes. */
export function isClosedKind(siteTemplate: SiteTemplate): boolean {
  const { kind } = siteTemplate.unit.file
  if (isNotification(kind)) return true
  return (
    (kind === 'page' || kind === 'layout' || kind === 'authorization_policy' || kind === 'migration') &&
    siteTemplate.inner === null
  )
}

function isNotification(kind: FileKind): boolean {
  return kind === 'email' || kind === 'sms' || kind === 'api_call'
}

/** The submitted values of a form, merged over the request's parameters. */
const SENT_PARAMS: Type = { kind: 'hash', element: UNKNOWN }

/** Returns the site's globals with `context`. The table is cached, because most templates see no other names. */
function contextTable(site: Site, context: Type): ReadonlyMap<string, Type> {
  let cached = tablesByContext.get(context)
  if (cached?.globals !== site.globals) {
    cached = { globals: site.globals, table: new Map([...site.globals, ['context', context]]) }
    tablesByContext.set(context, cached)
  }
  return cached.table
}

interface NameTable {
  readonly globals: Site['globals']
  readonly table: ReadonlyMap<string, Type>
}

const tablesByContext = attached<Type, NameTable>()

/** Returns the names that the host passes to a template. `sent`: the type of the data that a notification receives. */
export function globalsOf(
  site: Site,
  siteTemplate: SiteTemplate,
  requests: RequestValues | null,
  sent: Type | undefined,
): ReadonlyMap<string, Type> {
  if (site.dialect === 'liquid') return site.globals
  const isJob = isBlock(siteTemplate.inner)
  const { settings } = siteTemplate.unit
  const { kind } = siteTemplate.unit.file
  const page = settings.kind === 'page' && !isJob ? settings : null
  // With open entries the caller of the library provides the context.
  const context = site.openEntries ? UNKNOWN : contextType(page, requests)
  if (isJob || kind === 'page' || kind === 'partial') return contextTable(site, context)
  const globals = new Map<string, Type>([...site.globals, ['context', context]])
  const setUnknown = (...names: string[]) => {
    for (const name of names) globals.set(name, UNKNOWN)
  }
  if (kind === 'layout') {
    globals.set('content_for_layout', SAFE)
    // The layout of an email sees the names of the email.
    setUnknown('form', 'data')
  } else if (kind === 'form') {
    const form = site.formSchemas.get(siteTemplate.unit.file.path)?.type ?? UNKNOWN
    globals.set('form', form).set('form_builder', form)
    if (siteTemplate.inner?.split('.')[0] === 'defaultPayload') globals.set('params', SENT_PARAMS)
  } else if (isNotification(kind)) {
    const form = sent ?? UNKNOWN
    globals.set('form', form).set('data', form)
    if (kind === 'api_call' && siteTemplate.inner === 'callback') globals.set('response', RESPONSE)
  }
  return globals
}
