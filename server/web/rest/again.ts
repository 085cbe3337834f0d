/** Shows the page of a refused form again, with the input and its errors. */
import type { FormState, Values } from '../../../runtime/data/forms/model.ts'
import { pageOf } from '../forms/target.ts'
import { createRequest, headerOf, pathOf, type Reply } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import { html, htmlReply, serverPage } from '../http/plain-reply.ts'
import type { FailedForm, SiteHost, Visit } from '../site/host.ts'
import { renderPage } from '../site/render-page.ts'

/**
 * Renders the page as if it had been requested by its own URL.
 * @throws the errors of rendering a page
 */
export async function showAgain(host: SiteHost, visit: Visit, failed: FailedForm): Promise<Reply> {
  const address = pageOf(host.loaded.site.pages, visit)
  if (address !== null) {
    const { request } = visit
    const path = pathOf(address)
    const found = host.routes.find({ method: 'GET', path, host: request.host, wanted: ['html'] })
    if (found.kind === 'page') {
      const seen = createRequest({ ...request, method: 'GET', url: address, body: null })
      const params = { ...visit.params, ...found.params }
      return renderPage(host, { visit: { ...visit, request: seen, params, failed }, page: found.page, source: false })
    }
  }
  const items = [...failed.state.errors].flatMap(([path, messages]) =>
    messages.map((message) => `<li>${html(path === 'base' ? message : `${path} ${message}`)}</li>`),
  )
  const page = serverPage('The form was not accepted', `<h1>The form was not accepted</h1><ul>${items.join('')}</ul>`)
  return htmlReply(422, page)
}

/** URL of the page that contains the form, with its query; null when the site has no such page. */
export function formPageOf({ routes, loaded }: SiteHost, visit: Visit): string | null {
  const { request } = visit
  const page = pageOf(loaded.site.pages, visit)
  if (page === null) return null
  const sender = ownTarget(headerOf(request, 'referer'), request.host)
  const address = sender !== null && pathOf(sender) === pathOf(page) ? sender : page
  const found = routes.find({ method: 'GET', path: pathOf(address), host: request.host, wanted: ['html'] })
  return found.kind === 'page' ? address : null
}

const SECRET = /password/i

/** Removes passwords, which must not appear in a page; they are typed again. */
export function withoutSecrets(state: FormState): FormState {
  if (state.sent === null) return state
  const plain = (values: Values['attributes']): Values['attributes'] =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !SECRET.test(name)))
  const { attributes, properties, nested } = state.sent
  return { ...state, sent: { attributes: plain(attributes), properties: plain(properties), nested } }
}
