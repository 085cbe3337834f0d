/** What a form tells the browser: its action URL and its hidden inputs. */
import { settingData } from '../site/setting.ts'
import { stableId } from '../site/stable-id.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { FormEntry, PageEntry, Scope } from '../../../runtime/page/site.ts'
import type { Request } from '../http/message.ts'

const BASES: Readonly<Record<FormEntry['resource'], string>> = {
  record: '/api/customizations',
  user: '/api/users',
  profile: '/api/user_profiles',
  session: '/api/sessions',
}

/**
 * The URL that a form is sent to.
 * @param id of the resource, null for a new one
 */
export function actionOf({ resource }: FormEntry, id: string | null): string {
  const base = BASES[resource]
  return id === null || resource === 'session' ? base : `${base}/${id}`
}

export interface HiddenFields {
  readonly form: FormEntry
  readonly table: string | null
  readonly id: string | null
  readonly request: Pick<Request, 'path'>
  /** The page that shows the form; null outside of pages. */
  readonly page: PageEntry | null
  readonly params: Readonly<Record<string, unknown>>
  /** The CSRF token; `''` when there are no sessions. */
  readonly token: string
}

/** The hidden inputs by name, except the method. */
export function systemFields({ form, table, id, request, page, params, token }: HiddenFields): Record<string, string> {
  const slug = (name: string): string => (typeof params[name] === 'string' ? params[name] : '')
  return {
    utf8: '✓',
    authenticity_token: token,
    form_id: stableId(form.name),
    form_name: form.name,
    ...(page === null ? {} : { page_id: stableId(page.file) }),
    page_slug: request.path.replace(/^\/+/, ''),
    slug: slug('slug'),
    slug2: slug('slug2'),
    slug3: slug('slug3'),
    resource_id: id ?? 'new',
    parent_resource_id: table ?? '',
    parent_resource_class: table === null ? '' : 'CustomModelType',
    ...(table === null ? {} : { 'form[model_schema_name]': table }),
  }
}

/**
 * The value of `form.metadata`.
 * @throws LiquidFault
 */
export function metadataOf({ metadata }: FormEntry, r: Render, scope: Scope): Promise<unknown> {
  return settingData(metadata, () => r, scope)
}
