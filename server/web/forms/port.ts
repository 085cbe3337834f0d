/**
 * Forms in templates. `include_form` renders a form with its values or with the refused input. `form` opens the form
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
import { recordedTemplate } from '../site/recorded.ts'
import { NotFoundError } from '../site/not-found-error.ts'
import { formAction, renderMetadata, hiddenFields } from './hidden-fields.ts'
import { findForm, findTable } from './find-form.ts'
import { loadResource, type Resource } from './load.ts'
import { freshState } from './model.ts'

/** Arguments of `include_form` that identify the resource. All other arguments become variables. */
const ID_ARGUMENTS = ['id', 'object_id', 'resource_id'] as const
const TABLE_ARGUMENTS = [
  'parent_resource_id',
  'parent_object_id',
  'parent_resource_class',
  'parent_object_class',
  'object_class',
  'resource_class',
  'resource_type',
] as const
const RESOURCE_ARGUMENTS: ReadonlySet<string> = new Set<string>([...ID_ARGUMENTS, ...TABLE_ARGUMENTS])

/** A form that is being rendered. */
interface OpenForm {
  readonly form: FormEntry
  readonly state: FormState
  readonly facts: Parameters<typeof formBuilder>[2]
}

/**
 * Creates the function that opens the form port of a request.
 * @param forms returns the forms of the site that is being served
 */
export function openForms(forms: () => CompiledSite['forms']): OpenForms {
  return (visit, render, page) => new RequestFormPort(forms, visit, render, page)
}

class RequestFormPort implements FormPort {
  readonly #forms: () => CompiledSite['forms']
  readonly #visit: Visit
  readonly #render: () => Render
  readonly #page: PageEntry | null
  readonly #openFormStack: OpenForm[] = []

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
    const { state, table } = await this.#loadState(form, options)
    const r = this.#render()
    const id = state.storedResource?.id ?? null
    const { session, request, params } = this.#visit
    const token = session === null ? '' : session.csrfToken()
    const facts = {
      action: formAction(form, id),
      systemFields: hiddenFields({ form, table, id, request, page: this.#page, params, token }),
      r,
      metadata: await renderMetadata(form, r, {}),
    }
    const builder = formBuilder(form, state, facts)
    this.#openFormStack.push({ form, state, facts })
    try {
      const variables = { ...templateVariables(options), form: builder, form_builder: builder }
      const { render } = form
      return await recordedTemplate(this.#visit, 'form', form.file, () => render(r, variables))
    } finally {
      this.#openFormStack.pop()
    }
  }

  open(attributes: Fields): string {
    const current = this.#openFormStack.at(-1)
    if (current === undefined)
      throw new LiquidFault('the tag `form` is only allowed in the template of a form, rendered with include_form')
    return openTag(current.form, current.state, attributes, current.facts)
  }

  async #loadState(form: FormEntry, options: Fields): Promise<{ state: FormState; table: string | null }> {
    const { data, session } = this.#visit
    if (data === null) throw new UnavailableFault('this server has no database for forms')
    const query = data.query(session?.user?.id ?? null)
    const table = form.resource === 'record' ? (form.table ?? findArgumentTable(options, query.catalog)) : null
    const requested = ID_ARGUMENTS.map((name) => options[name]).find((value) => !isBlank(value))
    const id = requested === undefined || requested === 'new' ? null : String(requested)
    const { failedForm } = this.#visit
    const refusedState =
      failedForm !== null && failedForm.name === form.name && failedForm.id === id ? failedForm.state : null
    if (refusedState !== null && (id === null || refusedState.storedResource !== null))
      return { state: refusedState, table }
    if (id === null) return { state: freshState(null), table }
    const storedResource: Resource | null = await loadResource(query, form, id, table)
    if (storedResource === null) throw new NotFoundError(`can't find ${form.resourceName} with id=${id.slice(0, 40)}`)
    return {
      state: refusedState === null ? freshState(storedResource) : { ...refusedState, storedResource },
      table: storedResource.table ?? table,
    }
  }
}

function findArgumentTable(options: Fields, catalog: Parameters<typeof findTable>[0]): string | null {
  for (const name of TABLE_ARGUMENTS) {
    const table = isBlank(options[name]) ? null : findTable(catalog, options[name])
    if (table !== null) return table
  }
  return null
}

function templateVariables(options: Fields): Scope {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !RESOURCE_ARGUMENTS.has(name)))
}
