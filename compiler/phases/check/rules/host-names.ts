/** The names that a template has from its host: `context`, and what a layout, a form or a notification is given. */
import { attached } from '../../../core/model/attached.ts'
import type { Site } from '../../../core/model/site.ts'
import { SAFE, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { isBlock } from '../../../core/model/unit.ts'
import type { FileKind } from '../../../core/source/file.ts'
import { contextType } from '../../../language/types/context.ts'
import type { Piece } from '../piece.ts'
import { RESPONSE } from './notification-types.ts'
import type { RequestValues } from './request-values.ts'

/** Kinds of files that see nothing but what they set themselves and what the host gives by name. */
export function isClosedKind(piece: Piece): boolean {
  const { kind } = piece.unit.file
  if (isNotification(kind)) return true
  return (
    (kind === 'page' || kind === 'layout' || kind === 'authorization_policy' || kind === 'migration') &&
    piece.inner === null
  )
}

function isNotification(kind: FileKind): boolean {
  return kind === 'email' || kind === 'sms' || kind === 'api_call'
}

/** What a form was sent, over the parameters of the request. */
const SENT_PARAMS: Type = { kind: 'hash', of: UNKNOWN }

/** The names of the site with `context`: one table for the many templates that see nothing else. */
function contextAlone(site: Site, context: Type): ReadonlyMap<string, Type> {
  let kept = tables.get(context)
  if (kept?.globals !== site.globals) {
    kept = { globals: site.globals, table: new Map([...site.globals, ['context', context]]) }
    tables.set(context, kept)
  }
  return kept.table
}

interface NameTable {
  readonly globals: Site['globals']
  readonly table: ReadonlyMap<string, Type>
}

const tables = attached<Type, NameTable>()

/** `sent`: what a notification is given. */
export function globalsOf(
  site: Site,
  piece: Piece,
  requests: RequestValues | null,
  sent: Type | undefined,
): ReadonlyMap<string, Type> {
  if (site.dialect === 'liquid') return site.globals
  const isJob = isBlock(piece.inner)
  const { settings } = piece.unit
  const { kind } = piece.unit.file
  const page = settings.kind === 'page' && !isJob ? settings : null
  // The library's context is what its caller says.
  const context = site.openEntries ? UNKNOWN : contextType(page, requests)
  if (isJob || kind === 'page' || kind === 'partial') return contextAlone(site, context)
  const globals = new Map<string, Type>([...site.globals, ['context', context]])
  const unknown = (...names: string[]) => {
    for (const name of names) globals.set(name, UNKNOWN)
  }
  if (kind === 'layout') {
    globals.set('content_for_layout', SAFE)
    // A mail's layout sees what the mail does.
    unknown('form', 'data')
  } else if (kind === 'form') {
    const form = site.formSchemas.get(piece.unit.file.path)?.type ?? UNKNOWN
    globals.set('form', form).set('form_builder', form)
    if (piece.inner?.split('.')[0] === 'defaultPayload') globals.set('params', SENT_PARAMS)
  } else if (isNotification(kind)) {
    const form = sent ?? UNKNOWN
    globals.set('form', form).set('data', form)
    if (kind === 'api_call' && piece.inner === 'callback') globals.set('response', RESPONSE)
  }
  return globals
}
