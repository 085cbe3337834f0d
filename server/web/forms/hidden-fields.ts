/** The action URL and the hidden inputs of a form. */
import { evaluateSetting } from '../site/setting.ts'
import { stableId } from '../site/stable-id.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { FormEntry, PageEntry, Scope } from '../../../runtime/page/site.ts'
import type { Request } from '../http/message.ts'

const ACTION_URLS: Readonly<Record<FormEntry['resource'], string>> = {
  record: '/api/customizations',
  user: '/api/users',
  profile: '/api/user_profiles',
  session: '/api/sessions',
}

/**
 * Returns the URL that a form is submitted to.
 * @param id id of the resource, null for a new one
 */
export function formAction({ resource }: FormEntry, id: string | null): string {
  const actionUrl = ACTION_URLS[resource]
  return id === null || resource === 'session' ? actionUrl : `${actionUrl}/${id}`
}

/** The data for the hidden inputs. */
export interface HiddenFieldValues {
  readonly form: FormEntry
  readonly table: string | null
  readonly id: string | null
  readonly request: Pick<Request, 'path'>
  /** The page that shows the form; null outside of pages. */
  readonly page: PageEntry | null
  readonly params: Readonly<Record<string, unknown>>
  /** The CSRF token, or `''` without a session. */
  readonly token: string
}

/** Returns the hidden inputs by name, except for the request method. */
export function hiddenFields({
  form,
  table,
  id,
  request,
  page,
  params,
  token,
}: HiddenFieldValues): Record<string, string> {
  const readSlug = (name: string): string => (typeof params[name] === 'string' ? params[name] : '')
  return {
    utf8: '✓',
    authenticity_token: token,
    form_id: stableId(form.name),
    form_name: form.name,
    ...(page === null ? {} : { page_id: stableId(page.file) }),
    page_slug: request.path.replace(/^\/+/, ''),
    slug: readSlug('slug'),
    slug2: readSlug('slug2'),
    slug3: readSlug('slug3'),
    resource_id: id ?? 'new',
    parent_resource_id: table ?? '',
    parent_resource_class: table === null ? '' : 'CustomModelType',
    ...(table === null ? {} : { 'form[model_schema_name]': table }),
  }
}

/**
 * Renders the value of `form.metadata`.
 * @throws LiquidFault
 */
export function renderMetadata({ metadata }: FormEntry, r: Render, scope: Scope): Promise<unknown> {
  return evaluateSetting(metadata, () => r, scope)
}
