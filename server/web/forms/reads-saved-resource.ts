/** Decides whether anything reads a resource after its form was saved: a setting with Liquid, or a job of the form. */
import type { FormEntry, Setting } from '../../../runtime/page/site.ts'
import { queuesJobs } from './follow-up-jobs.ts'

const CACHE = new WeakMap<FormEntry, boolean>()

/** Returns whether a setting or a job of the form reads the saved resource. The result is cached per form. */
export function readsSavedResource(form: FormEntry): boolean {
  let isRead = CACHE.get(form)
  if (isRead === undefined) {
    const { callbackActions, flashNotice, redirectTo, responseHeaders } = form
    isRead = queuesJobs(form) || [callbackActions, flashNotice, redirectTo, responseHeaders].some(isComputed)
    CACHE.set(form, isRead)
  }
  return isRead
}

function isComputed(setting: Setting | null): boolean {
  return setting !== null && setting.kind !== 'plain'
}
