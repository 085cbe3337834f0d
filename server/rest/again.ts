/** The page that held a form, shown again with what was sent and what is wrong with it. */
import type { FormState, Values } from '../../runtime/forms/model.ts'
import type { Outcome } from '../forms/model.ts'
import { pageOf } from '../forms/target.ts'
import { pathOf, type Reply } from '../http/message.ts'
import { html, htmlReply, serverPage } from '../http/plain-reply.ts'
import type { FailedForm, SiteHost, Visit } from '../site/host.ts'
import { renderPage } from '../site/render-page.ts'

/**
 * Renders the page again, as if it were asked for by its address.
 * @throws what rendering a page throws
 */
export async function showAgain(
  host: SiteHost,
  visit: Visit,
  name: string,
  id: string | null,
  failure: Outcome & { kind: 'invalid' },
): Promise<Reply> {
  const address = pageOf(host.loaded.site.pages, visit)
  const failed: FailedForm = { name, id, state: withoutSecrets(failure.state) }
  if (address !== null) {
    const { request } = visit
    const path = pathOf(address)
    const found = host.routes.find({ method: 'GET', path, host: request.host, wanted: ['html'] })
    if (found.kind === 'page') {
      const seen = { ...request, method: 'GET', url: address, body: null }
      const params = { ...visit.params, ...found.params }
      return renderPage(host, { visit: { ...visit, request: seen, params, failed }, page: found.page, source: false })
    }
  }
  const items = [...failure.state.errors].flatMap(([path, messages]) =>
    messages.map((message) => `<li>${html(path === 'base' ? message : `${path} ${message}`)}</li>`),
  )
  const page = serverPage('The form was not accepted', `<h1>The form was not accepted</h1><ul>${items.join('')}</ul>`)
  return htmlReply(422, page)
}

const SECRET = /password/i

/** Passwords are typed again: they must not stand in a page. */
function withoutSecrets(state: FormState): FormState {
  if (state.sent === null) return state
  const plain = (values: Values['attributes']): Values['attributes'] =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !SECRET.test(name)))
  const { attributes, properties, nested } = state.sent
  return { ...state, sent: { attributes: plain(attributes), properties: plain(properties), nested } }
}
