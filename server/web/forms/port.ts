/**
 * Forms in templates: `include_form` renders a form with its values, or with the refused input; `form` opens its
 * element.
 */
import { LiquidFault, UnavailableFault } from '../../../runtime/page/fault.ts'
import { formBuilder, openTag } from '../../../runtime/data/forms/index.ts'
import type { FormState } from '../../../runtime/data/forms/model.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { Fields, FormPort } from '../../../runtime/page/services.ts'
import type { CompiledSite, FormEntry, PageEntry, Scope } from '../../../runtime/page/site.ts'
import { isBlank } from '../../../runtime/page/values/truth.ts'
import type { OpenForms, Visit } from '../site/host.ts'
import { NotFound } from '../site/not-found.ts'
import { actionOf, metadataOf, systemFields } from './facts.ts'
import { findForm, findTable } from './find.ts'
import { loadResource, type Resource } from './load.ts'
import { freshState } from './model.ts'

/** Arguments of `include_form` that name the resource; the others become variables. */
const ID = ['id', 'object_id', 'resource_id'] as const
const TABLE = [
  'parent_resource_id',
  'parent_object_id',
  'parent_resource_class',
  'parent_object_class',
  'object_class',
  'resource_class',
  'resource_type',
] as const
const OPTIONS: ReadonlySet<string> = new Set<string>([...ID, ...TABLE])

/** A form that is being rendered. */
interface OpenForm {
  readonly form: FormEntry
  readonly state: FormState
  readonly facts: Parameters<typeof formBuilder>[2]
}

/** @param forms returns the forms of the site that is being served */
export function openForms(forms: () => CompiledSite['forms']): OpenForms {
  return (visit, render, page) => new RequestFormPort(forms, visit, render, page)
}

class RequestFormPort implements FormPort {
  readonly #forms: () => CompiledSite['forms']
  readonly #visit: Visit
  readonly #render: () => Render
  readonly #page: PageEntry | null
  readonly #open: OpenForm[] = []

  constructor(forms: () => CompiledSite['forms'], visit: Visit, render: () => Render, page: PageEntry | null) {
    this.#forms = forms
    this.#visit = visit
    this.#render = render
    this.#page = page
  }

  async render(name: string, options: Fields): Promise<string> {
    const form = findForm(this.#forms(), name)
    if (form === null) throw new LiquidFault(`can't find form ${name}`)
    if (form.render === null) throw new LiquidFault(`the form ${form.name} has no template`)
    const { state, table } = await this.#stateOf(form, options)
    const r = this.#render()
    const id = state.stored?.id ?? null
    const { session, request, params } = this.#visit
    const token = session === null ? '' : session.csrfToken()
    const facts = {
      action: actionOf(form, id),
      systemFields: systemFields({ form, table, id, request, page: this.#page, params, token }),
      r,
      metadata: await metadataOf(form, r, {}),
    }
    const builder = formBuilder(form, state, facts)
    this.#open.push({ form, state, facts })
    try {
      return await form.render(r, { ...variables(options), form: builder, form_builder: builder })
    } finally {
      this.#open.pop()
    }
  }

  open(attributes: Fields): string {
    const open = this.#open.at(-1)
    if (open === undefined)
      throw new LiquidFault('the tag `form` stands in the template of a form, which include_form renders')
    return openTag(open.form, open.state, attributes, open.facts)
  }

  async #stateOf(form: FormEntry, options: Fields): Promise<{ state: FormState; table: string | null }> {
    const { data, session } = this.#visit
    if (data === null) throw new UnavailableFault('this server has no database for forms')
    const query = data.query(session?.user?.id ?? null)
    const table = form.resource === 'record' ? (form.table ?? tableOf(options, query.catalog)) : null
    const asked = ID.map((name) => options[name]).find((value) => !isBlank(value))
    const id = asked === undefined || asked === 'new' ? null : `${asked as string}`
    const { failed } = this.#visit
    const sent = failed !== null && failed.name === form.name && failed.id === id ? failed.state : null
    if (sent !== null && (id === null || sent.stored !== null)) return { state: sent, table }
    if (id === null) return { state: freshState(null), table }
    const stored: Resource | null = await loadResource(query, form, id, table)
    if (stored === null) throw new NotFound(`can't find ${form.resourceName} with id=${id.slice(0, 40)}`)
    return { state: sent === null ? freshState(stored) : { ...sent, stored }, table: stored.table ?? table }
  }
}

function tableOf(options: Fields, catalog: Parameters<typeof findTable>[0]): string | null {
  for (const name of TABLE) {
    const table = isBlank(options[name]) ? null : findTable(catalog, options[name])
    if (table !== null) return table
  }
  return null
}

function variables(options: Fields): Scope {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !OPTIONS.has(name)))
}
