/**
 * Converts the outcome of a form to an answer: JSON for programs and scripts; redirects, messages and pages for
 * browsers.
 */
import { errorObject } from '../../../runtime/data/forms/index.ts'
import type { SubmittedForm, SubmitResult, Submission } from '../forms/model.ts'
import { findSourcePage } from '../forms/source-page.ts'
import { redirect, type Reply } from '../http/message.ts'
import { plainReply } from '../http/plain-reply.ts'
import { ownTarget } from '../http/own-target.ts'
import type { SiteHost, Visit } from '../site/host.ts'
import { guardedTarget, guardHeaders } from '../site/redirects.ts'
import { applyHeaders, parseHeaders } from '../site/response-headers.ts'
import { keepRefused, isNavigation } from '../site/refused-form.ts'
import { formPageOf, showAgain, withoutSecrets } from './again.ts'
import type { ReplyStyle } from './reply-style.ts'
import { json, malformed, nothing, refusal } from './replies.ts'
import type { RestResource } from './resource.ts'

/**
 * Converts the outcome of a form to an answer.
 * @throws LiquidFault from the form's texts, and the errors of rendering its page
 */
export function answerOutcome(
  host: SiteHost,
  visit: Visit,
  submission: Submission,
  resource: RestResource,
  style: ReplyStyle,
  outcome: SubmitResult,
): Reply | Promise<Reply> {
  switch (outcome.kind) {
    case 'done':
      if (!style.html && submission.form.responseHeaders === null) return doneForProgram(submission, resource, outcome)
      return withHeaders(host, visit, submission, outcome, done(host, visit, submission, resource, style, outcome))
    case 'invalid':
      return invalid(host, visit, submission, style, outcome)
    case 'malformed':
      return malformed(outcome.problem)
    case 'missing':
      return refusal(404)
    case 'forbidden':
      return refusal(outcome.status)
    case 'sent-away':
      return style.html ? outcome.reply : refusal(403)
    case 'foreign':
      return refusal(403, { detail: FOREIGN })
    case 'limited':
      return limited(style, outcome.retryAfter)
  }
}

const FOREIGN = 'a page of another site has sent this, so it did not sign in'

function doneForProgram({ operation }: Submission, resource: RestResource, { id }: SubmittedForm): Reply {
  return operation === 'create' ? json(201, resource.created(id)) : nothing()
}

async function done(
  host: SiteHost,
  visit: Visit,
  submission: Submission,
  resource: RestResource,
  { html, script }: ReplyStyle,
  submitted: SubmittedForm,
): Promise<Reply> {
  if (!html) return doneForProgram(submission, resource, submitted)
  const { form, operation } = submission
  const { id, texts } = submitted
  visit.session?.addFlash('notice', await texts.of(form.flashNotice))
  const target =
    ownTarget(visit.params.redirect_to, visit.request.host) ??
    ownTarget(visit.params.return_to, visit.request.host) ??
    guardedTarget(host, visit, await texts.of(form.redirectTo)) ??
    findSourcePage(host.loaded.site.pages, visit) ??
    '/'
  if (script) return json(200, { ...(operation === 'create' ? resource.created(id) : {}), redirect_to: target })
  return redirect(302, target)
}

async function invalid(
  host: SiteHost,
  visit: Visit,
  { form, id }: Submission,
  { html }: ReplyStyle,
  failure: SubmitResult & { kind: 'invalid' },
): Promise<Reply> {
  const { texts, state } = failure
  if (!html) return json(422, { id: id === null ? null : Number(id), errors: errorObject(state.errors) })
  const alert = await texts.of(form.flashAlert)
  const refused = { name: form.name, id, state: withoutSecrets(failure.state) }
  const address = isNavigation(visit.request) ? formPageOf(host, visit) : null
  // A program gets the page as the answer; a browser is redirected to it, so that its address bar is right.
  if (address !== null && visit.session !== null && keepRefused(visit.session, address, refused)) {
    visit.session.addFlash('alert', alert)
    return redirect(303, address)
  }
  visit.session?.addFlash('alert', alert, true)
  return showAgain(host, visit, refused)
}

function limited({ html }: ReplyStyle, seconds: number): Reply {
  const wait = { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }
  const reply = html ? plainReply(429, 'html', 'Too many attempts: try again later') : refusal(429)
  return { ...reply, headers: { ...reply.headers, ...wait } }
}

async function withHeaders(
  host: SiteHost,
  visit: Visit,
  { form }: Submission,
  { texts }: SubmittedForm,
  answering: Promise<Reply>,
): Promise<Reply> {
  const reply = await answering
  if (form.responseHeaders === null) return reply
  const headers = { ...reply.headers }
  applyHeaders(headers, parseHeaders(await texts.of(form.responseHeaders)))
  // The form's headers may change neither the content type nor the redirect.
  const { 'content-type': _type, location: _location, ...asked } = headers
  guardHeaders(host, visit, asked)
  const kept = ['content-type', 'location'].flatMap((name) => {
    const value = reply.headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...reply, headers: { ...asked, ...Object.fromEntries(kept) } }
}
