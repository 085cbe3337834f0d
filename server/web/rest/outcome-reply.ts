/**
 * Converts the result of a form submission to a reply: JSON for API clients and scripts; redirects, messages and pages
 * for browsers.
 */
import { errorObject } from '../../../runtime/data/forms/index.ts'
import type { SubmittedForm, SubmitResult, Submission } from '../forms/model.ts'
import { findSourcePage } from '../forms/source-page.ts'
import { headerOf, redirect, type Reply } from '../http/message.ts'
import type { Params } from '../http/params.ts'
import { html, htmlReply, plainReply, serverPage } from '../http/plain-reply.ts'
import { ownTarget } from '../http/own-target.ts'
import type { SiteHost, Visit } from '../site/host.ts'
import { guardedTarget, guardHeaders } from '../site/redirects.ts'
import { applyHeaders, parseHeaders } from '../site/response-headers.ts'
import { withProblem } from '../site/token-problem.ts'
import { storeRefusedForm, isNavigation } from '../site/refused-form.ts'
import { findFormPage, renderRefusedForm, withoutSecrets } from './show-refused-form.ts'
import type { ReplyStyle } from './reply-style.ts'
import { FORM_STATUS, jsonReply, malformedInput, emptyReply, errorReply, refusal } from './status-codes.ts'
import type { DeletionResult, RestResource } from './resource.ts'

/**
 * Converts the result of a form submission to a reply.
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
      if (!style.html && submission.form.responseHeaders === null) return apiSuccess(submission, resource, outcome)
      return withHeaders(host, visit, submission, outcome, success(host, visit, submission, resource, style, outcome))
    case 'invalid':
      return refusedForm(host, visit, submission, style, outcome)
    case 'malformed':
      return malformedInput(outcome.problem)
    case 'missing':
      return errorReply(404)
    case 'forbidden':
      return policyReply(host, visit, outcome.status, outcome.reason)
    case 'sent-away':
      return style.html
        ? outcome.reply
        : policyReply(host, visit, 403, `an authorization policy redirects (${outcome.reply.template})`)
    case 'foreign':
      return refusal(403, FOREIGN_SIGN_IN, true)
    case 'limited':
      return tooManyAttempts(style, outcome.retryAfter)
  }
}

/** Converts the result of deleting a resource without forms to a reply. */
export function answerDeletion(
  { params, request }: Visit,
  { html: isPage, script }: ReplyStyle,
  result: DeletionResult,
): Reply {
  if (result.kind === 'missing') return errorReply(404)
  if (result.kind === 'refused') {
    const { message } = result
    if (!isPage) return jsonReply(FORM_STATUS.refused, { errors: { base: [message] } })
    return htmlReply(
      FORM_STATUS.refused,
      serverPage('This was not removed', `<h1>This was not removed</h1><p>${html(message)}</p>`),
    )
  }
  if (!isPage) return emptyReply()
  const target = requestedTarget(params, request.host) ?? ownTarget(headerOf(request, 'referer'), request.host) ?? '/'
  return script ? jsonReply(FORM_STATUS.done, { redirect_to: target }) : redirect(FORM_STATUS.doneRedirect, target)
}

/** Returns the path of this site that a request names as the target after success; null without one. */
function requestedTarget(params: Params, host: string): string | null {
  return ownTarget(params.redirect_to, host) ?? ownTarget(params.return_to, host)
}

/** Returns the answer of a policy that refused. Its name is not for visitors. */
function policyReply({ facts }: SiteHost, { session }: Visit, status: 403 | 404, reason: string): Reply {
  if (facts.environment !== 'development') return errorReply(status)
  return refusal(status, withProblem(session, reason), true)
}

const FOREIGN_SIGN_IN = 'the request came from a page of another site, so no one was signed in'

function apiSuccess({ operation }: Submission, resource: RestResource, { id }: SubmittedForm): Reply {
  return operation === 'create' ? jsonReply(FORM_STATUS.created, resource.createReplyBody(id)) : emptyReply()
}

async function success(
  host: SiteHost,
  visit: Visit,
  submission: Submission,
  resource: RestResource,
  { html, script }: ReplyStyle,
  submitted: SubmittedForm,
): Promise<Reply> {
  if (!html) return apiSuccess(submission, resource, submitted)
  const { form, operation } = submission
  const { id, texts } = submitted
  visit.session?.addFlash('notice', await texts.render(form.flashNotice))
  const target =
    requestedTarget(visit.params, visit.request.host) ??
    guardedTarget(host, visit, await texts.render(form.redirectTo)) ??
    findSourcePage(host.loadedSite.site.pages, visit) ??
    '/'
  if (script)
    return jsonReply(FORM_STATUS.done, {
      ...(operation === 'create' ? resource.createReplyBody(id) : {}),
      redirect_to: target,
    })
  return redirect(FORM_STATUS.doneRedirect, target)
}

async function refusedForm(
  host: SiteHost,
  visit: Visit,
  { form, id }: Submission,
  { html }: ReplyStyle,
  failure: SubmitResult & { kind: 'invalid' },
): Promise<Reply> {
  const { texts, state } = failure
  if (!html)
    return jsonReply(FORM_STATUS.refused, { id: id === null ? null : Number(id), errors: errorObject(state.errors) })
  const alert = await texts.render(form.flashAlert)
  const refusedForm = { name: form.name, id, state: withoutSecrets(failure.state) }
  const pageUrl = isNavigation(visit.request) ? findFormPage(host, visit) : null
  // An API client gets the page as the reply. A browser is redirected, so that the address bar shows the page's URL.
  if (pageUrl !== null && visit.session !== null && storeRefusedForm(visit.session, pageUrl, refusedForm)) {
    visit.session.addFlash('alert', alert)
    return redirect(FORM_STATUS.refusedRedirect, pageUrl)
  }
  visit.session?.addFlash('alert', alert, true)
  return renderRefusedForm(host, visit, refusedForm)
}

function tooManyAttempts({ html }: ReplyStyle, seconds: number): Reply {
  const retryHeader = { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }
  const reply = html ? plainReply(429, 'html', 'Too many attempts: try again later') : errorReply(429)
  return { ...reply, headers: { ...reply.headers, ...retryHeader } }
}

async function withHeaders(
  host: SiteHost,
  visit: Visit,
  { form }: Submission,
  { texts }: SubmittedForm,
  pendingReply: Promise<Reply>,
): Promise<Reply> {
  const reply = await pendingReply
  if (form.responseHeaders === null) return reply
  const headers = { ...reply.headers }
  applyHeaders(headers, parseHeaders(await texts.render(form.responseHeaders)))
  // The form's headers must not change the content type or the redirect.
  const { 'content-type': _type, location: _location, ...formHeaders } = headers
  guardHeaders(host, visit, formHeaders)
  const protectedHeaders = ['content-type', 'location'].flatMap((name) => {
    const value = reply.headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...reply, headers: { ...formHeaders, ...Object.fromEntries(protectedHeaders) } }
}
