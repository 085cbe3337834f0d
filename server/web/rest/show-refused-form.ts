/** Renders the page of a refused form with the submitted values and the errors. */
import type { FormState, Values } from '../../../runtime/data/forms/model.ts'
import { findSourcePage } from '../forms/source-page.ts'
import { createRequest, headerOf, pathOf, type Reply } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import { html, htmlReply, serverPage } from '../http/plain-reply.ts'
import type { FailedForm, SiteHost, Visit } from '../site/host.ts'
import { renderPage } from '../site/render-page.ts'
import { FORM_STATUS } from './status-codes.ts'

/**
 * Renders the form's page as if its own URL had been requested. Without such a page, lists the errors on a plain page.
 * @throws the errors of rendering a page
 */
export async function renderRefusedForm(host: SiteHost, visit: Visit, failedForm: FailedForm): Promise<Reply> {
  const url = findSourcePage(host.loadedSite.site.pages, visit)
  if (url !== null) {
    const { request } = visit
    const path = pathOf(url)
    const route = host.routes.find({ method: 'GET', path, host: request.host, wantedFormats: ['html'] })
    if (route.kind === 'page') {
      const pageRequest = createRequest({ ...request, method: 'GET', url, body: null })
      const params = { ...visit.params, ...route.params }
      return renderPage(host, {
        visit: { ...visit, request: pageRequest, params, failedForm },
        page: route.page,
        source: false,
      })
    }
  }
  const items = [...failedForm.state.errors].flatMap(([path, messages]) =>
    messages.map((message) => `<li>${html(path === 'base' ? message : `${path} ${message}`)}</li>`),
  )
  const page = serverPage('The form was not accepted', `<h1>The form was not accepted</h1><ul>${items.join('')}</ul>`)
  return htmlReply(FORM_STATUS.refused, page)
}

/**
 * Returns the URL of the page that contains the form, including its query. Returns null when the site has no such page.
 */
export function findFormPage({ routes, loadedSite }: SiteHost, visit: Visit): string | null {
  const { request } = visit
  const page = findSourcePage(loadedSite.site.pages, visit)
  if (page === null) return null
  const referer = ownTarget(headerOf(request, 'referer'), request.host)
  const url = referer !== null && pathOf(referer) === pathOf(page) ? referer : page
  const route = routes.find({ method: 'GET', path: pathOf(url), host: request.host, wantedFormats: ['html'] })
  return route.kind === 'page' ? url : null
}

const SECRET_NAME = /password/i

/** Removes passwords, which must not appear in a page. The visitor types them again. */
export function withoutSecrets(state: FormState): FormState {
  if (state.sentValues === null) return state
  const withoutSecretFields = (values: Values['attributes']): Values['attributes'] =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !SECRET_NAME.test(name)))
  const { attributes, properties, nested } = state.sentValues
  return {
    ...state,
    sentValues: { attributes: withoutSecretFields(attributes), properties: withoutSecretFields(properties), nested },
  }
}
